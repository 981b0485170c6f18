package io.angarium.benchmarks.arm;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** The table of the business that every transaction writes one row of; the same for every arm. */
public final class BusinessTable {
  private static final String INSERT =
      "INSERT INTO purchase (id, customer, amount) VALUES (?, ?, ?)";

  /** The same as a query, for conditions to follow: id, customer and amount. */
  public static final String INSERT_SELECT =
      "INSERT INTO purchase (id, customer, amount) SELECT ?, ?, ? ";

  private BusinessTable() {}

  static void create(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE purchase (id bigint PRIMARY KEY, customer varchar(40) NOT NULL,"
              + " amount bigint NOT NULL)");
    }
  }

  /** Writes a row on a connection with a transaction under way. */
  public static void insert(Connection connection, long id) throws SQLException {
    try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
      bind(insert, 1, id);
      insert.executeUpdate();
    }
  }

  /** Writes a row for each message, together. */
  public static void insertAll(Connection connection, List<Outgoing> messages) throws SQLException {
    try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
      for (Outgoing message : messages) {
        bind(insert, 1, message.number());
        insert.addBatch();
      }
      insert.executeBatch();
    }
  }

  /** Binds the values of {@link #INSERT_SELECT}, the first of them at an index. */
  public static void bind(PreparedStatement insert, int first, long id) throws SQLException {
    insert.setLong(first, id);
    insert.setString(first + 1, customer(id));
    insert.setLong(first + 2, amount(id));
  }

  /** The second value of a row. */
  public static String customer(long id) {
    return "customer " + id % 10_000;
  }

  /** The third value of a row. */
  public static long amount(long id) {
    return id % 977;
  }
}
