package io.angarium.jdbc.internal.dialect;

import io.angarium.jdbc.internal.sql.SessionRole;
import io.angarium.jdbc.internal.sql.TransactionWatch;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** What a session and its transactions need, and what their errors mean. Thread-safe. */
public interface SessionSql {
  /** The settings that a session has for a role, by name; text as the database shows it. */
  Map<String, String> sessionSettings(SessionRole role);

  /**
   * Changes settings of a session, in one or two round trips.
   *
   * @return what they were before, for {@link #putBack}
   */
  Map<String, @Nullable String> change(Connection connection, Map<String, String> settings)
      throws SQLException;

  /**
   * What is wrong about the way to the server if it does not lead to one session for good; null if
   * nothing is.
   *
   * @param held in auto-commit mode
   * @param others where another connection can be taken
   */
  default @Nullable String sessionFault(Connection held, DataSource others) throws SQLException {
    return null;
  }

  /** Puts settings back to what they were before {@link #change}, in one round trip. */
  void putBack(Connection connection, Map<String, @Nullable String> before) throws SQLException;

  /** SQLState of writes that are refused because the transaction or the server is read-only. */
  String READ_ONLY = "25006";

  /** True if a statement was refused because the server takes no writes. */
  default boolean isReadOnly(SQLException e) {
    return READ_ONLY.equals(e.getSQLState());
  }

  /** True if a statement gave up waiting for another transaction, or was ended in its favour. */
  boolean isLockTimeout(SQLException e);

  /**
   * Begins to watch a transaction before its first statement. Its work must use the connection that
   * the watch gives out. A database may end the transaction early, or answer the commit by a
   * rollback; work that swallows the error would go on.
   */
  default TransactionWatch watch(Connection connection) throws SQLException {
    return watch(connection, false);
  }

  /**
   * Watches a transaction like {@link #watch(Connection)}.
   *
   * @param open whether the transaction may have run a statement
   */
  TransactionWatch watch(Connection connection, boolean open) throws SQLException;

  /** True if a statement was ended in favour of another transaction: it need not wait. */
  boolean isDeadlock(SQLException e);
}
