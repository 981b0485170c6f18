package io.angarium.jdbc.internal.sql;

import io.angarium.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * A transaction on a connection of its own, which it gives back as it was. One thread at a time.
 */
public final class OwnTransaction implements AutoCloseable {
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
  public static OwnTransaction begin(DataSource dataSource) {
    try {
      Connection connection = BorrowedConnection.take(dataSource);
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

  public Connection connection() {
    return connection;
  }

  public void commit() throws SQLException {
    connection.commit();
  }

  public void rollBack(Throwable reason) {
    rollbackFailed = true;
    try {
      connection.rollback();
      rollbackFailed = false;
    } catch (SQLException | RuntimeException e) {
      reason.addSuppressed(e);
    }
  }

  public static StoreException failure(String what, SQLException e) {
    return new StoreException(what + FailureText.of(e), e);
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
