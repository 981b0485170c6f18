package io.angarium.jdbc;

import io.angarium.testservers.DatabaseServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * What a server itself counted until now.
 *
 * @param statements of every kind, except that PostgreSQL counts those of one database only
 */
record ServerCounters(long statements, long inserts, long commits) {
  /** Asks a server; the question itself counts as one statement on MySQL and MariaDB. */
  interface Source {
    ServerCounters read();
  }

  static Source of(DatabaseServer server, TestDatabase database) {
    if (server.server() != Server.POSTGRESQL) {
      return () -> mySql(new ConnectionSource(database::connect));
    }
    // asked from another database, so that the questions are not counted
    DataSource asking = new ConnectionSource(server.freshDatabase()::connect);
    EmptyDatabase.execute(asking, "CREATE EXTENSION pg_stat_statements");
    return () -> postgres(asking, database.name());
  }

  private static ServerCounters mySql(DataSource database) {
    return new ServerCounters(
        status(database, "Questions"),
        status(database, "Com_insert"),
        status(database, "Com_commit"));
  }

  private static long status(DataSource database, String name) {
    Sql show = Sql.of("SHOW GLOBAL STATUS LIKE '" + name + "'");
    try (Connection connection = database.getConnection()) {
      return show.query(connection, row -> row.getLong(2)).get(0);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static ServerCounters postgres(DataSource asking, String database) {
    return new ServerCounters(
        calls(asking, database, "%"),
        calls(asking, database, "INSERT INTO outbox (%"),
        calls(asking, database, "COMMIT%"));
  }

  private static long calls(DataSource asking, String database, String pattern) {
    return EmptyDatabase.number(
        asking,
        """
        SELECT coalesce(sum(s.calls), 0)
        FROM pg_stat_statements AS s
        JOIN pg_database AS d ON d.oid = s.dbid
        WHERE d.datname = '%s' AND s.query LIKE '%s'
        """
            .formatted(database, pattern));
  }

  ServerCounters since(ServerCounters before) {
    return new ServerCounters(
        statements - before.statements, inserts - before.inserts, commits - before.commits);
  }
}
