package io.angarium.jdbc;

import io.angarium.jdbc.internal.half.DeskDialect;
import io.angarium.jdbc.internal.session.OpenDatabase;
import io.angarium.jdbc.internal.session.Session;
import io.angarium.jdbc.internal.sql.SessionRole;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Counts the half messages of each business that are not decided. The first count reads the primary
 * key once; each later one reads the list of checks and what was prepared in the last minute or
 * two, whatever the table holds. It relies on the check-back to list what stays undecided. Not
 * thread-safe: one thread at a time.
 */
public final class JdbcUndecided {
  /** No transaction that prepares is open for so long. */
  private static final Duration AGE = Duration.ofMinutes(1);

  private static final int PAGE = 1_000;

  private final OpenDatabase database;
  private final DeskDialect dialect;
  private long settled;

  private record Row(long number, boolean settled) {}

  JdbcUndecided(OpenDatabase database) {
    this.database = database;
    this.dialect = new DeskDialect(database.dialect());
  }

  /**
   * Counts now. Blocks; the statements commit each by itself, so that what is decided or listed
   * meanwhile may be counted still, or twice.
   *
   * @return by business id; without those that have none
   * @throws io.angarium.StoreException if the database cannot be reached or refuses
   */
  public Map<String, Long> count() {
    Map<String, Long> counts = new HashMap<>();
    try (Session session = database.session(SessionRole.WRITE)) {
      while (session.call("looking for undecided half messages", this::settle)) {
        // a page at a time
      }
      session.call("counting undecided half messages", connection -> count(connection, counts));
    }
    return counts;
  }

  /** True if there may be more. */
  private boolean settle(Connection connection) throws SQLException {
    // begins with the last one that was settled: if it is not any more, the table is an earlier one
    List<Row> page =
        dialect
            .settled(AGE, settled - 1, PAGE)
            .query(connection, row -> new Row(row.getLong(1), row.getInt(2) == 1));
    if (settled > 0 && !page.contains(new Row(settled, true))) {
      settled = 0;
      return true;
    }
    for (Row row : page) {
      if (!row.settled()) {
        return false;
      }
      settled = row.number();
    }
    return page.size() == PAGE;
  }

  private int count(Connection connection, Map<String, Long> counts) throws SQLException {
    dialect
        .openYoung(settled)
        .forEach(connection, row -> counts.merge(row.getString(1), row.getLong(2), Long::sum));
    dialect
        .openListed()
        .forEach(connection, row -> counts.merge(row.getString(1), row.getLong(2), Long::sum));
    return counts.size();
  }
}
