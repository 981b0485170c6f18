package io.angarium.testservers;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * What a database server itself counts. PostgreSQL counts only if it was started with {@code
 * shared_preload_libraries} set to {@code pg_stat_statements}. Thread-safe.
 */
public final class ServerCounters {
  private final TestDatabase asking;

  /**
   * Counted until now, or between two such times. Immutable.
   *
   * @param statements of every kind
   * @param logBytes written to the log of the whole server
   */
  public record Counts(long statements, long inserts, long commits, long logBytes) {
    /** What came after an earlier count. */
    public Counts since(Counts before) {
      return new Counts(
          statements - before.statements,
          inserts - before.inserts,
          commits - before.commits,
          logBytes - before.logBytes);
    }
  }

  private ServerCounters(TestDatabase asking) {
    this.asking = asking;
  }

  /** The counters of a server, asked from a database of their own. */
  public static ServerCounters of(DatabaseServer server) throws SQLException {
    TestDatabase asking = server.freshDatabase();
    if (server.server() == Server.POSTGRESQL) {
      asking.execute("CREATE EXTENSION pg_stat_statements");
    }
    return new ServerCounters(asking);
  }

  /**
   * What PostgreSQL counted for a database, and MySQL and MariaDB for the whole server, where the
   * question itself and its connection count as a few statements.
   */
  public Counts read(TestDatabase database) throws SQLException {
    try (Connection connection = asking.connect();
        Statement statement = connection.createStatement()) {
      return asking.server() == Server.POSTGRESQL
          ? postgres(statement, database.name())
          : mySql(statement);
    }
  }

  private static Counts postgres(Statement statement, String database) throws SQLException {
    String sql =
        """
        SELECT coalesce(sum(s.calls), 0),
          coalesce(sum(s.calls) FILTER (WHERE s.query LIKE 'INSERT %%'), 0),
          coalesce(sum(s.calls) FILTER (WHERE s.query LIKE 'COMMIT%%'), 0),
          pg_current_wal_insert_lsn() - '0/0'
        FROM pg_stat_statements AS s
        JOIN pg_database AS d ON d.oid = s.dbid
        WHERE d.datname = '%s'
        """;
    try (ResultSet row = statement.executeQuery(sql.formatted(database))) {
      row.next();
      return new Counts(row.getLong(1), row.getLong(2), row.getLong(3), row.getLong(4));
    }
  }

  private Counts mySql(Statement statement) throws SQLException {
    return new Counts(
        status(statement, "Questions"),
        status(statement, "Com_insert"),
        status(statement, "Com_commit"),
        status(statement, logPosition()));
  }

  private String logPosition() {
    return asking.server() == Server.MARIADB ? "Innodb_lsn_current" : "Innodb_redo_log_current_lsn";
  }

  /** 0 for what the server does not know. */
  private static long status(Statement statement, String name) throws SQLException {
    try (ResultSet row = statement.executeQuery("SHOW GLOBAL STATUS LIKE '" + name + "'")) {
      return row.next() ? row.getLong(2) : 0;
    }
  }
}
