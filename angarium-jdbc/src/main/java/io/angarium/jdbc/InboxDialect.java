package io.angarium.jdbc;

import io.angarium.inbox.InboxKey;
import io.angarium.jdbc.InboxConfig.WhenBusy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Every statement of the inbox on one database, as whole text blocks. Thread-safe. */
sealed interface InboxDialect
    permits PostgresInboxDialect, MySqlFamilyInboxDialect, H2InboxDialect {
  /** The inbox on the server that a dialect is for. */
  static InboxDialect on(Dialect server, TableNames names, WhenBusy whenBusy) {
    return switch (server.database()) {
      case "PostgreSQL" -> new PostgresInboxDialect(server, names, whenBusy);
      case "MySQL" -> new MySqlInboxDialect(server, names, whenBusy);
      case "MariaDB" -> new MariaDbInboxDialect(server, names, whenBusy);
      default -> new H2InboxDialect(server, names, whenBusy);
    };
  }

  /** What the outbox knows of this server. */
  Dialect server();

  /** The names of the tables. */
  TableNames names();

  /** The version of the tables, one row; the same text on every database. */
  default Sql schemaVersion() {
    return Sql.of(names().in("SELECT version FROM inbox_schema"));
  }

  /** Reads nothing, and fails if a table or a column is missing. */
  List<Sql> probes();

  /**
   * Notes a key, unless it is there; waits for a transaction that is open and has noted it.
   *
   * @return false if it is there
   */
  boolean claim(Connection connection, InboxKey key) throws SQLException;

  /**
   * As {@link #claim}, for several.
   *
   * @param keys without repeats, in their order, so that two callers do not deadlock
   * @return those that were not there
   */
  Set<InboxKey> claimAll(Connection connection, List<InboxKey> keys) throws SQLException;

  /** One row if a key is noted since the last rotation, seen from its own transaction. */
  Sql find(InboxKey key);

  /**
   * True if the database ends a transaction by itself, as the victim of a deadlock, so that work
   * which swallows the error goes on in another transaction.
   */
  boolean endsTransactions();

  /** True if another delivery of the same message was to blame. */
  default boolean isBusy(SQLException e) {
    return server().isLockTimeout(e);
  }

  /** What an error means that the database cannot tell well; null if it can. */
  default @Nullable String meaning(SQLException e) {
    return null;
  }

  /**
   * Forgets what was noted two periods ago, if a period is over; gives up after a second if open
   * transactions are in the way.
   *
   * @param connection in auto-commit mode, left so
   * @return false if it is not time yet, or another node does it
   */
  boolean rotate(Connection connection, Duration period) throws SQLException;
}
