package io.angarium.benchmarks.arm;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/** The database of an arm, with the table of the business in it. Thread-safe. */
public final class BusinessDatabase implements AutoCloseable {
  private final HikariDataSource pool;

  /** What else belongs into a transaction of the business. */
  @FunctionalInterface
  public interface Work {
    /** Does it on a connection with a transaction under way. */
    void on(Connection connection) throws SQLException;
  }

  private BusinessDatabase(HikariDataSource pool) {
    this.pool = pool;
  }

  /**
   * Creates the table of the business in an empty database.
   *
   * @param connections at most
   */
  public static BusinessDatabase create(ArmSettings settings, int connections) throws SQLException {
    HikariDataSource pool = settings.pool(connections);
    try (Connection connection = pool.getConnection()) {
      BusinessTable.create(connection);
    }
    return new BusinessDatabase(pool);
  }

  /** Its connections, pooled; closed together with this. */
  public DataSource dataSource() {
    return pool;
  }

  /** Commits the row of the business and some work. */
  public void transact(long businessId, Work work) throws SQLException {
    transact(
        connection -> {
          BusinessTable.insert(connection, businessId);
          work.on(connection);
        });
  }

  /** Commits some work. */
  public void transact(Work work) throws SQLException {
    try (Connection connection = pool.getConnection()) { // the pool rolls back what is open
      connection.setAutoCommit(false);
      work.on(connection);
      connection.commit();
    }
  }

  /** Asks for a number. */
  public long number(String query) throws SQLException {
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      row.next();
      return row.getLong(1);
    }
  }

  @Override
  public void close() {
    pool.close();
  }
}
