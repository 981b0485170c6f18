package io.angarium.jdbc.internal.sql;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;

/**
 * A connection of its own that commits each statement by itself, and is given back as it was. One
 * thread at a time.
 */
public final class AutoCommit implements AutoCloseable {
  private final Connection connection;
  private final SessionSetting.Restore before;

  private AutoCommit(Connection connection, SessionSetting.Restore before) {
    this.connection = connection;
    this.before = before;
  }

  public static AutoCommit begin(DataSource dataSource) throws SQLException {
    return begin(dataSource, connection -> () -> {});
  }

  /**
   * Begins it on a connection whose calls fail if the server says nothing for so long.
   *
   * @param silenceMax as {@link Connection#setNetworkTimeout}, at least 1 ms
   */
  public static AutoCommit begin(DataSource dataSource, Duration silenceMax) throws SQLException {
    return begin(
        dataSource,
        connection -> {
          int millis = connection.getNetworkTimeout();
          connection.setNetworkTimeout(Runnable::run, (int) silenceMax.toMillis());
          return () -> connection.setNetworkTimeout(Runnable::run, millis);
        });
  }

  /** What is set before the server is asked anything. */
  private interface First {
    SessionSetting.Restore set(Connection connection) throws SQLException;
  }

  private static AutoCommit begin(DataSource dataSource, First first) throws SQLException {
    Connection connection = BorrowedConnection.take(dataSource);
    try {
      SessionSetting.Restore restore = first.set(connection);
      boolean before = connection.getAutoCommit();
      connection.setAutoCommit(true);
      return new AutoCommit(
          connection,
          () -> {
            connection.setAutoCommit(before);
            restore.run();
          });
    } catch (SQLException | RuntimeException e) { // some pools have exceptions of their own
      BorrowedConnection.abort(connection);
      connection.close();
      throw e;
    }
  }

  public Connection connection() {
    return connection;
  }

  /** Gives the connection back. What fails now neither undoes a statement nor hides its failure. */
  @Override
  public void close() {
    BorrowedConnection.giveBack(connection, before);
  }
}
