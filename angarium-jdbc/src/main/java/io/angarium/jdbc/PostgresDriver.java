package io.angarium.jdbc;

import java.sql.Connection;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.TransactionState;

/** What PostgreSQL's own driver knows without asking the server; others may be in use. */
final class PostgresDriver {
  private static final boolean PRESENT = isPresent();

  private PostgresDriver() {}

  private static boolean isPresent() {
    try {
      Class.forName(
          "org.postgresql.core.TransactionState", false, PostgresDriver.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  /** True if it knows that the transaction of a connection was not given up. */
  static boolean canCommit(Connection connection) {
    return PRESENT && Known.canCommit(connection);
  }

  /** Apart, so that the driver's classes are loaded only where there are any. */
  private static final class Known {
    static boolean canCommit(Connection connection) {
      return PhysicalConnection.of(connection) instanceof BaseConnection known
          && known.getTransactionState() != TransactionState.FAILED;
    }
  }
}
