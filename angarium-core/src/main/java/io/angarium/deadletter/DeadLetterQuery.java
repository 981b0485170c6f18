package io.angarium.deadletter;

import io.angarium.intake.Position;
import io.angarium.internal.DurationText;
import java.time.Duration;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A search for dead letters, within limits that hold however many there are. Immutable.
 *
 * @param matches which rows are meant, see {@link DeadLetterFilter}; asked once for each row that
 *     is read
 * @param order by the sequence in which the messages were written
 * @param after continues behind this position; null begins
 * @param limit rows of the page, 1..{@link #LIMIT_MAX}
 * @param rowsMax rows that are read at most, 1..{@link #ROWS_MAX}
 * @param timeMax no further read begins after this time, at most {@link #TIME_MAX}
 */
public record DeadLetterQuery(
    Predicate<DeadLetterRow> matches,
    Order order,
    @Nullable Position after,
    int limit,
    int rowsMax,
    Duration timeMax) {
  /** The most rows of one page. */
  public static final int LIMIT_MAX = 200;

  /** The most rows that one search may read. */
  public static final int ROWS_MAX = 200_000;

  /** Rows that a search reads unless it says otherwise. */
  public static final int ROWS_DEFAULT = 60_000;

  /** The longest time for one search. */
  public static final Duration TIME_MAX = Duration.ofSeconds(5);

  /** Time for a search unless it says otherwise. */
  public static final Duration TIME_DEFAULT = Duration.ofSeconds(2);

  /** Which rows come first. */
  public enum Order {
    /** Dead letters that were written first come first. */
    OLDEST,
    /** Dead letters that were written last come first. */
    NEWEST
  }

  /**
   * Checks the limits.
   *
   * @throws IllegalArgumentException if one is out of range
   */
  public DeadLetterQuery {
    require("limit", limit, LIMIT_MAX);
    require("rowsMax", rowsMax, ROWS_MAX);
    if (timeMax.isNegative() || timeMax.isZero() || timeMax.compareTo(TIME_MAX) > 0) {
      throw new IllegalArgumentException(
          "timeMax: "
              + DurationText.of(timeMax)
              + " (expected: more than 0, at most "
              + DurationText.of(TIME_MAX)
              + ")");
    }
  }

  private static void require(String name, int value, int max) {
    if (value < 1 || value > max) {
      throw new IllegalArgumentException(name + ": " + value + " (expected: 1.." + max + ")");
    }
  }

  /** Up to {@code limit} matches, with the default budget. */
  public static DeadLetterQuery of(Predicate<DeadLetterRow> matches, Order order, int limit) {
    return new DeadLetterQuery(matches, order, null, limit, ROWS_DEFAULT, TIME_DEFAULT);
  }

  /** The same, continued behind a position. */
  public DeadLetterQuery after(@Nullable Position last) {
    return new DeadLetterQuery(matches, order, last, limit, rowsMax, timeMax);
  }
}
