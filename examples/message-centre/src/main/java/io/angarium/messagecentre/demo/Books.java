package io.angarium.messagecentre.demo;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * What stands in the databases, when their processes have ended. Immutable.
 *
 * @param committed what the order service has committed, e.g. {@code order-paid 7}
 * @param booked the entries of the ledger
 * @param deliveries how many messages the ledger was given, repeats included
 * @param undecided how many messages the centre still has as prepared
 */
record Books(List<String> committed, List<String> booked, long deliveries, long undecided) {
  /** Opens the databases of the three. */
  static Books read(Path folder) throws SQLException {
    return new Books(
        rows(
            folder,
            "orders",
            "SELECT 'order-paid ' || id FROM orders UNION ALL"
                + " SELECT 'order-refunded ' || id FROM orders WHERE state = 'refunded'"),
        rows(folder, "ledger", "SELECT type || ' ' || order_id FROM entry"),
        rows(folder, "ledger", "SELECT id FROM delivery").size(),
        rows(folder, "centre", "SELECT id FROM outbox_half WHERE decided_at IS NULL").size());
  }

  private static List<String> rows(Path folder, String name, String query) throws SQLException {
    List<String> rows = new ArrayList<>();
    try (Connection connection =
            DriverManager.getConnection(Company.database(folder, name), "sa", "");
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(query)) {
      while (result.next()) {
        rows.add(result.getString(1));
      }
    }
    return rows;
  }

  /** Committed, and not in the ledger. */
  List<String> missing() {
    TreeSet<String> missing = new TreeSet<>(committed);
    booked.forEach(missing::remove);
    return List.copyOf(missing);
  }

  /** In the ledger, and not committed. */
  List<String> unexpected() {
    TreeSet<String> unexpected = new TreeSet<>(booked);
    committed.forEach(unexpected::remove);
    return List.copyOf(unexpected);
  }

  /** In the ledger more than once. */
  List<String> repeated() {
    TreeSet<String> once = new TreeSet<>();
    TreeSet<String> repeated = new TreeSet<>();
    booked.stream().filter(entry -> !once.add(entry)).forEach(repeated::add);
    return List.copyOf(repeated);
  }

  boolean agree() {
    return !committed.isEmpty()
        && missing().isEmpty()
        && unexpected().isEmpty()
        && repeated().isEmpty()
        && undecided == 0;
  }
}
