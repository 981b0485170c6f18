package io.angarium.jdbc;

import java.sql.SQLException;

/** A setting of a session that is changed for some work and put back after it. */
final class SessionSetting {
  private SessionSetting() {}

  /** What is done while the setting is another one. */
  @FunctionalInterface
  interface Work<T> {
    T run() throws SQLException;
  }

  /** Puts back what was set before. */
  @FunctionalInterface
  interface Restore {
    void run() throws SQLException;
  }

  /** Of two failures the first one counts: after a lost connection nothing can be put back. */
  static <T> T restoredAfter(Work<T> work, Restore restore) throws SQLException {
    T result;
    try {
      result = work.run();
    } catch (SQLException | RuntimeException | Error e) {
      try {
        restore.run();
      } catch (SQLException | RuntimeException later) {
        e.addSuppressed(later);
      }
      throw e;
    }
    restore.run();
    return result;
  }
}
