package io.angarium.jdbc.internal.dialect.postgres;

import io.angarium.jdbc.internal.sql.AutoCommit;
import io.angarium.jdbc.internal.sql.PostgresDriver;
import io.angarium.jdbc.internal.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Finds out whether a pooler between us and PostgreSQL gives each transaction another session of
 * the server. What a session is set to would reach other applications there, and be missing here.
 */
final class PooledPostgresDialect {
  /** What is set arrives in milliseconds; a server under load may take longer. */
  private static final Duration NOTIFICATION_MAX = Duration.ofSeconds(5);

  private static final String FAULT =
      "pooling: transactions or statements (expected: sessions, as what the relay sets for its"
          + " sessions would reach other applications); connect the relay to PostgreSQL itself"
          + " (angarium.jdbc.relay-data-source; in Java: JdbcDatabase.relayingFrom), or to a pool"
          + " with pool_mode=session";

  private static final String PROCESS = "SELECT pg_backend_pid()";
  private static final String LISTEN = "LISTEN angarium_session";
  private static final String UNLISTEN = "UNLISTEN angarium_session";
  private static final String NOTIFY = "SELECT pg_notify('angarium_session', ?)";

  private PooledPostgresDialect() {}

  /**
   * A pooler gives its clients numbers of its own instead of the numbers of the server's processes.
   * Behind one, only a client that keeps its session hears a notification while it does nothing.
   *
   * @param held in auto-commit mode
   * @param others another connection is taken from here, if there is a pooler
   * @return null if the session is kept
   */
  static @Nullable String fault(Connection held, DataSource others) throws SQLException {
    int client = PostgresDriver.process(held);
    int server = process(held);
    if (client == PostgresDriver.UNKNOWN || client == server) {
      return null;
    }
    Sql.of(LISTEN).run(held);
    try {
      return hears(held, server, client + " " + server, others) ? null : FAULT;
    } finally {
      Sql.of(UNLISTEN).run(held);
    }
  }

  private static boolean hears(Connection held, int server, String word, DataSource others)
      throws SQLException {
    try (AutoCommit other = AutoCommit.begin(others)) {
      if (process(other.connection()) == server) {
        return false; // two clients in one session
      }
      Sql.of(NOTIFY, word).run(other.connection());
    }
    return PostgresDriver.hears(
        held, word, TimeUnit.SECONDS.toMillis(NOTIFICATION_MAX.toSeconds()));
  }

  private static int process(Connection connection) throws SQLException {
    return Sql.of(PROCESS).query(connection, row -> row.getInt(1)).get(0);
  }
}
