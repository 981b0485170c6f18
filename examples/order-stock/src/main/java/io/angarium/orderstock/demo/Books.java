package io.angarium.orderstock.demo;

import io.angarium.testservers.TestDatabase;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What stands in the databases of the two services. Immutable.
 *
 * @param paid the quantity of each paid order
 * @param movements the quantities that were booked for each order, one if all is well
 * @param unsent messages in the outbox
 * @param deducted by how much the stock has gone down
 */
record Books(
    Map<Long, Integer> paid, Map<Long, List<Integer>> movements, long unsent, long deducted) {
  private static final long STOCK_AT_FIRST = 3_000_000;

  /** Reads both; tables that are not there yet are empty. */
  static Books read(TestDatabase orders, TestDatabase stock) {
    Map<Long, Integer> paid = new TreeMap<>();
    rows(orders, "SELECT id, quantity FROM paid_order")
        .forEach(row -> paid.put(row[0], (int) row[1]));
    Map<Long, List<Integer>> movements = new TreeMap<>();
    for (long[] row : rows(stock, "SELECT order_id, quantity FROM stock_movement")) {
      movements.computeIfAbsent(row[0], order -> new ArrayList<>()).add((int) row[1]);
    }
    long unsent =
        rows(orders, "SELECT COUNT(*), 0 FROM outbox").stream().mapToLong(row -> row[0]).sum();
    long left =
        rows(stock, "SELECT SUM(quantity), 0 FROM stock").stream().mapToLong(row -> row[0]).sum();
    return new Books(paid, movements, unsent, STOCK_AT_FIRST - left);
  }

  private static List<long[]> rows(TestDatabase database, String query) {
    List<long[]> rows = new ArrayList<>();
    try (Connection connection =
            DriverManager.getConnection(database.url(), database.user(), database.password());
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(query)) {
      while (result.next()) {
        rows.add(new long[] {result.getLong(1), result.getLong(2)});
      }
    } catch (SQLException e) {
      return List.of(); // the service has not created its tables yet
    }
    return rows;
  }

  /** Movements, repeats included. */
  long movementCount() {
    return movements.values().stream().mapToLong(List::size).sum();
  }

  long paidQuantity() {
    return paid.values().stream().mapToLong(Integer::longValue).sum();
  }

  long bookedQuantity() {
    return movements.values().stream().flatMap(List::stream).mapToLong(Integer::longValue).sum();
  }

  /** True if every paid order has a movement. */
  boolean allBooked() {
    return movements.keySet().containsAll(paid.keySet());
  }

  /** Whether the sums are the same, and what was booked was taken off the stock. */
  boolean agree(int orders) {
    return paid.size() == orders
        && paidQuantity() == bookedQuantity()
        && bookedQuantity() == deducted;
  }
}
