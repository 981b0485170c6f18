package io.angarium.jdbc.internal.read;

import io.angarium.intake.Position;
import io.angarium.jdbc.internal.dialect.DirtyReads;
import io.angarium.jdbc.internal.sql.Stretch;
import io.angarium.store.ReadLimit;
import io.angarium.store.SequenceRange;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Finds the positions of unknown rows, partition after partition, so that a caller that goes on has
 * the first ones behind it. Not thread-safe: one poll uses it.
 */
final class LatePositions {
  private static final int ROWS_MIN = 1_000;
  private static final int ROWS_MAX = 20_000;

  /** One in this many rows that a statement returns may be unknown. */
  private static final int SHARE = 4;

  private final DirtyReads outbox;
  private final Predicate<Position> known;
  private final int wantedMax;

  /** The most rows, known or not, that one statement returns. */
  private final int rowsMax;

  private final List<Position> wanted = new ArrayList<>();
  private final Map<Integer, Long> leftOut = new HashMap<>();

  LatePositions(DirtyReads outbox, ReadLimit limit, Predicate<Position> known) {
    this.outbox = outbox;
    this.known = known;
    this.wantedMax = limit.rows();
    int rows = (int) Math.max(ROWS_MIN, Math.min(ROWS_MAX, (long) SHARE * wantedMax));
    this.rowsMax = Math.max(rows, wantedMax); // who knows more rows asks for more
  }

  /** The rows that were found. */
  List<Position> wanted() {
    return wanted;
  }

  /** From where on a span was not looked at, by partition. */
  Map<Integer, Long> leftOut() {
    return leftOut;
  }

  /** Looks at the spans. */
  void look(List<SequenceRange> spans, Connection connection) throws SQLException {
    for (Stretch stretch : Stretch.of(spans)) {
      if (wanted.size() < wantedMax) {
        look(stretch, connection);
      } else {
        leaveOut(stretch.spans(), 0);
      }
    }
  }

  private void look(Stretch stretch, Connection connection) throws SQLException {
    List<Position> found = outbox.positions(connection, stretch, rowsMax + 1);
    List<SequenceRange> spans = stretch.spans();
    if (found.size() > rowsMax && spans.size() > 1) { // rows of the first partitions alone
      int fewer = fewer(stretch, found);
      leaveOut(spans.subList(fewer, spans.size()), 0);
      look(Stretch.around(spans.subList(0, fewer)), connection);
      return;
    }
    Predicate<Position> nothingNew = stretch.asked().negate().or(known); // nearly all are in flight
    long next = next(found);
    found.removeIf(nothingNew);
    while (found.isEmpty() && next > 0) { // or asking for the rest never gets further
      found = outbox.positions(connection, stretch.from(next), rowsMax + 1);
      next = next(found);
      found.removeIf(nothingNew);
    }
    if (next > 0) {
      leaveOut(spans, next);
    }
    found.sort(Comparator.naturalOrder());
    want(found, spans);
  }

  /** Takes off what is too much; where it begins, 0 if nothing is. */
  private long next(List<Position> found) {
    return found.size() > rowsMax ? found.remove(rowsMax).sequence() : 0;
  }

  /** How many of the partitions hardly have too many rows, if the others are like those found. */
  private int fewer(Stretch stretch, List<Position> found) {
    Map<Integer, Integer> rows = new HashMap<>();
    found.forEach(position -> rows.merge(position.partition(), 1, Integer::sum));
    double seen = found.get(found.size() - 1).sequence() - stretch.after();
    double scale = (stretch.upTo() - stretch.after()) / seen;
    double expected = 0;
    int fewer = 0;
    while (expected < rowsMax / 2.0 && fewer < stretch.spans().size() - 1) {
      expected += scale * rows.getOrDefault(stretch.spans().get(fewer).partition(), 0);
      fewer++;
    }
    return Math.max(1, expected < rowsMax ? fewer : fewer - 1);
  }

  private void want(List<Position> unknown, List<SequenceRange> spans) {
    int room = wantedMax - wanted.size();
    if (unknown.size() > room) {
      Position first = unknown.get(room);
      for (SequenceRange span : spans) {
        if (span.partition() >= first.partition()) {
          boolean cut = span.partition() == first.partition();
          leaveOut(List.of(span), cut ? first.sequence() : 0);
        }
      }
    }
    wanted.addAll(unknown.subList(0, Math.min(room, unknown.size())));
  }

  private void leaveOut(List<SequenceRange> spans, long from) {
    for (SequenceRange span : spans) {
      leftOut.merge(span.partition(), Math.max(from, span.after() + 1), Math::min);
    }
  }
}
