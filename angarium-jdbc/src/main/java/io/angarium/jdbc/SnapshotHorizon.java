package io.angarium.jdbc;

import io.angarium.store.LateRows;
import io.angarium.store.Mark;
import io.angarium.store.Position;
import io.angarium.store.Snapshot;
import io.angarium.store.Span;
import io.angarium.store.StoredMessage;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The horizon of a database that shows its snapshots and transaction numbers. */
final class SnapshotHorizon implements Horizon {
  private static final int SNAPSHOT_COLUMN = 14;

  private final Session session;
  private final PostgresDialect dialect;
  private final MessageRows rows;

  SnapshotHorizon(Session session, PostgresDialect dialect, MessageRows rows) {
    this.session = session;
    this.dialect = dialect;
    this.rows = rows;
  }

  @Override
  public LateRows readLate(
      List<Span> spans, @Nullable Snapshot since, int limit, Predicate<Position> known) {
    // one more than asked for tells whether the limit cut
    Sql sql = dialect.readLate(spans, since == null ? null : since.value(), limit + 1);
    return session.call(
        "reading late rows",
        connection -> {
          try (PreparedStatement statement = sql.prepare(connection);
              ResultSet result = statement.executeQuery()) {
            return lateRows(result, limit);
          }
        });
  }

  private LateRows lateRows(ResultSet result, int limit) throws SQLException {
    List<StoredMessage> late = new ArrayList<>();
    String snapshot = "";
    while (result.next()) {
      snapshot = result.getString(SNAPSHOT_COLUMN);
      result.getLong(1);
      if (!result.wasNull()) {
        late.add(rows.message(result));
      }
    }
    boolean complete = late.size() <= limit;
    List<StoredMessage> returned = complete ? late : late.subList(0, limit);
    return new LateRows(List.copyOf(returned), new Snapshot(snapshot), complete);
  }

  // Two statements, the sequence first: see PostgresDialect.barrier.
  @Override
  public Mark mark() {
    return session.call(
        "taking a mark",
        connection -> {
          long last = dialect.lastSequence().query(connection, row -> row.getLong(1)).get(0);
          String barrier = dialect.barrier().query(connection, row -> row.getString(1)).get(0);
          return new Mark(last, barrier);
        });
  }

  @Override
  public boolean settled(Mark mark) {
    Sql sql = dialect.settled(mark.barrier());
    return session.call(
        "checking a mark", connection -> sql.query(connection, row -> row.getBoolean(1)).get(0));
  }
}
