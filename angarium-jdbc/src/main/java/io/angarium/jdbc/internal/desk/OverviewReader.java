package io.angarium.jdbc.internal.desk;

import io.angarium.desk.BoundedCount;
import io.angarium.desk.Overview;
import io.angarium.desk.Stage;
import io.angarium.jdbc.internal.desk.ViewDialect.Counted;
import io.angarium.jdbc.internal.desk.stage.InstalledTables;
import io.angarium.jdbc.internal.dialect.Dialect;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Counts what is there, in one statement, each count up to a limit. Thread-safe. */
final class OverviewReader {
  private final Dialect server;
  private final ViewDialect dialect;
  private final InstalledTables tables;
  private final boolean history;

  OverviewReader(Dialect server, InstalledTables tables, boolean history) {
    this.server = server;
    this.dialect = new ViewDialect(server);
    this.tables = tables;
    this.history = history;
  }

  Overview read(Connection connection, int countMax) throws SQLException {
    Counted counted =
        new Counted(
            tables.has(Stage.UNCONFIRMED),
            tables.has(Stage.DISCARDED),
            history,
            tables.ordersDead(connection),
            countMax);
    return dialect
        .overview(counted)
        .query(connection, row -> overview(new Row(row, countMax)))
        .get(0);
  }

  private Overview overview(Row row) throws SQLException {
    return new Overview(
        server.instant(row.set(), 1),
        row.count(2),
        instant(row.set(), 3),
        row.count(4),
        instant(row.set(), 5),
        row.count(6),
        row.count(7),
        row.held(8, 9),
        BoundedCount.upTo(Overview.STUCK_MAX, row.set().getLong(10)),
        row.count(11),
        row.count(12),
        row.count(13),
        instant(row.set(), 14),
        row.count(15),
        row.count(16),
        history ? row.count(17) : null,
        history);
  }

  /** The row that was read, and where its counts end. */
  private record Row(ResultSet set, int countMax) {
    BoundedCount count(int column) throws SQLException {
      return BoundedCount.upTo(countMax, set.getLong(column));
    }

    /** There may be more if not all parked rows were looked at. */
    BoundedCount held(int column, int parked) throws SQLException {
      long held = set.getLong(column);
      return set.getLong(parked) < ViewDialect.parkedMax(countMax)
          ? BoundedCount.upTo(countMax, held)
          : new BoundedCount(Math.min(held, countMax), true);
    }
  }

  private @Nullable Instant instant(ResultSet row, int column) throws SQLException {
    return row.getObject(column) == null ? null : server.instant(row, column);
  }
}
