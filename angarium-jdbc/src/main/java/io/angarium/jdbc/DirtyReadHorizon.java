package io.angarium.jdbc;

import io.angarium.TimeSource;
import io.angarium.store.LateRows;
import io.angarium.store.Mark;
import io.angarium.store.Position;
import io.angarium.store.ReadLimit;
import io.angarium.store.Snapshot;
import io.angarium.store.Span;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The horizon of a database without readable snapshots: rows that a dirty read shows and a
 * committed read does not are those of open transactions. A number that was handed out and is not
 * written yet is in neither, so a mark settles no earlier than a lag after it was taken; the
 * relay's sweep stays the safety net behind it. Late rows are simply all rows of the span.
 */
final class DirtyReadHorizon implements Horizon {
  /** So many rows a mark moves ahead at most, which bounds what each check reads. */
  private static final int WINDOW_ROWS = 10_000;

  /** So many positions are looked at; more make the answer incomplete, and the caller asks less. */
  private static final int POSITIONS_MAX = 50_000;

  private static final Snapshot NO_SNAPSHOT = new Snapshot("none");

  private final Session committed;
  private final Session dirty;
  private final DirtyReads dialect;
  private final MessageRows rows;
  private final TimeSource time;
  private final Duration lag;
  private final AtomicLong settledUpTo = new AtomicLong();
  private final AtomicLong lastSeen = new AtomicLong();

  DirtyReadHorizon(
      StoreSessions sessions, DirtyReads dialect, MessageRows rows, TimeSource time, Duration lag) {
    this.committed = sessions.read();
    this.dirty = sessions.dirtyRead();
    this.dialect = dialect;
    this.rows = rows;
    this.time = time;
    this.lag = lag;
  }

  @Override
  public LateRows readLate(
      List<Span> spans, @Nullable Snapshot since, ReadLimit limit, Predicate<Position> known) {
    List<Span> ascending = BoundedRead.ascending(spans);
    List<Position> wanted = new ArrayList<>();
    Position leftOut = null;
    int seen = 0;
    for (Position position : positions(ascending)) {
      boolean unknown = !known.test(position);
      if (++seen > POSITIONS_MAX || (unknown && wanted.size() == limit.rows())) {
        leftOut = position;
        break;
      }
      if (unknown) {
        wanted.add(position);
      }
    }
    return rowsAt(wanted, ascending, leftOut, limit);
  }

  private List<Position> positions(List<Span> spans) {
    if (spans.isEmpty()) { // asked for the snapshot alone
      return List.of();
    }
    Sql sql = dialect.positions(spans, POSITIONS_MAX + 1);
    List<Position> found =
        committed.call(
            "looking for late rows",
            connection ->
                sql.query(connection, row -> new Position(row.getInt(1), row.getLong(2))));
    found.sort(Comparator.naturalOrder());
    return found;
  }

  private LateRows rowsAt(
      List<Position> positions, List<Span> spans, @Nullable Position leftOut, ReadLimit limit) {
    BoundedRead read = new BoundedRead(rows, limit, limit.rows());
    Sql sql = dialect.readAt(positions, read.inline());
    return committed.call(
        "reading late rows",
        connection -> {
          if (!positions.isEmpty()) {
            sql.forEach(connection, read::add);
          }
          return read.lateRows(
              spans, leftOut, NO_SNAPSHOT, at -> dialect.readAt(at, Integer.MAX_VALUE), connection);
        });
  }

  @Override
  public Mark mark() {
    long last =
        committed.call(
            "taking a mark",
            connection -> dialect.lastSequence().query(connection, row -> row.getLong(1)).get(0));
    List<Long> window = ids(dirty, settledUpTo.get(), last, WINDOW_ROWS + 1);
    long markedUpTo = window.size() <= WINDOW_ROWS ? last : window.get(WINDOW_ROWS - 1);
    return new Mark(markedUpTo, Long.toString(time.nanoTime()));
  }

  @Override
  public boolean settled(Mark mark) {
    if (mark.lastSequence() <= settledUpTo.get()) {
      return true;
    }
    long age = time.nanoTime() - Long.parseLong(mark.barrier());
    if (age < lag.toNanos()) {
      return false;
    }
    boolean nothingOpen = openRows(mark.lastSequence()).isEmpty();
    if (nothingOpen) {
      settledUpTo.accumulateAndGet(mark.lastSequence(), Math::max);
    }
    return nothingOpen;
  }

  @Override
  public void saw(long lastSequence) {
    if (lastSequence < lastSeen.getAndSet(lastSequence)) {
      settledUpTo.set(0);
    }
  }

  // Dirty first: a row that commits in between is then in both.
  private Set<Long> openRows(long upTo) {
    long after = settledUpTo.get();
    Set<Long> open = new HashSet<>(ids(dirty, after, upTo, Integer.MAX_VALUE));
    if (!open.isEmpty()) {
      ids(committed, after, upTo, Integer.MAX_VALUE).forEach(open::remove);
    }
    return open;
  }

  private List<Long> ids(Session session, long after, long upTo, int limit) {
    Sql sql = dialect.ids(after, upTo, limit);
    return new ArrayList<>(
        session.call(
            "reading sequences", connection -> sql.query(connection, row -> row.getLong(1))));
  }
}
