package io.angarium.benchmarks.harness;

import io.angarium.benchmarks.arm.DatabaseKind;
import io.angarium.testservers.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** What the harness itself asks of a database. */
enum Upkeep {
  POSTGRESQL(
      "SELECT pg_current_wal_lsn() - '0/0'",
      1,
      "DROP DATABASE %s WITH (FORCE)",
      "VACUUM",
      "CHECKPOINT"),
  MARIADB("SHOW GLOBAL STATUS LIKE 'Innodb_os_log_written'", 2, "DROP DATABASE %s", "FLUSH TABLES");

  private final String logPosition;
  private final int column;
  private final String drop;
  private final String settle;

  Upkeep(String logPosition, int column, String drop, String... settle) {
    this.logPosition = logPosition;
    this.column = column;
    this.drop = drop;
    this.settle = String.join(";", settle);
  }

  static Upkeep of(DatabaseKind database) {
    return valueOf(database.name());
  }

  /** Bytes the server has written to its log of changes (WAL, redo) so far. */
  long logBytes(TestDatabase database) throws SQLException {
    return number(database, logPosition, column);
  }

  /** Has written out what earlier work left, so that it is not counted in what follows. */
  void settle(TestDatabase database) throws SQLException {
    for (String sql : settle.split(";", -1)) {
      execute(database, sql);
    }
  }

  /** Deletes a database, asked from another one. */
  void drop(TestDatabase asked, TestDatabase database) throws SQLException {
    execute(asked, String.format(drop, database.name()));
  }

  static void execute(TestDatabase database, String sql) throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  static long number(TestDatabase database, String query, int column) throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      row.next();
      return row.getLong(column);
    }
  }
}
