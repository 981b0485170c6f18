package io.angarium.jdbc.internal.read;

import io.angarium.jdbc.internal.dialect.DirtyReads;
import io.angarium.jdbc.internal.dialect.MessageRows;
import io.angarium.jdbc.internal.dialect.OutboxSql;
import io.angarium.jdbc.internal.session.StoreSessions;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.store.ReadLimit;
import io.angarium.store.ReadRows;
import io.angarium.store.SequenceRange;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads rows of the outbox above the cursors of partitions. Thread-safe. */
public final class NewRows {
  /** Payloads of any size. */
  private static final int ALL = Integer.MAX_VALUE;

  /** So many spans are read at once; of more one looks first which have rows. */
  private static final int FEW = 3;

  private final StoreSessions sessions;
  private final OutboxSql outbox;
  private final MessageRows rows;

  /** Whether payloads of the last read were large; a hint, so that a race costs time only. */
  private volatile boolean sizesFirst;

  public NewRows(StoreSessions sessions, OutboxSql outbox, MessageRows rows) {
    this.sessions = sessions;
    this.outbox = outbox;
    this.rows = rows;
  }

  public ReadRows read(List<SequenceRange> spans, ReadLimit limit) {
    if (spans.isEmpty()) {
      return new ReadRows(List.of(), Set.of());
    }
    long reach = SequenceRange.reach(spans);
    long rowsMax = Math.min((long) limit.rows() * spans.size(), reach);
    BoundedRead read =
        sizesFirst ? BoundedRead.ofSizes(rows, limit) : new BoundedRead(rows, limit, rowsMax);
    Sql stretch = reach <= limit.rows() ? stretch(spans, read.inline()) : null;
    ReadRows found =
        stretch == null ? spanBySpan(spans, limit, read) : together(spans, stretch, read);
    sizesFirst = outbox.loadsWhatItNames() && read.foundApart(sizesFirst);
    return found;
  }

  private ReadRows spanBySpan(List<SequenceRange> spans, ReadLimit limit, BoundedRead read) {
    return sessions
        .read()
        .call(
            "reading the outbox",
            connection -> {
              List<SequenceRange> filled = filled(spans, connection);
              if (filled.isEmpty()) {
                return new ReadRows(List.of(), Set.of());
              }
              Sql sql = outbox.read(filled, limit.rows(), read.inline());
              sql.forEach(connection, read::addInPlace);
              return read.newRows(filled, at -> outbox.readAt(at, ALL), connection);
            });
  }

  /** Returns the spans that may have rows if checking all of them is cheap, else all spans. */
  private List<SequenceRange> filled(List<SequenceRange> spans, Connection connection)
      throws SQLException {
    return spans.size() > FEW && outbox instanceof DirtyReads scanned
        ? FilledSpans.of(spans, scanned, connection)
        : spans;
  }

  /** All spans at once, with rows between them that nobody asked for. */
  private ReadRows together(List<SequenceRange> spans, Sql stretch, BoundedRead read) {
    Map<Integer, SequenceRange> byPartition = new HashMap<>();
    spans.forEach(span -> byPartition.put(span.partition(), span));
    return sessions
        .readStretch()
        .call(
            "reading the outbox",
            connection -> {
              stretch.forEach(
                  connection,
                  row -> {
                    if (wanted(row, byPartition)) {
                      read.addInPlace(row);
                    }
                  });
              return read.stretch(spans, at -> outbox.readAt(at, ALL), connection);
            });
  }

  private @Nullable Sql stretch(Collection<SequenceRange> spans, int inline) {
    long after = spans.stream().mapToLong(SequenceRange::after).min().orElseThrow();
    long upTo = spans.stream().mapToLong(SequenceRange::upTo).max().orElseThrow();
    return outbox.readStretch(
        spans.stream().map(SequenceRange::partition).toList(), after, upTo, inline);
  }

  private static boolean wanted(ResultSet row, Map<Integer, SequenceRange> spans)
      throws SQLException {
    SequenceRange span = spans.get(row.getInt(1));
    long sequence = row.getLong(2);
    return span != null && sequence > span.after() && sequence <= span.upTo();
  }
}
