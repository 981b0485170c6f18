package io.angarium.jdbc.internal.sql;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes connections from their pool, and gives them back as they came or ends them. */
public final class BorrowedConnection {
  private static final Logger LOG = LoggerFactory.getLogger(BorrowedConnection.class);

  private BorrowedConnection() {}

  /** Takes a connection; some pools report a database out of reach by exceptions of their own. */
  public static Connection take(DataSource dataSource) throws SQLException {
    try {
      return dataSource.getConnection();
    } catch (RuntimeException e) {
      throw new SQLException(e.getMessage(), "08001", e);
    }
  }

  /**
   * Gives a connection back. One that cannot be restored is ended, so that nobody gets it as it is.
   * Errors are logged only: they neither undo nor hide what was done on the connection.
   */
  public static void giveBack(Connection given, SessionSetting.Restore restore) {
    try {
      restore.run();
      given.clearWarnings();
    } catch (SQLException | RuntimeException e) { // some pools have exceptions of their own
      LOG.debug("Ending a connection whose settings could not be restored", e);
      abort(given);
    }
    try {
      given.close();
    } catch (SQLException | RuntimeException e) {
      LOG.debug("Closing a connection failed", e);
    }
  }

  /** Ends a connection and gives it up, without any other call: one could commit. */
  public static void end(Connection given) {
    abort(given);
    try {
      given.close();
    } catch (SQLException | RuntimeException e) {
      LOG.debug("Closing a connection failed", e);
    }
  }

  /** Ends a connection without waiting for its statement. */
  static void abort(Connection given) {
    try {
      given.abort(Runnable::run);
    } catch (SQLException | RuntimeException e) {
      LOG.debug("A connection had ended already", e);
    }
  }

  /**
   * Ends a connection that another thread uses, on a thread of its own: a driver may first connect
   * to the server once more, to end the statement there.
   */
  public static void abortInUse(Connection given) {
    Thread thread = new Thread(() -> abort(given), "angarium-abort");
    thread.setDaemon(true);
    thread.start();
  }
}
