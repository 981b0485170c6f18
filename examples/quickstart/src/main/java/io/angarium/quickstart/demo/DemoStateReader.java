package io.angarium.quickstart.demo;

import io.angarium.quickstart.demo.DemoState.Lane;
import io.angarium.quickstart.demo.DemoState.RecentOrder;
import io.angarium.quickstart.stock.StockService;
import io.angarium.relay.settings.CircuitState;
import io.angarium.spring.operate.RelayLifecycle;
import io.angarium.store.Backlog;
import io.angarium.store.OutboxStore;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Reads what the page shows. Thread-safe. */
@Component
class DemoStateReader {
  private static final int LANE_MAX = 60;
  private static final int RECENT_MAX = 10;

  private final JdbcClient jdbc;
  private final LocalServers servers;
  private final BrokerSwitch broker;
  private final RelayLifecycle relay;
  private final OutboxStore store;
  private final SentLog sent;
  private final StockAudit audit;
  private final StockService stock;
  private final OrderLoad load;

  DemoStateReader(
      JdbcClient jdbc,
      LocalServers servers,
      BrokerSwitch broker,
      RelayLifecycle relay,
      OutboxStore store,
      SentLog sent,
      StockAudit audit,
      StockService stock,
      OrderLoad load) {
    this.jdbc = jdbc;
    this.servers = servers;
    this.broker = broker;
    this.relay = relay;
    this.store = store;
    this.sent = sent;
    this.audit = audit;
    this.stock = stock;
    this.load = load;
  }

  /** Reads everything; blocks for some queries. */
  synchronized DemoState read() {
    return new DemoState(servers(), relayState(), counts(), lanes(), recent());
  }

  private DemoState.Servers servers() {
    return new DemoState.Servers(
        servers.databaseTitle(), broker.title(), broker.state(), broker.error());
  }

  private DemoState.Relay relayState() {
    return relay
        .relay()
        .map(
            running ->
                new DemoState.Relay(
                    true,
                    running.healthy(),
                    running.partitions(),
                    running
                        .circuits()
                        .getOrDefault(servers.broker().orders(), CircuitState.CLOSED)))
        .orElse(new DemoState.Relay(false, false, 0, CircuitState.CLOSED));
  }

  private DemoState.Counts counts() {
    // The stock first: it can never be ahead of the orders then.
    StockAudit.Findings movements = audit.findings();
    Backlog backlog = store.backlog();
    long placed = jdbc.sql("SELECT COUNT(*) FROM customer_order").query(Long.class).single();
    return new DemoState.Counts(
        placed,
        load.rolledBack(),
        sent.total(),
        movements.booked(),
        backlog.depth(),
        backlog.parked(),
        backlog.dead(),
        stock.duplicates(),
        movements.outOfOrder());
  }

  private record Step(String customer, int first, char letter) {}

  private List<Lane> lanes() {
    List<Step> steps =
        jdbc.sql(
                """
                SELECT c.name, o.order_no, o.id, m.position
                FROM customer c
                LEFT JOIN customer_order o ON o.customer = c.name AND o.order_no > c.orders - ?
                LEFT JOIN stock_movement m ON m.customer = o.customer AND m.order_no = o.order_no
                ORDER BY c.name, o.order_no
                """)
            .param(LANE_MAX)
            .query((row, index) -> step(row))
            .list();
    Map<String, List<Step>> byCustomer = new LinkedHashMap<>();
    for (Step step : steps) {
      byCustomer.computeIfAbsent(step.customer(), customer -> new ArrayList<>()).add(step);
    }
    List<Lane> lanes = new ArrayList<>(byCustomer.size());
    byCustomer.forEach((customer, letters) -> lanes.add(lane(customer, letters)));
    return lanes;
  }

  private Step step(ResultSet row) throws SQLException {
    int number = row.getInt("order_no");
    if (row.wasNull()) {
      return new Step(row.getString("name"), 1, ' ');
    }
    boolean received = row.getObject("position") != null;
    return new Step(row.getString("name"), number, letter(row.getLong("id"), received));
  }

  private char letter(long order, boolean received) {
    if (received) {
      return 'R';
    }
    return sent.of(order).isPresent() ? 'S' : 'P';
  }

  private static Lane lane(String customer, List<Step> steps) {
    StringBuilder letters = new StringBuilder(steps.size());
    steps.forEach(step -> letters.append(step.letter()));
    return new Lane(customer, steps.get(0).first(), letters.toString().strip());
  }

  private List<RecentOrder> recent() {
    return jdbc.sql(
            """
            SELECT o.id, o.customer, o.order_no, o.item, o.quantity, o.placed_at, m.booked_at
            FROM customer_order o
            LEFT JOIN stock_movement m ON m.customer = o.customer AND m.order_no = o.order_no
            ORDER BY o.id DESC
            LIMIT ?
            """)
        .param(RECENT_MAX)
        .query((row, index) -> recentOrder(row))
        .list();
  }

  private RecentOrder recentOrder(ResultSet row) throws SQLException {
    long id = row.getLong("id");
    OffsetDateTime placed = row.getObject("placed_at", OffsetDateTime.class);
    OffsetDateTime booked = row.getObject("booked_at", OffsetDateTime.class);
    return new RecentOrder(
        id,
        row.getString("customer"),
        row.getInt("order_no"),
        row.getString("item"),
        row.getInt("quantity"),
        letter(id, booked != null),
        sent.of(id).map(at -> Duration.between(placed.toInstant(), at).toMillis()).orElse(null),
        millis(placed, booked));
  }

  private static @Nullable Long millis(OffsetDateTime from, @Nullable OffsetDateTime to) {
    return to == null ? null : Duration.between(from, to).toMillis();
  }
}
