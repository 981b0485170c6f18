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

  /** What is wrong with the connections that the inbox is given; empty if nothing is. */
  default List<String> connectionFaults(Connection connection) throws SQLException {
    return List.of();
  }

  /** Reads nothing, and fails if a table or a column is missing. */
  Sql probe();

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

  /** Tells at the end of the work whether the transaction still is the one that began it. */
  @FunctionalInterface
  interface Watch {
    /**
     * Ends it.
     *
     * @throws SQLException if it is another one, or this cannot be told
     */
    void end() throws SQLException;
  }

  /**
   * Begins to watch a transaction: some databases end one by themselves, as the victim of a
   * deadlock, and work which swallows the error goes on in another.
   */
  Watch watch(Connection connection) throws SQLException;

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
