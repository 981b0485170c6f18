package io.angarium.crash;

import io.angarium.inbox.InboxKey;
import io.angarium.jdbc.JdbcInbox;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import javax.sql.DataSource;

/** How a warehouse takes orders. The last two are wrong, so that the judge can be tried. */
enum Consumption {
  /** A transaction for each order. */
  SINGLE(1) {
    @Override
    Set<Order> take(JdbcInbox inbox, DataSource pool, Set<Order> orders, Effect effect)
        throws SQLException {
      Order order = orders.iterator().next();
      boolean fresh = inbox.process(order.key(CONSUMER), open -> effect.on(open, orders));
      return fresh ? orders : Set.of();
    }
  },
  /** One transaction for all that wait. */
  BATCH(10) {
    @Override
    Set<Order> take(JdbcInbox inbox, DataSource pool, Set<Order> orders, Effect effect)
        throws SQLException {
      Map<InboxKey, Order> byKey =
          orders.stream().collect(Collectors.toMap(o -> o.key(CONSUMER), Function.identity()));
      Set<InboxKey> fresh =
          inbox.processAll(byKey.keySet(), (open, keys) -> effect.on(open, of(keys, byKey)));
      return of(fresh, byKey);
    }
  },
  /** As if every delivery were the only one of its order. */
  WITHOUT_INBOX(1) {
    @Override
    Set<Order> take(JdbcInbox inbox, DataSource pool, Set<Order> orders, Effect effect)
        throws SQLException {
      inTransaction(pool, orders, effect);
      return orders;
    }
  },
  /** The note is committed before the work begins. */
  NOTE_FIRST(1) {
    @Override
    Set<Order> take(JdbcInbox inbox, DataSource pool, Set<Order> orders, Effect effect)
        throws SQLException {
      Order order = orders.iterator().next();
      if (!inbox.process(order.key(CONSUMER), open -> {})) {
        return Set.of();
      }
      inTransaction(pool, orders, effect);
      return orders;
    }
  };

  private static final String CONSUMER = "shelf";

  private final int batchMax;

  Consumption(int batchMax) {
    this.batchMax = batchMax;
  }

  /** How many orders it takes at once. */
  int batchMax() {
    return batchMax;
  }

  /**
   * Makes those orders take effect that have not yet.
   *
   * @param orders one to {@link #batchMax}
   * @return those whose effect was called
   */
  abstract Set<Order> take(JdbcInbox inbox, DataSource pool, Set<Order> orders, Effect effect)
      throws SQLException;

  private static Set<Order> of(Collection<InboxKey> keys, Map<InboxKey, Order> byKey) {
    return keys.stream().map(byKey::get).collect(Collectors.toSet());
  }

  private static void inTransaction(DataSource pool, Set<Order> orders, Effect effect)
      throws SQLException {
    try (Connection connection = pool.getConnection()) { // the pool rolls back what is open
      connection.setAutoCommit(false);
      effect.on(connection, orders);
      connection.commit();
    }
  }

  /** What orders do, in a transaction. */
  @FunctionalInterface
  interface Effect {
    void on(Connection connection, Set<Order> orders) throws SQLException;
  }
}
