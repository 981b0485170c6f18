package io.angarium.jdbc;

import io.angarium.store.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * A transaction on a connection of its own, which it gives back as it was. One thread at a time.
 */
final class OwnTransaction implements AutoCloseable {
  private final Connection connection;
  private final boolean autoCommitBefore;
  private boolean rollbackFailed;

  private OwnTransaction(Connection connection, boolean autoCommitBefore) {
    this.connection = connection;
    this.autoCommitBefore = autoCommitBefore;
  }

  /**
   * Begins one.
   *
   * @throws StoreException if the database cannot be reached or refuses
   */
  static OwnTransaction begin(DataSource dataSource) {
    try {
      Connection connection = Session.take(dataSource);
      try {
        boolean autoCommitBefore = connection.getAutoCommit();
        connection.setAutoCommit(false);
        return new OwnTransaction(connection, autoCommitBefore);
      } catch (SQLException | RuntimeException e) { // some pools have exceptions of their own
        BorrowedConnection.abort(connection);
        connection.close();
        throw e;
      }
    } catch (SQLException e) {
      throw failure("Failed beginning a transaction", e);
    }
  }

  Connection connection() {
    return connection;
  }

  void commit() throws SQLException {
    connection.commit();
  }

  void rollBack(Throwable reason) {
    rollbackFailed = true;
    try {
      connection.rollback();
      rollbackFailed = false;
    } catch (SQLException | RuntimeException e) {
      reason.addSuppressed(e);
    }
  }

  static StoreException failure(String what, SQLException e) {
    return new StoreException(what + " (SQLState " + e.getSQLState() + "): " + e.getMessage(), e);
  }

  /**
   * Gives the connection back. The transaction has ended, and what happens now cannot undo that.
   */
  @Override
  public void close() {
    if (rollbackFailed) {
      BorrowedConnection.end(connection); // to change its mode might commit
    } else {
      BorrowedConnection.giveBack(connection, () -> connection.setAutoCommit(autoCommitBefore));
    }
  }
}
