package io.angarium.jdbc;

import io.angarium.store.LateRows;
import io.angarium.store.Mark;
import io.angarium.store.Position;
import io.angarium.store.ReadLimit;
import io.angarium.store.Snapshot;
import io.angarium.store.Span;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The horizon of a database that shows its snapshots and transaction numbers. */
final class SnapshotHorizon implements Horizon {
  private static final int SNAPSHOT_COLUMN = 15;

  private final Session session;
  private final PostgresDialect dialect;
  private final MessageRows rows;
  private final EarlierMarks marks = new EarlierMarks();

  SnapshotHorizon(Session session, PostgresDialect dialect, MessageRows rows) {
    this.session = session;
    this.dialect = dialect;
    this.rows = rows;
  }

  @Override
  public LateRows readLate(
      List<Span> spans, @Nullable Snapshot since, ReadLimit limit, Predicate<Position> known) {
    if (since == null || !EarlierMarks.areLong(spans)) {
      return readLate(spans, since, null, limit, known);
    }
    RunningTransactions old = RunningTransactions.of(since.value());
    if (!old.holdsOldOne(EarlierMarks.OLD)) {
      return readLate(spans, since, null, limit, known);
    }
    if (marks.wantOne(old)) {
      marks.add(mark());
    }
    // Taken before the rows are read: what ends in between is late for the next look.
    String now =
        session.call(
            "taking a snapshot",
            connection -> dialect.snapshot().query(connection, row -> row.getString(1)).get(0));
    List<Span> narrowed = marks.narrowed(spans, old, RunningTransactions.of(now));
    return readLate(narrowed, since, now, limit, known);
  }

  /**
   * @param now the snapshot of this look; null for that of the statement
   */
  private LateRows readLate(
      List<Span> spans,
      @Nullable Snapshot since,
      @Nullable String now,
      ReadLimit limit,
      Predicate<Position> known) {
    List<Span> ascending = BoundedRead.ascending(spans);
    BoundedRead read = new BoundedRead(rows, limit, limit.rows());
    // one more than asked for tells whether the limit cut
    Sql sql =
        dialect.readLate(
            ascending, since == null ? null : since.value(), limit.rows() + 1, read.inline());
    return session.call(
        "reading late rows",
        connection -> {
          Look look = new Look(read, limit.rows(), known);
          sql.forEach(connection, look::see);
          return read.lateRows(
              ascending,
              BoundedRead.from(look.leftOut, ascending),
              new Snapshot(now == null ? look.snapshot : now),
              at -> dialect.readAt(at, Integer.MAX_VALUE),
              connection);
        });
  }

  /** What one statement shows. */
  private static final class Look {
    private final BoundedRead read;
    private final int limit;
    private final Predicate<Position> known;
    private int seen;
    private String snapshot = "";
    private @Nullable Position leftOut;

    Look(BoundedRead read, int limit, Predicate<Position> known) {
      this.read = read;
      this.limit = limit;
      this.known = known;
    }

    void see(ResultSet row) throws SQLException {
      snapshot = row.getString(SNAPSHOT_COLUMN);
      Position position = new Position(row.getInt(1), row.getLong(2));
      if (row.wasNull()) {
        return;
      }
      if (++seen > limit) {
        leftOut = position;
      } else if (!known.test(position)) {
        read.add(row);
      }
    }
  }

  @Override
  public void forget() {
    marks.forget();
  }

  @Override
  public void saw(long lastSequence) {
    marks.saw(lastSequence);
  }

  @Override
  public Mark mark() {
    return session.call("taking a mark", connection -> mark(connection, dialect));
  }

  // Two statements, the sequence first: see PostgresDialect.barrier.
  static Mark mark(Connection connection, PostgresDialect dialect) throws SQLException {
    long last = LastSequence.ask(dialect, connection);
    String barrier = dialect.barrier().query(connection, row -> row.getString(1)).get(0);
    return new Mark(last, barrier);
  }

  @Override
  public boolean settled(Mark mark) {
    return session.call("checking a mark", connection -> settled(connection, dialect, mark));
  }

  static boolean settled(Connection connection, PostgresDialect dialect, Mark mark)
      throws SQLException {
    Sql sql = dialect.settled(mark.barrier());
    return sql.query(connection, row -> row.getBoolean(1)).get(0);
  }
}
