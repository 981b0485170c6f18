package io.angarium.jdbc.internal.read;

import io.angarium.intake.Position;
import io.angarium.jdbc.internal.dialect.MessageRows;
import io.angarium.jdbc.internal.dialect.postgres.PostgresMarks;
import io.angarium.jdbc.internal.dialect.postgres.PostgresOutboxSql;
import io.angarium.jdbc.internal.session.Session;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.store.LateRows;
import io.angarium.store.ReadLimit;
import io.angarium.store.SequenceMark;
import io.angarium.store.SequenceRange;
import io.angarium.store.Snapshot;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The horizon of a database that shows its snapshots and transaction numbers. */
final class SnapshotHorizon implements Horizon {
  private static final int SNAPSHOT_COLUMN = 15;

  private final Session session;
  private final PostgresOutboxSql outbox;
  private final MessageRows rows;
  private final EarlierMarks marks = new EarlierMarks();

  SnapshotHorizon(Session session, PostgresOutboxSql outbox, MessageRows rows) {
    this.session = session;
    this.outbox = outbox;
    this.rows = rows;
  }

  @Override
  public LateRows readLate(
      List<SequenceRange> spans,
      @Nullable Snapshot since,
      ReadLimit limit,
      Predicate<Position> known) {
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
            connection -> outbox.snapshot().query(connection, row -> row.getString(1)).get(0));
    List<SequenceRange> narrowed = marks.narrowed(spans, old, RunningTransactions.of(now));
    return readLate(narrowed, since, now, limit, known);
  }

  /**
   * @param now the snapshot of this look; null for that of the statement
   */
  private LateRows readLate(
      List<SequenceRange> spans,
      @Nullable Snapshot since,
      @Nullable String now,
      ReadLimit limit,
      Predicate<Position> known) {
    List<SequenceRange> ascending = BoundedRead.ascending(spans);
    BoundedRead read = new BoundedRead(rows, limit, limit.rows());
    // one more than asked for tells whether the limit cut
    Sql sql =
        outbox.readLate(
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
              at -> outbox.readAt(at, Integer.MAX_VALUE),
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
  public SequenceMark mark() {
    return session.call("taking a mark", connection -> PostgresMarks.take(connection, outbox));
  }

  @Override
  public boolean settled(SequenceMark mark) {
    return session.call(
        "checking a mark", connection -> PostgresMarks.settled(connection, outbox, mark));
  }
}
