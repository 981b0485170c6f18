package io.angarium.jdbc;

import java.time.Duration;
import javax.sql.DataSource;

/**
 * Cuts what grows: the history of sent messages, where one is kept, and the business keys that may
 * be sent once. Nothing calls it by itself; call it from a scheduler of the application, on any
 * node. Each call deletes in transactions of at most {@value #ROWS_PER_TRANSACTION} rows, takes a
 * connection for itself, blocks, and throws {@link io.angarium.store.StoreException} if the
 * database cannot be reached. Thread-safe.
 */
public final class Retention {
  /** The most rows deleted at once. */
  public static final int ROWS_PER_TRANSACTION = 10_000;

  private final DataSource dataSource;
  private final Dialect dialect;
  private final JdbcConfig config;

  Retention(DataSource dataSource, Dialect dialect, JdbcConfig config) {
    this.dataSource = dataSource;
    this.dialect = dialect;
    this.config = config;
  }

  /**
   * Deletes the history of messages sent longer ago than {@code age}, by the database's clock. On
   * PostgreSQL partitions made by an operator are left alone: drop them instead, which is cheaper.
   *
   * @param age not negative
   * @return how many messages were deleted
   */
  public long deleteSent(Duration age) {
    return deleteAll(
        "cutting the history",
        age,
        connection -> dialect.trimSent(age, ROWS_PER_TRANSACTION).run(connection));
  }

  /**
   * Forgets business keys that were sent longer ago than {@code age}, by the database's clock; they
   * can be sent once more.
   *
   * @param age not negative
   * @return how many keys were forgotten
   */
  public long forgetBusinessKeys(Duration age) {
    return deleteAll(
        "forgetting business keys",
        age,
        connection -> dialect.trimDedup(connection, age, ROWS_PER_TRANSACTION));
  }

  private long deleteAll(String what, Duration age, Session.Work<Integer> batch) {
    if (age.isNegative()) {
      throw new IllegalArgumentException("age: " + age + " (expected: not negative)");
    }
    long deleted = 0;
    try (Session session = Session.brief(dataSource, dialect, Session.Role.WRITE, config)) {
      int rows;
      do {
        rows = session.call(what, batch);
        deleted += rows;
      } while (rows == ROWS_PER_TRANSACTION);
    }
    return deleted;
  }
}
