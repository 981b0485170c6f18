package io.angarium.http.internal.client;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.regex.Pattern;

/** The pause that an answer asks for by its header {@code Retry-After}. */
final class RetryAfter {
  private static final Pattern SECONDS = Pattern.compile("\\d+");

  /** More digits than these are more seconds than any limit. */
  private static final int DIGITS_MAX = 18;

  private RetryAfter() {}

  /**
   * The pause, within zero and the longest; zero if the header says nothing that can be read.
   *
   * @param value a number of seconds or a date
   * @param date the header {@code Date} of the answer, so that the receiver's clock counts
   */
  static Duration pause(String value, Optional<String> date, Instant now, Duration max) {
    String text = value.strip();
    if (SECONDS.matcher(text).matches()) {
      return text.length() > DIGITS_MAX
          ? max
          : within(Duration.ofSeconds(Long.parseLong(text)), max);
    }
    Instant from = date.flatMap(shown -> HttpDate.parse(shown, now)).orElse(now);
    return HttpDate.parse(text, now)
        .map(until -> within(Duration.between(from, until), max))
        .orElse(Duration.ZERO);
  }

  private static Duration within(Duration pause, Duration max) {
    if (pause.isNegative()) {
      return Duration.ZERO;
    }
    return pause.compareTo(max) > 0 ? max : pause;
  }
}
