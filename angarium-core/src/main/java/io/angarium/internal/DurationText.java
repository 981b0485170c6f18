package io.angarium.internal;

import java.time.Duration;

/** Writes durations as they stand in properties: {@code 100ms}, {@code 9s}, {@code 7d}. */
public final class DurationText {
  private static final int NANOS_PER_MICRO = 1_000;
  private static final long SECONDS_PER_MINUTE = 60;
  private static final long SECONDS_PER_HOUR = 60 * SECONDS_PER_MINUTE;
  private static final long SECONDS_PER_DAY = 24 * SECONDS_PER_HOUR;

  private DurationText() {}

  /**
   * Returns a whole number with the largest unit that holds the duration exactly: {@code d}, {@code
   * h}, {@code m}, {@code s}, {@code ms}, {@code us} or {@code ns}. Zero is {@code 0s}. Spring
   * reads every result as the same duration.
   *
   * <p>A duration whose number would not fit into a {@code long} is in the form of ISO 8601. It has
   * a fraction of a second and lasts longer than 292 years.
   */
  public static String of(Duration duration) {
    try {
      return duration.getNano() == 0 ? ofSeconds(duration.getSeconds()) : ofFraction(duration);
    } catch (ArithmeticException tooLong) {
      return duration.toString();
    }
  }

  private static String ofSeconds(long seconds) {
    if (seconds == 0 || seconds % SECONDS_PER_MINUTE != 0) {
      return seconds + "s";
    }
    if (seconds % SECONDS_PER_HOUR != 0) {
      return seconds / SECONDS_PER_MINUTE + "m";
    }
    return seconds % SECONDS_PER_DAY != 0
        ? seconds / SECONDS_PER_HOUR + "h"
        : seconds / SECONDS_PER_DAY + "d";
  }

  private static String ofFraction(Duration duration) {
    long millis = duration.toMillis();
    if (duration.equals(Duration.ofMillis(millis))) {
      return millis + "ms";
    }
    long nanos = duration.toNanos();
    return nanos % NANOS_PER_MICRO == 0 ? nanos / NANOS_PER_MICRO + "us" : nanos + "ns";
  }
}
