package io.angarium.benchmarks.arm;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;

/** The table of the business that every transaction writes one row of; the same for every arm. */
public final class BusinessTable {
  private static final String INSERT =
      "INSERT INTO purchase (id, customer, amount) VALUES (?, ?, ?)";

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
      insert.setLong(1, id);
      insert.setString(2, "customer " + id % 10_000);
      insert.setLong(3, id % 977);
      insert.executeUpdate();
    }
  }
}
