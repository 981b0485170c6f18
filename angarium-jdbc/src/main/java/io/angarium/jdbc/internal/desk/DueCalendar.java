package io.angarium.jdbc.internal.desk;

import io.angarium.desk.BoundedCount;
import io.angarium.desk.DueBucket;
import io.angarium.desk.MessageBrowser;
import io.angarium.desk.Overview;
import io.angarium.internal.DurationText;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Counts delayed messages by spans of time. Immutable. */
final class DueCalendar {
  /** Spans of one statement. */
  private static final int TOGETHER = 32;

  private final List<Instant> ends;

  /**
   * Divides a time into spans; the last one may be shorter.
   *
   * @throws IllegalArgumentException if that makes no span or too many
   */
  DueCalendar(Instant from, Instant to, Duration step) {
    if (!from.isBefore(to) || step.isNegative() || step.isZero()) {
      throw new IllegalArgumentException(
          "from %s to %s by %s (expected: from before to, and a step of more than 0)"
              .formatted(from, to, DurationText.of(step)));
    }
    List<Instant> bounds = new ArrayList<>();
    for (Instant begin = from; begin.isBefore(to); begin = begin.plus(step)) {
      if (bounds.size() == MessageBrowser.BUCKETS_MAX) {
        throw new IllegalArgumentException(
            "from %s to %s by %s (expected: at most %d spans)"
                .formatted(from, to, DurationText.of(step), MessageBrowser.BUCKETS_MAX));
      }
      bounds.add(begin);
    }
    bounds.add(to);
    this.ends = List.copyOf(bounds);
  }

  List<DueBucket> read(Connection connection, ViewDialect dialect) throws SQLException {
    int spans = ends.size() - 1;
    long[] counts = new long[spans];
    for (int first = 0; first < spans; first += TOGETHER) {
      int last = Math.min(spans, first + TOGETHER);
      dialect
          .due(first, ends.subList(first, last + 1))
          .forEach(
              connection,
              row -> counts[row.getInt(1)] = Math.max(counts[row.getInt(1)], row.getLong(2)));
    }
    List<DueBucket> buckets = new ArrayList<>();
    for (int i = 0; i < spans; i++) {
      buckets.add(new DueBucket(ends.get(i), BoundedCount.upTo(Overview.COUNT_MAX, counts[i])));
    }
    return buckets;
  }
}
