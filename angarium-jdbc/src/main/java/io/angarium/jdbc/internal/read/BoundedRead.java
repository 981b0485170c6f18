package io.angarium.jdbc.internal.read;

import io.angarium.intake.Position;
import io.angarium.intake.StoredMessage;
import io.angarium.jdbc.internal.dialect.MessageRows;
import io.angarium.jdbc.internal.dialect.OutboxSql;
import io.angarium.jdbc.internal.sql.SizedRow;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.store.LateRows;
import io.angarium.store.ReadLimit;
import io.angarium.store.ReadRows;
import io.angarium.store.SequenceRange;
import io.angarium.store.Snapshot;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One read of messages that stays within a limit in bytes, however large payloads are. The first
 * statement brings payloads up to a size at which all rows together fit, and the sizes of the
 * others; only if there are others, a second one fetches those that still fit. A row deleted in
 * between is not there. Not thread-safe: one read.
 */
public final class BoundedRead {
  private static final int INLINE_MAX = 16 << 10;

  /** Payloads of about this size lie off the page of their row on InnoDB. */
  private static final int APART_MIN = 8_000;

  private static final int SIZE_COLUMN = 14;
  private static final int PLACE_COLUMN = 15;

  private final MessageRows messages;
  private final ReadLimit limit;
  private final int inline;
  private final List<StoredMessage> small = new ArrayList<>();
  private final List<SizedRow> large = new ArrayList<>();
  private int apart;

  /** The statement that fetches the rows at some positions whole. */
  @FunctionalInterface
  public interface Fetch {
    Sql at(List<Position> positions);
  }

  /**
   * @param rows the most rows of the first statement
   */
  public BoundedRead(MessageRows messages, ReadLimit limit, long rows) {
    this(messages, limit, (int) Math.min(INLINE_MAX, limit.bytes() / Math.max(1, rows)));
  }

  private BoundedRead(MessageRows messages, ReadLimit limit, int inline) {
    this.messages = messages;
    this.limit = limit;
    this.inline = inline;
  }

  /** One whose first statement brings sizes only. */
  static BoundedRead ofSizes(MessageRows messages, ReadLimit limit) {
    return new BoundedRead(messages, limit, OutboxSql.NO_PAYLOADS);
  }

  /**
   * True if the next read had better bring sizes first, as far as this one tells.
   *
   * @param unknown the answer if there were no rows
   */
  boolean foundApart(boolean unknown) {
    int rows = small.size() + large.size();
    return rows == 0 ? unknown : apart > rows / 2;
  }

  /** The spans by partition, the order in which their rows come. */
  static List<SequenceRange> ascending(List<SequenceRange> spans) {
    return spans.stream().sorted(Comparator.comparingInt(SequenceRange::partition)).toList();
  }

  /** The most bytes of a payload that the first statement may bring. */
  public int inline() {
    return inline;
  }

  /** Takes the current row of the first statement. */
  public void add(ResultSet row) throws SQLException {
    add(row, 0);
  }

  /** Takes the current row of the first statement, which says where it is. */
  void addInPlace(ResultSet row) throws SQLException {
    add(row, messages.place(row, PLACE_COLUMN));
  }

  private void add(ResultSet row, long place) throws SQLException {
    int bytes = row.getInt(SIZE_COLUMN);
    if (bytes >= APART_MIN) {
      apart++;
    }
    if (bytes <= inline) {
      small.add(messages.message(row, place));
    } else {
      Position position = new Position(row.getInt(1), row.getLong(2));
      large.add(new SizedRow(position, bytes, small.size() + large.size()));
    }
  }

  /** The answer to a read of spans, each with the limit's number of rows. */
  ReadRows newRows(List<SequenceRange> spans, Fetch fetch, Connection connection)
      throws SQLException {
    if (large.isEmpty()) {
      List<StoredMessage> sorted = smallByPosition();
      return new ReadRows(sorted, full(sorted, StoredMessage::position));
    }
    List<SizedRow> all = allByPosition();
    Set<SizedRow> kept = SizedRow.keep(SizedRow.bySpan(all, spans), limit.bytes());
    Set<Integer> more = full(all, SizedRow::position);
    more.addAll(SizedRow.firstWithout(all, kept).keySet());
    return new ReadRows(whole(all, kept, fetch, connection), more);
  }

  /** Returns the answer to a read of spans if no span may have as many rows as the limit. */
  ReadRows stretch(List<SequenceRange> spans, Fetch fetch, Connection connection)
      throws SQLException {
    if (!large.isEmpty()) {
      return newRows(spans, fetch, connection);
    }
    // about in order already; deletes find what lies together in the table if it is sent together
    small.sort(Comparator.comparingLong(row -> row.position().sequence()));
    return new ReadRows(small, Set.of());
  }

