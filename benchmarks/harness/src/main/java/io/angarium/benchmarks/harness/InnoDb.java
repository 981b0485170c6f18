package io.angarium.benchmarks.harness;

import io.angarium.testservers.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The tables of MariaDB or MySQL, brought to rest: nothing left to purge, nothing left to write
 * out.
 */
final class InnoDb {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** Purging goes on all the time; if nothing is done for so long, it waits for a reader. */
  private static final Duration QUIET = Duration.ofMillis(500);

  /** A running relay dirties a few again and again. */
  private static final long DIRTY_PAGES_MAX = 100;

  /** In an order in which no setting contradicts another one; set back in the opposite one. */
  private static final List<String> SETTINGS =
      List.of(
          "innodb_io_capacity_max",
          "innodb_io_capacity",
          "innodb_max_dirty_pages_pct_lwm",
          "innodb_max_dirty_pages_pct");

  private static final List<String> WRITE_OUT = List.of("20000", "20000", "0", "0");

  private final Statement statement;
  private final String history;

  private InnoDb(Statement statement, String history) {
    this.statement = statement;
    this.history = history;
  }

  /**
   * Waits until it rests; what is left to do if that takes too long.
   *
   * @param history asks for the number of transactions to purge, in the second column
   */
  static Optional<String> settle(TestDatabase database, String history) throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      return new InnoDb(statement, history).settle();
    }
  }

  private Optional<String> settle() throws SQLException {
    Rest rest = new Rest(PATIENCE);
    long left = purge(rest);
    long dirty = writeOut(rest);
    long leftNow = purge(rest);
    // What is purged after a pause, on a slow disk or a busy machine, has to be written out, too.
    while (!rest.isOver() && (leftNow < left || dirtyPages() > DIRTY_PAGES_MAX)) {
      left = leftNow;
      dirty = writeOut(rest);
      leftNow = purge(rest);
    }
    return rest.isOver()
        ? Optional.of(leftNow + " transactions to purge, " + dirty + " pages to write")
        : Optional.empty();
  }

  private long purge(Rest rest) throws SQLException {
    return rest.untilNotFalling(QUIET, () -> Long.parseLong(text(history, 2)));
  }

  private long writeOut(Rest rest) throws SQLException {
    List<String> before = new ArrayList<>();
    for (String name : SETTINGS) {
      before.add(text("SELECT @@GLOBAL." + name, 1));
    }
    try {
      for (int i = 0; i < SETTINGS.size(); i++) {
        set(SETTINGS.get(i), WRITE_OUT.get(i));
      }
      return rest.untilAtMost(DIRTY_PAGES_MAX, this::dirtyPages);
    } finally {
      for (int i = SETTINGS.size() - 1; i >= 0; i--) {
        set(SETTINGS.get(i), before.get(i));
      }
    }
  }

  private void set(String name, String value) throws SQLException {
    statement.execute("SET GLOBAL " + name + " = " + value);
  }

  private long dirtyPages() throws SQLException {
    return Long.parseLong(text("SHOW GLOBAL STATUS LIKE 'Innodb_buffer_pool_pages_dirty'", 2));
  }

  private String text(String query, int column) throws SQLException {
    try (ResultSet row = statement.executeQuery(query)) {
      row.next();
      return row.getString(column);
    }
  }
}
