package io.angarium.http;

import io.angarium.DurationText;
import io.angarium.http.Ending.Answer;
import io.angarium.transport.SendResult;
import io.angarium.transport.SendResult.Refused;
import io.angarium.transport.SendResult.Unavailable;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * How far the clocks of receivers are ahead of this host's. A receiver takes a signature only if
 * its time is near its own, so a host whose clock is wrong signs by the clock that the answer to a
 * refused request shows. Thread-safe.
 */
final class ReceiverClocks {
  /** Clocks that differ by less are not to blame: receivers allow some minutes. */
  private static final Duration DIFFERENCE_MIN = Duration.ofMinutes(1);

  /** Of the lanes that sign, which are hooks. */
  private final Map<String, Duration> ahead = new ConcurrentHashMap<>();

  /** How far the receiver's clock is ahead, as far as is known. */
  Duration ahead(Target target) {
    return ahead.getOrDefault(target.lane(), Duration.ZERO);
  }

  /**
   * Unavailable instead of Refused if the clocks are to blame, perhaps; then signs by the other.
   *
   * @param signedAhead what {@link #ahead} was when the request was signed
   */
  SendResult judged(
      SendResult result, Target target, Ending ending, Instant ours, Duration signedAhead) {
    if (!(result instanceof Refused refused)
        || target.signature().isEmpty()
        || !(ending instanceof Answer answer)) {
      return result;
    }
    Instant signed = ours.plus(signedAhead);
    return answer
        .headers()
        .firstValue("date")
        .flatMap(RetryAfter::instant)
        .filter(theirs -> differs(signed, theirs))
        .<SendResult>map(
            theirs -> {
              Duration difference = Duration.between(ours, theirs);
              ahead.put(target.lane(), difference);
              String reason =
                  "%s; its clock and that of this host differ by %s: set them right, until then signatures follow its clock";
              return new Unavailable(
                  reason.formatted(
                      refused.reason(),
                      DurationText.of(difference.abs().truncatedTo(ChronoUnit.SECONDS))),
                  null);
            })
        .orElse(result);
  }

  private static boolean differs(Instant one, Instant other) {
    return Duration.between(one, other).abs().compareTo(DIFFERENCE_MIN) > 0;
  }
}
