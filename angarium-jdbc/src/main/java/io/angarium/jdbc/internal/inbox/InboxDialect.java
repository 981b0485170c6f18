package io.angarium.jdbc.internal.inbox;

import io.angarium.inbox.InboxKey;
import io.angarium.jdbc.internal.dialect.Dialect;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.jdbc.internal.sql.TableNames;
import io.angarium.jdbc.internal.sql.TransactionWatch;
import io.angarium.jdbc.settings.SchemaFeature;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Every statement of the inbox on one database, as whole text blocks. Thread-safe. */
public sealed interface InboxDialect
    permits PostgresInboxDialect, MySqlFamilyInboxDialect, H2InboxDialect {
  /** The inbox on the server that a dialect is for. */
  static InboxDialect on(Dialect server, TableNames names, InboxWait wait) {
    return switch (server.database()) {
      case "PostgreSQL" -> new PostgresInboxDialect(server, names, wait);
      case "MySQL" -> new MySqlInboxDialect(server, names, wait);
      case "MariaDB" -> new MariaDbInboxDialect(server, names, wait);
      default -> new H2InboxDialect(server, names, wait);
    };
  }

  /** What the outbox knows of this server. */
  Dialect server();

  /** The names of the tables. */
  TableNames names();

  /** Columns of the tables that the first script creates, by what follows the prefix there. */
  default Map<String, Set<String>> columns() {
    Set<String> note = Set.of("consumer", "message_id");
    return Map.of("", note, "_previous", note, "_schema", Set.of("one", "version", "rotated_at"));
  }

  /** What follows the prefix in the names of those tables, in the order of the script. */
  default List<String> tables() {
    return columns().keySet().stream().sorted().toList();
  }

  /** The recorded version, one row at most; the same text on every database. */
  default Sql featureVersion() {
    return Sql.of(
        names()
            .in(
                """
                SELECT version, works_from
                FROM inbox_feature
                WHERE feature = ?
                """),
        SchemaFeature.INBOX.name());
  }

  /** The number that Angarium 0.1 counts, one row at most; the same text on every database. */
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
   * Whether a note was written: no driver's way to say that it does not know passes for a repeat,
   * whose message would be acknowledged without its work.
   *
   * @param rows as the driver says
   * @throws SQLException if that is neither 0 nor 1
   */
  static boolean isNoted(int rows) throws SQLException {
    if (rows != 0 && rows != 1) {
      throw new SQLException(
          "The driver says that " + rows + " rows were noted (expected: 0 or 1)");
    }
    return rows == 1;
  }

  /**
   * Claims several keys like {@link #claim}.
   *
   * @param keys without repeats, in the order of the index, so that two callers do not deadlock
   * @return the keys that were not there, whose work may begin
   */
  Claim claimAll(Connection connection, List<InboxKey> keys) throws SQLException;

  /**
   * What was noted for several messages.
   *
   * @param fresh those that were not there
   * @param watch begun; ends with the work
   */
  record Claim(Set<InboxKey> fresh, TransactionWatch watch) {}

  /**
   * Notes a key and runs a statement for it in one go, as {@link #claim} and the statement would
   * one after the other; only if {@link #folds}.
   *
   * @param work a text of {@link #statements}
   * @return how many rows it changed; empty if the key is there
   */
  default OptionalLong update(
      Connection connection, InboxKey key, String work, @Nullable Object... parameters)
      throws SQLException {
    throw new UnsupportedOperationException("This database does not fold statements");
  }

  /** Where a note and its work are two. */
  InboxStatements UNFOLDED = new InboxStatements(work -> work.where("TRUE"));

  /** The form in which statements are run that are all the work. */
  default InboxStatements statements() {
    return UNFOLDED;
  }

  /** True if a note and its work can be one statement. */
  default boolean folds() {
    return false;
  }

  /**
   * Begins to watch a transaction: some databases end one by themselves, as the victim of a
   * deadlock, and work which swallows the error goes on in another.
   */
  TransactionWatch watch(Connection connection) throws SQLException;

  /**
   * Watches a transaction like {@link #watch}, on a connection that is used only through the watch.
   */
  default TransactionWatch watchAlone(Connection connection) throws SQLException {
    return watch(connection);
  }

  /** True if another delivery of the same message was to blame. */
  default boolean isBusy(SQLException e) {
    return server().sessions().isLockTimeout(e);
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

  /**
   * What the user of a connection may not do that {@link #rotate} does, and what to grant; null if
   * nothing is known to be missing. Changes nothing, and waits for nobody.
   *
   * @param connection in auto-commit mode, left so
   */
  default @Nullable String rotationFault(Connection connection) throws SQLException {
    return null;
  }
}
