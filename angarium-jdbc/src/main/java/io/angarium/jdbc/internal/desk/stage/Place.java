package io.angarium.jdbc.internal.desk.stage;

import io.angarium.desk.MessageQuery.Order;
import io.angarium.desk.MessageRow;
import io.angarium.desk.Stage;
import java.time.Instant;
import java.util.Comparator;

/**
 * Where a row stands in the order of its stage. Immutable.
 *
 * @param at the stage's own time; without a meaning in a stage that is ordered by sequence
 */
public record Place(Instant at, long sequence, int partition) {
  /** No row is as old. */
  static final Instant EARLIEST = Instant.EPOCH;

  /** No row is as new. The last that MySQL can store. */
  static final Instant LATEST = Instant.parse("9999-12-31T23:59:59.999999Z");

  /** No sequence comes so far. One less than the largest number: MySQL drops a bound of that. */
  private static final long SEQUENCE_MAX = Long.MAX_VALUE - 1;

  private static final Comparator<Place> BY_SEQUENCE =
      Comparator.comparingLong(Place::sequence).thenComparingInt(Place::partition);

  private static final Comparator<Place> BY_TIME =
      Comparator.comparing(Place::at).thenComparing(BY_SEQUENCE);

  /** The place of a row. */
  public static Place of(MessageRow row) {
    return new Place(row.at(), row.position().sequence(), row.position().partition());
  }

  /** The place before every row of an order. */
  static Place before(Order order) {
    return order == Order.OLDEST
        ? new Place(EARLIEST, 0, Short.MIN_VALUE)
        : new Place(LATEST, SEQUENCE_MAX, Short.MAX_VALUE);
  }

  /** The place before the first row with a sequence or a higher one. */
  public static Place beforeSequence(long sequence) {
    return new Place(EARLIEST, sequence - 1, Short.MAX_VALUE);
  }

  /** Whether the rows of a stage are ordered by sequence, not by time. */
  public static boolean isBySequence(Stage stage) {
    return stage == Stage.WAITING || stage == Stage.RETRYING || stage == Stage.HELD;
  }

  /** How the rows of a stage follow one another. */
  static Comparator<Place> comparator(Stage stage, Order order) {
    Comparator<Place> ascending = isBySequence(stage) ? BY_SEQUENCE : BY_TIME;
    return order == Order.OLDEST ? ascending : ascending.reversed();
  }
}
