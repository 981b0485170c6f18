package io.angarium.jdbc;

import io.angarium.Handover;
import io.angarium.MessageIntake;
import io.angarium.Outbox;
import io.angarium.store.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The outbox for plain JDBC. Either the caller brings a connection with a running transaction
 * ({@link #on}), or the outbox opens, commits and closes it ({@link #inTransaction}). Thread-safe.
 */
public final class JdbcOutbox {
  private static final Logger LOG = LoggerFactory.getLogger(JdbcOutbox.class);

  private final DataSource dataSource;
  private final OutboxWriter writer;
  private final MessageIntake intake;
  private final Handover handover;

  JdbcOutbox(DataSource dataSource, OutboxWriter writer, MessageIntake intake, Handover handover) {
    this.dataSource = dataSource;
    this.writer = writer;
    this.intake = intake;
    this.handover = handover;
  }

  /** What is done in a transaction. */
  @FunctionalInterface
  public interface Work<T, X extends Exception> {
    /**
     * Does it. Must not commit, roll back or close the connection.
     *
     * @param outbox gathers messages; they are written when the work has returned
     * @return any result, may be null
     * @throws X to roll the transaction back
     */
    T apply(Connection connection, Outbox outbox) throws X;
  }

  /**
   * The outbox of a connection's transaction. It inserts where it is called: call it after the
   * business statements, because their locks decide the order of messages of one key. Call {@link
   * ConnectionOutbox#committed} after the commit, so that the messages are sent at once; without it
   * the relay finds them a little later.
   *
   * @param connection with {@code autoCommit} off; left open, neither committed nor rolled back
   */
  public ConnectionOutbox on(Connection connection) {
    return new ConnectionOutbox(connection, writer, intake, handover);
  }

  /**
   * Runs work in a transaction of its own: the messages are written in one round trip before the
   * commit, after everything else, and handed over after it. Blocks.
   *
   * @return the result of the work
   * @throws X what the work threw; the transaction is rolled back and nothing is sent
   * @throws StoreException if the database cannot be reached or refuses; if the commit itself
   *     failed, whether it took effect is unknown, and messages are sent if and only if it did
   */
  public <T, X extends Exception> T inTransaction(Work<T, X> work) throws X {
    BufferedOutbox outbox = new BufferedOutbox(intake, handover);
    Begun begun = begin();
    Connection connection = begun.connection();
    T result;
    try {
      result = work.apply(connection, outbox);
      outbox.flush(writer, connection);
      commit(connection);
    } catch (Throwable e) {
      rollBack(connection, e);
      throw e;
    } finally {
      giveBack(begun);
    }
    outbox.committed();
    return result;
  }

  private record Begun(Connection connection, boolean autoCommitBefore) {}

  private Begun begin() {
    try {
      Connection connection = Session.take(dataSource);
      try {
        boolean autoCommitBefore = connection.getAutoCommit();
        connection.setAutoCommit(false);
        return new Begun(connection, autoCommitBefore);
      } catch (SQLException e) {
        connection.close();
        throw e;
      }
    } catch (SQLException e) {
      throw failure("Failed beginning a transaction", e);
    }
  }

  private static void commit(Connection connection) {
    try {
      connection.commit();
    } catch (SQLException e) {
      throw failure(
          "Failed committing a transaction; whether it took effect is unknown, and its messages are"
              + " sent if and only if it did",
          e);
    }
  }

  private static void rollBack(Connection connection, Throwable reason) {
    try {
      connection.rollback();
    } catch (SQLException e) {
      reason.addSuppressed(e);
    }
  }

  // The transaction has ended: what happens to the connection afterwards cannot undo that.
  private static void giveBack(Begun begun) {
    try (Connection connection = begun.connection()) {
      connection.setAutoCommit(begun.autoCommitBefore());
    } catch (SQLException e) {
      LOG.debug("A connection failed after its transaction had ended", e);
    }
  }

  private static StoreException failure(String what, SQLException e) {
    return new StoreException(what + " (SQLState " + e.getSQLState() + "): " + e.getMessage(), e);
  }
}