  /**
   * The answer to a read of late rows.
   *
   * @param spans by partition
   * @param leftOut the first sequence of a span that was not taken, by partition
   */
  LateRows lateRows(
      List<SequenceRange> spans,
      Map<Integer, Long> leftOut,
      Snapshot snapshot,
      Fetch fetch,
      Connection connection)
      throws SQLException {
    if (large.isEmpty()) {
      return new LateRows(smallByPosition(), snapshot, rest(spans, leftOut));
    }
    List<SizedRow> all = allByPosition();
    Set<SizedRow> kept = SizedRow.keep(SizedRow.bySpan(all, spans), limit.bytes());
    Map<Integer, Long> from = new HashMap<>(leftOut);
    SizedRow.firstWithout(all, kept).forEach((p, sequence) -> from.merge(p, sequence, Math::min));
    return new LateRows(whole(all, kept, fetch, connection), snapshot, rest(spans, from));
  }

  /** The answer to a read of some partitions together: the first rows, as they came. */
  public ReadRows heads(Collection<Integer> partitions, Fetch fetch, Connection connection)
      throws SQLException {
    List<StoredMessage> first = inOrder(fetch, connection);
    int seen = small.size() + large.size();
    boolean cut = seen == limit.rows() || first.size() < seen;
    return new ReadRows(first, cut ? Set.copyOf(partitions) : Set.of());
  }

  /** The first rows, in the order in which they came. */
  public List<StoredMessage> inOrder(Fetch fetch, Connection connection) throws SQLException {
    if (large.isEmpty()) {
      return small;
    }
    List<SizedRow> all = all();
    return whole(all, SizedRow.keep(List.of(all), limit.bytes()), fetch, connection);
  }

  // rows come in order already; SQL promises it only for a sort of its own, which would cost
  private List<StoredMessage> smallByPosition() {
    small.sort(Comparator.comparing(StoredMessage::position));
    return small;
  }

  private List<SizedRow> allByPosition() {
    List<SizedRow> all = all();
    all.sort(Comparator.comparing(SizedRow::position));
    return all;
  }

  private List<SizedRow> all() {
    int size = small.size() + large.size();
    List<SizedRow> all = new ArrayList<>(size);
    int nextLarge = 0;
    for (int i = 0; i < size; i++) {
      if (nextLarge < large.size() && large.get(nextLarge).index() == i) {
        all.add(large.get(nextLarge++));
      } else {
        StoredMessage row = small.get(i - nextLarge);
        all.add(new SizedRow(row.position(), row.message().payload().length, i));
      }
    }
    return all;
  }

  /** The kept ones of the rows, in their order, with their payloads. */
  private List<StoredMessage> whole(
      List<SizedRow> all, Set<SizedRow> kept, Fetch fetch, Connection connection)
      throws SQLException {
    Map<Position, StoredMessage> found = new HashMap<>();
    small.forEach(row -> found.put(row.position(), row));
    List<Position> missing =
        large.stream().filter(kept::contains).map(SizedRow::position).sorted().toList();
    if (!missing.isEmpty()) {
      for (StoredMessage row : fetch.at(missing).query(connection, messages::message)) {
        found.put(row.position(), row);
      }
    }
    return all.stream()
        .filter(kept::contains)
        .map(row -> found.get(row.position()))
        .filter(Objects::nonNull)
        .toList();
  }

  /** Returns the partitions that have as many rows as one span may give. */
  private <T> Set<Integer> full(List<T> rows, Function<T, Position> position) {
    Set<Integer> full = new HashSet<>();
    for (int last = limit.rows() - 1; last < rows.size(); last++) {
      int partition = position.apply(rows.get(last)).partition();
      if (position.apply(rows.get(last - limit.rows() + 1)).partition() == partition) {
        full.add(partition);
      }
    }
    return full;
  }

  /** What of the spans lies from a row on that was not taken, and all of those behind it. */
  static Map<Integer, Long> from(@Nullable Position end, List<SequenceRange> spans) {
    Map<Integer, Long> from = new HashMap<>();
    for (SequenceRange span : spans) {
      if (end != null && end.partition() <= span.partition()) {
        from.put(span.partition(), end.partition() < span.partition() ? 0 : end.sequence());
      }
    }
    return from;
  }

  private static List<SequenceRange> rest(List<SequenceRange> spans, Map<Integer, Long> leftOut) {
    List<SequenceRange> rest = new ArrayList<>();
    for (SequenceRange span : spans) {
      Long from = leftOut.get(span.partition());
      if (from != null) {
        rest.add(
            new SequenceRange(span.partition(), Math.max(span.after(), from - 1), span.upTo()));
      }
    }
    return rest;
  }
}
