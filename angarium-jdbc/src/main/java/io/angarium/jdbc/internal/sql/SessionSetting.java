package io.angarium.jdbc.internal.sql;

import java.sql.Connection;
import java.sql.SQLException;

/** A setting of a session that is changed for some work and put back after it. */
public final class SessionSetting {
  private SessionSetting() {}

  /** What is done while the setting is another one. */
  @FunctionalInterface
  public interface Work<T> {
    T run() throws SQLException;
  }

  /** Puts back what was set before. */
  @FunctionalInterface
  public interface Restore {
    void run() throws SQLException;
  }

  /**
   * Runs work and puts a setting back after it. If both fail, the first failure counts: after a
   * lost connection nothing can be put back. A connection whose setting cannot be put back is
   * ended.
   */
  public static <T> T restoredAfter(Connection connection, Work<T> work, Restore restore)
      throws SQLException {
    T result;
    try {
      result = work.run();
    } catch (SQLException | RuntimeException | Error e) {
      try {
        putBack(connection, restore);
      } catch (SQLException | RuntimeException later) {
        e.addSuppressed(later);
      }
      throw e;
    }
    putBack(connection, restore);
    return result;
  }

  /** Puts a setting back, or ends the connection. */
  public static void putBack(Connection connection, Restore restore) throws SQLException {
    try {
      restore.run();
    } catch (SQLException | RuntimeException e) {
      BorrowedConnection.abort(connection);
      throw e;
    }
  }
}
