package io.angarium.http;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.regex.Pattern;

/** The pause that an answer asks for by its header {@code Retry-After}. */
final class RetryAfter {
  private static final Pattern SECONDS = Pattern.compile("\\d{1,18}");

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
      return within(Duration.ofSeconds(Long.parseLong(text)), max);
    }
    Instant from = date.flatMap(RetryAfter::instant).orElse(now);
    return instant(text)
        .map(until -> within(Duration.between(from, until), max))
        .orElse(Duration.ZERO);
  }

  private static Duration within(Duration pause, Duration max) {
    if (pause.isNegative()) {
      return Duration.ZERO;
    }
    return pause.compareTo(max) > 0 ? max : pause;
  }

  /** What a header says that is a date; empty if it cannot be read. */
  static Optional<Instant> instant(String text) {
    try {
      return Optional.of(
          ZonedDateTime.parse(text.strip(), DateTimeFormatter.RFC_1123_DATE_TIME).toInstant());
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }
}
