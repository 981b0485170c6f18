package io.angarium.desk;

import io.angarium.internal.DurationText;
import java.time.Duration;

/**
 * What one search may cost, however many messages there are. Immutable.
 *
 * @param rowsMax rows that are read at most, 1..{@link #ROWS_MAX}
 * @param timeMax no further read begins after this time; more than 0, at most {@link #TIME_MAX}
 */
public record SearchBudget(int rowsMax, Duration timeMax) {
  /** The most rows that one search may read. */
  public static final int ROWS_MAX = 200_000;

  /** The longest time of one search. */
  public static final Duration TIME_MAX = Duration.ofSeconds(5);

  /** 60 000 rows, two seconds. */
  public static final SearchBudget DEFAULT = new SearchBudget(60_000, Duration.ofSeconds(2));

  /**
   * Checks both limits.
   *
   * @throws IllegalArgumentException if one is out of range
   */
  public SearchBudget {
    if (rowsMax < 1 || rowsMax > ROWS_MAX) {
      throw new IllegalArgumentException(
          "rowsMax: " + rowsMax + " (expected: 1.." + ROWS_MAX + ")");
    }
    if (timeMax.isNegative() || timeMax.isZero() || timeMax.compareTo(TIME_MAX) > 0) {
      throw new IllegalArgumentException(
          "timeMax: %s (expected: more than 0, at most %s)"
              .formatted(DurationText.of(timeMax), DurationText.of(TIME_MAX)));
    }
  }
}
