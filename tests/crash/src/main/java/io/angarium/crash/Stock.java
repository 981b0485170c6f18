package io.angarium.crash;

import io.angarium.testservers.TestDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * The business side of a warehouse: for each order a movement, whose table has no unique key, and
 * two sums per item, of what was taken from the shelf and of what was dispatched.
 */
final class Stock {
  /** With the condition of the inbox in it. Parameters: amount, item. */
  static final String DISPATCH =
      "UPDATE dispatched SET amount = amount + ? WHERE item = ? AND :fresh";

  private Stock() {}

  static void create(TestDatabase database) throws SQLException {
    database.execute(
        "CREATE TABLE movement (order_number INT NOT NULL, amount BIGINT NOT NULL)",
        "CREATE TABLE taken (item INT PRIMARY KEY, amount BIGINT NOT NULL)",
        "CREATE TABLE dispatched (item INT PRIMARY KEY, amount BIGINT NOT NULL)");
    for (int item = 0; item < Order.ITEMS; item++) {
      database.execute(
          "INSERT INTO taken VALUES (" + item + ", 0)",
          "INSERT INTO dispatched VALUES (" + item + ", 0)");
    }
  }

  /**
   * The work for orders, in a transaction of the caller.
   *
   * @param middle called when half of it is done
   */
  static void take(Connection connection, Collection<Order> orders, Runnable middle)
      throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO movement VALUES (?, ?)")) {
      for (Order order : orders) {
        insert.setInt(1, order.number());
        insert.setLong(2, order.amount());
        insert.executeUpdate();
      }
    }
    middle.run();
    try (PreparedStatement update =
        connection.prepareStatement("UPDATE taken SET amount = amount + ? WHERE item = ?")) {
      for (Order order : new TreeSet<>(orders)) {
        update.setLong(1, order.amount());
        update.setInt(2, order.item());
        update.executeUpdate();
      }
    }
  }

  /**
   * What is wrong if these orders, and no others, were to take effect once each.
   *
   * @param orders how many there were
   */
  static Findings judge(Connection connection, int orders) throws SQLException {
    Map<Integer, Integer> movements = new HashMap<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT order_number FROM movement")) {
      while (rows.next()) {
        movements.merge(rows.getInt(1), 1, Integer::sum);
      }
    }
    List<Integer> missing =
        IntStream.rangeClosed(1, orders).filter(n -> !movements.containsKey(n)).boxed().toList();
    List<Integer> unknown = movements.keySet().stream().filter(n -> n < 1 || n > orders).toList();
    List<Integer> repeated =
        movements.entrySet().stream().filter(e -> e.getValue() > 1).map(Map.Entry::getKey).toList();
    List<String> sums = new ArrayList<>(wrongSums(connection, "taken", orders));
    sums.addAll(wrongSums(connection, "dispatched", orders));
    return new Findings(missing, unknown, repeated, sums);
  }

  private static List<String> wrongSums(Connection connection, String table, int orders)
      throws SQLException {
    Map<Integer, Long> expected = new HashMap<>();
    for (int number = 1; number <= orders; number++) {
      Order order = new Order(number);
      expected.merge(order.item(), order.amount(), Long::sum);
    }
    List<String> wrong = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT item, amount FROM " + table)) {
      while (rows.next()) {
        long sum = expected.getOrDefault(rows.getInt(1), 0L);
        if (rows.getLong(2) != sum) {
          wrong.add(table + " " + rows.getInt(1) + ": " + rows.getLong(2) + ", not " + sum);
        }
      }
    }
    return wrong;
  }

  /**
   * What was found. Immutable.
   *
   * @param missing orders without a movement
   * @param unknown numbers with a movement that no order has
   * @param repeated orders with more than one
   * @param sums that are not those of the orders
   */
  record Findings(
      List<Integer> missing, List<Integer> unknown, List<Integer> repeated, List<String> sums) {
    static final Findings NONE = new Findings(List.of(), List.of(), List.of(), List.of());
  }
}
