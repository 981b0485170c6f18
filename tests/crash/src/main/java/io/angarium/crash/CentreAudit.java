package io.angarium.crash;

import io.angarium.testservers.TestDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Compares what producers have in their database with what the message centre made of it and what
 * came to consumers. Immutable.
 *
 * @param orders the database of the producers
 * @param centre the database of the message centre
 * @param arrivals what came
 * @param names what the order ids begin with that are looked at
 */
record CentreAudit(TestDatabase orders, TestDatabase centre, Arrivals arrivals, String names) {
  /** Questions come again after a minute when a server dies that was asking them. */
  private static final Duration LIMIT = Duration.ofSeconds(150);

  /** Of consumers, when everything is sent. */
  private static final Duration LAG = Duration.ofSeconds(90);

  private static final List<String> LEFT =
      List.of("outbox", "outbox_parked", "outbox_delayed", "outbox_dead");

  /**
   * What is wrong, by what is wrong with it. Immutable.
   *
   * @param lost orders that did not arrive
   * @param invented arrivals of what is no order
   * @param disordered orders that arrived before one of their customer which came before them
   * @param repeated orders that arrived under two message ids
   * @param undecided half messages that are neither committed nor rolled back
   * @param contradictory half messages that ended otherwise than their orders
   * @param left tables in which messages are left
   */
  record Findings(
      List<String> lost,
      List<String> invented,
      List<String> disordered,
      List<String> repeated,
      List<String> undecided,
      List<String> contradictory,
      List<String> left) {
    static final Findings NONE =
        new Findings(List.of(), List.of(), List.of(), List.of(), List.of(), List.of(), List.of());
  }

  /** The orders that are committed, by their ids. */
  Map<String, SoldOrder> sold() throws SQLException {
    Map<String, SoldOrder> sold = new LinkedHashMap<>();
    each(
        orders,
        "SELECT id, customer, follows FROM orders WHERE id LIKE ?",
        row ->
            sold.put(
                row.getString(1),
                new SoldOrder(row.getString(1), row.getString(2), row.getString(3))));
    return sold;
  }

  /** The states of half messages, by their keys. */
  Map<String, String> states() throws SQLException {
    Map<String, String> states = new LinkedHashMap<>();
    each(
        centre,
        "SELECT half_key, state FROM outbox_half WHERE half_key LIKE ? ORDER BY id",
        row -> states.put(row.getString(1), row.getString(2)));
    return states;
  }

  /** The state of one half message; "none" if there is none. */
  String state(String key) throws SQLException {
    return states().getOrDefault(key, "none");
  }

  /** How many half messages ended so. */
  long count(String state) throws SQLException {
    return states().values().stream().filter(state::equals).count();
  }

  /** How many messages are not known to be sent. */
  long unsent() throws SQLException {
    return centre.number(
        "SELECT (SELECT COUNT(*) FROM outbox) + (SELECT COUNT(*) FROM outbox_parked)");
  }

  private interface Row {
    void take(ResultSet row) throws SQLException;
  }

  private void each(TestDatabase database, String query, Row taken) throws SQLException {
    try (Connection connection = database.connectAgain();
        PreparedStatement select = connection.prepareStatement(query)) {
      select.setString(1, names + "-%");
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          taken.take(row);
        }
      }
    }
  }

  /** Waits until nothing is left to do, then looks; nobody may sell meanwhile. */
  Findings atEnd() throws SQLException {
    Waiting.comesTrue(LIMIT, () -> left().isEmpty() && undecided().isEmpty());
    Map<String, SoldOrder> sold = sold();
    Waiting.comesTrue(LAG, () -> arrivals.hasAll(sold.keySet()));
    return findings();
  }

  private Findings findings() throws SQLException {
    Map<String, SoldOrder> sold = sold();
    Map<String, Integer> firsts = arrivals.firsts();
    return new Findings(
        sold.keySet().stream().filter(id -> !firsts.containsKey(id)).toList(),
        firsts.keySet().stream()
            .filter(id -> id.startsWith(names + "-") && !sold.containsKey(id))
            .toList(),
        sold.values().stream().filter(order -> overtakes(order, firsts)).map(this::told).toList(),
        arrivals.underSeveralIds(),
        undecided(),
        contradictory(sold),
        left());
  }

  private static boolean overtakes(SoldOrder order, Map<String, Integer> firsts) {
    Integer own = firsts.get(order.id());
    return order.follows() != null
        && own != null
        && firsts.getOrDefault(order.follows(), Integer.MAX_VALUE) > own;
  }

  private String told(SoldOrder order) {
    return order.id() + " before " + order.follows();
  }

  private List<String> undecided() throws SQLException {
    List<String> undecided = new ArrayList<>();
    states()
        .forEach(
            (key, state) -> {
              if (!state.equals("committed") && !state.equals("rolled back")) {
                undecided.add(key + " " + state);
              }
            });
    return undecided;
  }

  private List<String> contradictory(Map<String, SoldOrder> sold) throws SQLException {
    Map<String, String> states = states();
    List<String> contradictory = new ArrayList<>();
    states.forEach(
        (key, state) -> {
          if (state.equals("committed") != sold.containsKey(key)) {
            contradictory.add(key + " " + state);
          }
        });
    sold.keySet().stream()
        .filter(key -> !states.containsKey(key))
        .forEach(key -> contradictory.add(key + " without half message"));
    return contradictory;
  }

  private List<String> left() throws SQLException {
    List<String> left = new ArrayList<>();
    for (String table : LEFT) {
      long rows = centre.number("SELECT COUNT(*) FROM " + table);
      if (rows > 0) {
        left.add(table + " " + rows);
      }
    }
    return left;
  }
}
