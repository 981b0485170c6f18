package io.angarium.benchmarks.harness;

import io.angarium.benchmarks.arm.DatabaseKind;
import io.angarium.testservers.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** The log of changes that a database writes, and how to have it and the rest written out. */
enum DatabaseLog {
  POSTGRESQL("SELECT pg_current_wal_lsn() - '0/0'", 1, "VACUUM", "CHECKPOINT"),
  MARIADB("SHOW GLOBAL STATUS LIKE 'Innodb_os_log_written'", 2, "FLUSH TABLES");

  private final String position;
  private final int column;
  private final String[] settle;

  DatabaseLog(String position, int column, String... settle) {
    this.position = position;
    this.column = column;
    this.settle = settle;
  }

  static DatabaseLog of(DatabaseKind database) {
    return valueOf(database.name());
  }

  /** Bytes written to it so far. */
  long bytes(TestDatabase database) throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(position)) {
      row.next();
      return row.getLong(column);
    }
  }

  void settle(TestDatabase database) throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      for (String sql : settle) {
        statement.execute(sql);
      }
    }
  }
}
