package io.angarium.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * A connection of its own that commits each statement by itself, and is given back as it was. One
 * thread at a time.
 */
final class AutoCommit implements AutoCloseable {
  private final Connection connection;
  private final boolean before;

  private AutoCommit(Connection connection, boolean before) {
    this.connection = connection;
    this.before = before;
  }

  static AutoCommit begin(DataSource dataSource) throws SQLException {
    Connection connection = Session.take(dataSource);
    try {
      boolean before = connection.getAutoCommit();
      connection.setAutoCommit(true);
      return new AutoCommit(connection, before);
    } catch (SQLException | RuntimeException e) { // some pools have exceptions of their own
      BorrowedConnection.abort(connection);
      connection.close();
      throw e;
    }
  }

  Connection connection() {
    return connection;
  }

  /** Gives the connection back. What fails now neither undoes a statement nor hides its failure. */
  @Override
  public void close() {
    BorrowedConnection.giveBack(connection, () -> connection.setAutoCommit(before));
  }
}
