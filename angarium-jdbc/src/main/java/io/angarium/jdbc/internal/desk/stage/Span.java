package io.angarium.jdbc.internal.desk.stage;

import io.angarium.desk.MessageQuery.Order;
import java.time.Instant;

/**
 * A part of a stage that is ordered by time. Immutable.
 *
 * @param from the earliest time, inclusive
 * @param to the latest time, inclusive
 * @param after the place of the last row that was read
 */
record Span(Order order, Instant from, Instant to, Place after) {
  /** The same part without what lies before the last row that was read. */
  static Span beyond(Order order, Instant from, Instant to, Place after) {
    return order == Order.OLDEST
        ? new Span(order, later(from, after.at()), to, after)
        : new Span(order, from, earlier(to, after.at()), after);
  }

  static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }

  static Instant earlier(Instant one, Instant other) {
    return one.isBefore(other) ? one : other;
  }
}
