package io.angarium.jdbc.internal.dialect.h2;

import io.angarium.jdbc.internal.dialect.SessionSql;
import io.angarium.jdbc.internal.sql.ObservedTransaction;
import io.angarium.jdbc.internal.sql.SessionRole;
import io.angarium.jdbc.internal.sql.TransactionWatch;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Session settings, transactions and errors on H2. */
public final class H2SessionSql implements SessionSql {
  private static final String LOCK_TIMEOUT = "HYT00";
  private static final String DEADLOCK = "40001";

  @Override
  public Map<String, String> sessionSettings(SessionRole role) {
    return Map.of();
  }

  @Override
  public Map<String, @Nullable String> change(Connection connection, Map<String, String> settings) {
    return Map.of();
  }

  @Override
  public void putBack(Connection connection, Map<String, @Nullable String> before) {
    // nothing was changed
  }

  @Override
  public boolean isLockTimeout(SQLException e) {
    return LOCK_TIMEOUT.equals(e.getSQLState()) || isDeadlock(e);
  }

  @Override
  public boolean isDeadlock(SQLException e) {
    return DEADLOCK.equals(e.getSQLState());
  }

  /** How the SQLStates begin of errors after which H2 has rolled back. */
  private static final String ROLLED_BACK = "40";

  @Override
  public TransactionWatch watch(Connection connection, boolean open) {
    return new ObservedTransaction(
        connection,
        open,
        (c, failure) -> String.valueOf(failure.getSQLState()).startsWith(ROLLED_BACK),
        H2SessionSql::marked);
  }

  private static final String TRANSACTION = "CALL TRANSACTION_ID()";

  /** Tells a transaction from the next by its number; null as long as it has written nothing. */
  public static @Nullable TransactionWatch marked(Connection connection) throws SQLException {
    String begun = transaction(connection);
    return begun == null
        ? null
        : () -> {
          if (!begun.equals(transaction(connection))) {
            throw new SQLException(
                "The transaction was rolled back and another one begun", "40000");
          }
        };
  }

  private static @Nullable String transaction(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(TRANSACTION);
        ResultSet rows = statement.executeQuery()) {
      return rows.next() ? rows.getString(1) : null;
    }
  }
}
