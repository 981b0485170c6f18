package io.angarium.jdbc.internal.read;

import io.angarium.intake.Position;
import io.angarium.jdbc.internal.dialect.DirtyReads;
import io.angarium.jdbc.internal.sql.Stretch;
import io.angarium.store.SequenceRange;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Finds which of many spans have rows, by one scan of the ids: a union with a part for each span
 * costs as much when nothing is there, which is what most looks of a relay find.
 */
final class FilledSpans {
  /** With more rows than this a union is no waste. */
  private static final int ROWS_MAX = 500;

  /** Spans that lie in more stretches than this are all taken to have rows. */
  private static final int STRETCHES_MAX = 4;

  private FilledSpans() {}

  /** Returns the spans that may have rows, in the order given. */
  static List<SequenceRange> of(List<SequenceRange> spans, DirtyReads outbox, Connection connection)
      throws SQLException {
    List<Stretch> stretches = Stretch.of(spans);
    if (stretches.size() > STRETCHES_MAX) {
      return spans;
    }
    Set<Integer> filled = new HashSet<>();
    for (Stretch stretch : stretches) {
      List<Position> found = outbox.positions(connection, stretch, ROWS_MAX);
      if (found.size() == ROWS_MAX) {
        filled.addAll(stretch.partitions());
      } else {
        found.removeIf(stretch.asked().negate());
        found.forEach(position -> filled.add(position.partition()));
      }
    }
    List<SequenceRange> kept = new ArrayList<>(spans);
    kept.removeIf(span -> !filled.contains(span.partition()));
    return kept;
  }
}
