package io.angarium.testservers;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.sql.DataSource;

/**
 * A transaction that wins a deadlock: it begins before the other one, as H2 wants it, and has
 * changed more, as InnoDB does. Not thread-safe.
 */
public final class Rival implements AutoCloseable {
  private static final int ROWS = 50;
  private static final int WAITS_MILLIS = 200;

  private static final String TAKE = "UPDATE locked SET amount = 3 WHERE id = ";

  private final Connection connection;

  private Rival(Connection connection) {
    this.connection = connection;
  }

  /** The other transaction, by whatever way it executes its statements. */
  @FunctionalInterface
  public interface Victim {
    /**
     * Executes one in the transaction.
     *
     * @throws Exception if it fails
     */
    void execute(String sql) throws Exception;
  }

  /** Creates the table {@code locked}, which a rival needs. */
  public static void createTable(DataSource database) {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE locked (id INT PRIMARY KEY, amount INT)");
      statement.execute("INSERT INTO locked VALUES (1, 0), (2, 0)");
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Begins one. */
  public static Rival begin(DataSource database) throws SQLException {
    Connection connection = database.getConnection();
    connection.setAutoCommit(false);
    Rival rival = new Rival(connection);
    for (int i = 0; i < ROWS; i++) {
      rival.execute("INSERT INTO locked VALUES (" + (100 + i) + ", 0)");
    }
    rival.execute(TAKE + 2);
    return rival;
  }

  /**
   * Makes the other transaction the victim of a deadlock and swallows its error. Blocks until this
   * one is rolled back as well.
   */
  public void beat(Victim victim) throws Exception {
    ExecutorService thread = Executors.newSingleThreadExecutor();
    try {
      victim.execute(TAKE + 1);
      CountDownLatch begun = new CountDownLatch(1);
      Future<?> waiting =
          thread.submit(
              () -> {
                begun.countDown();
                execute(TAKE + 1);
                return begun;
              });
      begun.await();
      requireWaiting(waiting);
      requireFailing(victim);
      waiting.get(30, TimeUnit.SECONDS);
      connection.rollback();
    } finally {
      thread.shutdownNow();
    }
  }

  private static void requireWaiting(Future<?> other) throws Exception {
    try {
      other.get(WAITS_MILLIS, TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      return;
    }
    throw new IllegalStateException("the rival did not wait for the victim's row");
  }

  private static void requireFailing(Victim victim) {
    try {
      victim.execute(TAKE + 2);
    } catch (Exception e) {
      return; // as the work under test swallows it
    }
    throw new IllegalStateException("the victim did not fail");
  }

  private void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Rolls back. */
  @Override
  public void close() throws SQLException {
    try (connection) {
      connection.rollback();
      connection.setAutoCommit(true);
    }
  }
}
