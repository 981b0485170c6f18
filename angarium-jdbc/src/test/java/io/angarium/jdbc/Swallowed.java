package io.angarium.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.sql.DataSource;

/** Errors that work swallows. */
final class Swallowed {
  private Swallowed() {}

  /** A statement that fails. */
  static void error(Connection connection) {
    assertThatThrownBy(() -> Sql.of("INSERT INTO nowhere VALUES (1)").run(connection))
        .isInstanceOf(SQLException.class);
  }

  /** What {@link #rival} needs. */
  static void createLocked(DataSource database) {
    EmptyDatabase.execute(
        database,
        "CREATE TABLE locked (id INT PRIMARY KEY, amount INT)",
        "INSERT INTO locked VALUES (1, 0), (2, 0)");
  }

  /**
   * A transaction that wins each deadlock: it begins before the other one, as H2 wants it, and has
   * changed more, as InnoDB does.
   */
  static Connection rival(DataSource database) throws SQLException {
    Connection rival = database.getConnection();
    rival.setAutoCommit(false);
    for (int i = 100; i < 150; i++) {
      Sql.of("INSERT INTO locked VALUES (?, 0)", i).run(rival);
    }
    take(rival, 2);
    return rival;
  }

  /** A deadlock whose victim is the transaction of the connection. */
  static void deadlock(Connection rival, Connection connection) throws SQLException {
    ExecutorService thread = Executors.newSingleThreadExecutor();
    try {
      take(connection, 1);
      Future<?> waiting = thread.submit(() -> take(rival, 1));
      assertThatThrownBy(() -> waiting.get(200, TimeUnit.MILLISECONDS))
          .isInstanceOf(TimeoutException.class);
      assertThatThrownBy(() -> take(connection, 2)).isInstanceOf(SQLException.class);
      assertThat(waiting).succeedsWithin(Duration.ofSeconds(30));
      rival.rollback();
    } finally {
      thread.shutdownNow();
    }
  }

  private static int take(Connection connection, int id) throws SQLException {
    return Sql.of("UPDATE locked SET amount = 3 WHERE id = ?", id).update(connection);
  }
}
