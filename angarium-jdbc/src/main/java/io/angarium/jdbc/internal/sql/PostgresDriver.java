package io.angarium.jdbc.internal.sql;

import io.angarium.TimeSource;
import java.lang.reflect.InvocationTargetException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.TransactionState;

/** What PostgreSQL's own driver knows without asking the server; others may be in use. */
public final class PostgresDriver {
  /** No process has this number. */
  public static final int UNKNOWN = 0;

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
  public static boolean canCommit(Connection connection) {
    return PRESENT && Known.canCommit(connection);
  }

  /** The process of the server as the protocol told it; {@link #UNKNOWN} to other drivers. */
  public static int process(Connection connection) throws SQLException {
    return call(PhysicalConnection.of(connection), "getBackendPID") instanceof Integer process
        ? process
        : UNKNOWN;
  }

  /** True if a notification with this payload comes in time. Sends nothing. */
  public static boolean hears(Connection connection, String payload, long millis)
      throws SQLException {
    Object known = PhysicalConnection.of(connection);
    long startNanos = TimeSource.SYSTEM.nanoTime();
    long left = millis;
    while (left > 0) {
      if (call(known, "getNotifications", (int) left) instanceof Object[] heard) {
        for (Object notification : heard) {
          if (payload.equals(call(notification, "getParameter"))) {
            return true;
          }
        }
      }
      left = millis - TimeUnit.NANOSECONDS.toMillis(TimeSource.SYSTEM.nanoTime() - startNanos);
    }
    return false;
  }

  /** By name: to compile against these interfaces takes annotations that the driver lacks. */
  private static @Nullable Object call(Object target, String name, Object... arguments)
      throws SQLException {
    Class<?>[] types = arguments.length == 0 ? new Class<?>[0] : new Class<?>[] {int.class};
    try {
      return target.getClass().getMethod(name, types).invoke(target, arguments);
    } catch (NoSuchMethodException | IllegalAccessException e) {
      return null;
    } catch (InvocationTargetException e) {
      throw new SQLException(name + " failed: " + e.getCause(), "08006", e);
    }
  }

  /** Apart, so that the driver's classes are loaded only where there are any. */
  private static final class Known {
    static boolean canCommit(Connection connection) {
      return PhysicalConnection.of(connection) instanceof BaseConnection known
          && known.getTransactionState() != TransactionState.FAILED;
    }
  }
}
