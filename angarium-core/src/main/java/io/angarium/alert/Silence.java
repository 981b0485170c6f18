package io.angarium.alert;

import io.angarium.internal.DurationText;
import io.angarium.internal.Wildcard;
import java.time.Duration;
import java.time.Instant;

/**
 * A time in which channels do not tell some alerts, which are seen all the same. Immutable.
 *
 * @param id its number
 * @param rule of the alerts; a star stands for any characters
 * @param subject of the alerts; a star stands for any characters
 * @param from when it begins
 * @param until when it ends
 * @param by who wanted it
 * @param reason why
 */
public record Silence(
    long id, String rule, String subject, Instant from, Instant until, String by, String reason) {
  /** The longest one. */
  public static final Duration MAX = Duration.ofDays(30);

  /** The shortest one. */
  public static final Duration MIN = Duration.ofMinutes(1);

  /**
   * Checks what a person wants.
   *
   * @throws IllegalArgumentException if a text is empty or too long, or the length out of range
   */
  public static void check(String rule, String subject, Duration length) {
    require("rule", rule, AlertKey.RULE_LENGTH_MAX);
    require("subject", subject, AlertKey.SUBJECT_LENGTH_MAX);
    if (length.compareTo(MIN) < 0 || length.compareTo(MAX) > 0) {
      throw new IllegalArgumentException(
          "length: %s (expected: 1m..30d)".formatted(DurationText.of(length)));
    }
  }

  private static void require(String name, String text, int lengthMax) {
    if (text.isEmpty() || text.length() > lengthMax) {
      throw new IllegalArgumentException(
          "%s: %d characters (expected: 1..%d)".formatted(name, text.length(), lengthMax));
    }
  }

  /** Whether channels do not tell an alert at a time. */
  public boolean covers(AlertKey key, Instant now) {
    return !now.isBefore(from)
        && now.isBefore(until)
        && Wildcard.of(rule).fits(key.rule())
        && Wildcard.of(subject).fits(key.subject());
  }
}
