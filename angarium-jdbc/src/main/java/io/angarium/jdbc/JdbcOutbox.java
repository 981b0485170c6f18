package io.angarium.jdbc;

import io.angarium.Outbox;
import io.angarium.StoreException;
import io.angarium.intake.Handover;
import io.angarium.intake.MessageIntake;
import io.angarium.jdbc.internal.sql.OwnTransaction;
import io.angarium.jdbc.internal.sql.TransactionWatch;
import io.angarium.jdbc.internal.write.MessageWriter;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * The outbox for plain JDBC. Either the caller brings a connection with a running transaction
 * ({@link #on}), or the outbox opens, commits and closes it ({@link #inTransaction}). Thread-safe.
 */
public final class JdbcOutbox {
  private final DataSource dataSource;
  private final MessageWriter writer;
  private final MessageIntake intake;
  private final Handover handover;

  JdbcOutbox(DataSource dataSource, MessageWriter writer, MessageIntake intake, Handover handover) {
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
     * @param connection watched on its way to the database: work that goes on after the database
     *     has ended its transaction fails at its end
     * @param outbox gathers messages; they are written when the work has returned, or at once where
     *     the transaction uses savepoints
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
   * <p>MySQL, MariaDB and H2 go on in a new transaction after they have rolled back the victim of a
   * deadlock: let such errors through, or watch the transaction with {@link WatchedTransactions}.
   *
   * @param connection with {@code autoCommit} off; left open, neither committed nor rolled back
   */
  public ConnectionOutbox on(Connection connection) {
    return new ConnectionOutbox(connection, writer, intake, handover);
  }

  /**
   * Runs work in a transaction of its own. The messages are written in one round trip before the
   * commit, after everything else, and handed over after the commit. From its first savepoint on,
   * or once it unwraps its connection, each message is written when it is sent. So the message goes
   * with the savepoint. Blocks.
   *
   * @return the result of the work
   * @throws X what the work threw; the transaction is rolled back and nothing is sent
   * @throws StoreException if the database cannot be reached or refuses, or has ended the
   *     transaction in the middle of work that went on. If the commit itself failed, it is unknown
   *     whether it took effect, and messages are sent if and only if it did
   */
  public <T, X extends Exception> T inTransaction(Work<T, X> work) throws X {
    BufferedOutbox outbox;
    T result;
    try (OwnTransaction transaction = OwnTransaction.begin(dataSource)) {
      Connection connection = transaction.connection();
      try {
        TransactionWatch watch = writer.watch(connection);
        Connection given = watch.connection();
        Connection watched = given == null ? connection : given;
        outbox = new BufferedOutbox(connection, watched, writer, intake, handover);
        result = work.apply(outbox.shown(), outbox);
        MessageWriter.end(watch);
        outbox.flush();
        commit(transaction);
      } catch (Throwable e) {
        transaction.rollBack(e);
        throw e;
      }
    }
    outbox.committed();
    return result;
  }

  private static void commit(OwnTransaction transaction) {
    try {
      transaction.commit();
    } catch (SQLException e) {
      throw OwnTransaction.failure(
          "Failed committing a transaction; whether it took effect is unknown, and its messages are"
              + " sent if and only if it did",
          e);
    }
  }
}
