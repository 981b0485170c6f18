package io.angarium.http;

import io.angarium.http.internal.client.Ending;
import io.angarium.http.internal.client.Ending.Answer;
import io.angarium.http.internal.client.HttpDate;
import io.angarium.http.internal.client.Target;
import io.angarium.internal.DurationText;
import io.angarium.transport.SendResult;
import io.angarium.transport.SendResult.Acknowledged;
import io.angarium.transport.SendResult.Refused;
import io.angarium.transport.SendResult.Unavailable;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * How far the clocks of receivers are ahead of this host's. A receiver takes a signature only if
 * its time is near its own, so a host whose clock is wrong signs by the clock that the answer to a
 * refused request shows. Once: if that does not help, refusals stay refusals until a request is
 * taken. Thread-safe.
 */
final class ReceiverClocks {
  /** Clocks that differ by less are not to blame: receivers allow some minutes. */
  private static final Duration DIFFERENCE_MIN = Duration.ofMinutes(1);

  /** What receivers answer that do not take a signature. */
  private static final Set<Integer> NOT_GENUINE = Set.of(400, 401, 403);

  /** By the key of a lane; only hooks, whose lanes sign, have one. */
  private final Map<String, Clock> clocks = new ConcurrentHashMap<>();

  /**
   * What is known of a clock.
   *
   * @param shown the time that it showed when it was followed, which a clock never shows again
   * @param before what signatures were made by until then
   * @param helpful whether a request was taken since
   */
  private record Clock(Duration ahead, Instant shown, Duration before, boolean helpful) {
    static final Clock OURS = new Clock(Duration.ZERO, Instant.MIN, Duration.ZERO, true);

    /** Whether a request was signed before the clock was followed. */
    boolean isNewerThan(Duration signedAhead) {
      return signedAhead.equals(before) && !signedAhead.equals(ahead);
    }

    boolean mayBeFollowedTo(Instant theirs) {
      return helpful && !theirs.equals(shown);
    }
  }

  /** How far the receiver's clock is ahead, as far as is known. */
  Duration ahead(Target target) {
    return clocks.getOrDefault(target.lane(), Clock.OURS).ahead();
  }

  /**
   * Unavailable instead of Refused if the clocks are to blame, perhaps; then signs by the other.
   *
   * @param signedAhead what {@link #ahead} was when the request was signed
   */
  SendResult judged(
      SendResult result, Target target, Ending ending, Instant ours, Duration signedAhead) {
    if (target.signature().isEmpty() || !(ending instanceof Answer answer)) {
      return result;
    }
    if (result instanceof Acknowledged) {
      clocks.computeIfPresent(target.lane(), (lane, clock) -> taken(clock, signedAhead));
    }
    if (!(result instanceof Refused refused) || !NOT_GENUINE.contains(answer.status())) {
      return result;
    }
    Instant signed = ours.plus(signedAhead);
    return answer
        .headers()
        .firstValue("date")
        .flatMap(date -> HttpDate.parse(date, ours))
        .filter(theirs -> differs(signed, theirs))
        .filter(theirs -> isWorthAnother(target, ours, theirs, signedAhead))
        .<SendResult>map(
            theirs -> {
              String reason =
                  "%s; its clock and that of this host differ by %s: set them right, until then signatures follow its clock";
              Duration difference = Duration.between(ours, theirs).abs();
              return new Unavailable(
                  reason.formatted(
                      refused.reason(),
                      DurationText.of(difference.truncatedTo(ChronoUnit.SECONDS))),
                  null);
            })
        .orElse(result);
  }

  private static Clock taken(Clock clock, Duration signedAhead) {
    return clock.helpful() || !signedAhead.equals(clock.ahead())
        ? clock
        : new Clock(clock.ahead(), clock.shown(), clock.before(), true);
  }

  /** Follows the clock in any case, so that it helps again once it and the secrets are right. */
  private boolean isWorthAnother(
      Target target, Instant ours, Instant theirs, Duration signedAhead) {
    AtomicBoolean worth = new AtomicBoolean(true);
    clocks.compute(
        target.lane(),
        (lane, known) -> {
          Clock clock = known == null ? Clock.OURS : known;
          if (clock.isNewerThan(signedAhead)) {
            return clock;
          }
          Duration ahead = Duration.between(ours, theirs);
          if (clock.mayBeFollowedTo(theirs)) {
            return new Clock(ahead, theirs, signedAhead, false);
          }
          worth.set(false);
          return new Clock(ahead, clock.shown(), clock.before(), clock.helpful());
        });
    return worth.get();
  }

  private static boolean differs(Instant one, Instant other) {
    return Duration.between(one, other).abs().compareTo(DIFFERENCE_MIN) > 0;
  }
}
