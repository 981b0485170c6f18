package io.angarium.orderstock.demo;

import io.angarium.jdbc.reconciliation.QueriedKeys;
import io.angarium.reconciliation.Reconciliation;
import io.angarium.reconciliation.Report;
import io.angarium.reconciliation.Window;
import io.angarium.testservers.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/**
 * Compares paid orders with stock movements, order by order. The time on both sides is that of the
 * payment, which the message carries: an order is in the same window in either database.
 */
final class Audit {
  private static final String ORDERS =
      "SELECT id FROM paid_order WHERE paid_at >= ? AND paid_at < ?";
  private static final String MOVEMENTS =
      "SELECT order_id FROM stock_movement WHERE paid_at >= ? AND paid_at < ?";

  private final Reconciliation reconciliation;

  Audit(TestDatabase orders, TestDatabase stock) {
    this.reconciliation =
        new Reconciliation(
            new QueriedKeys("paid orders", dataSource(orders), ORDERS),
            new QueriedKeys("stock movements", dataSource(stock), MOVEMENTS));
  }

  private static DriverManagerDataSource dataSource(TestDatabase database) {
    return new DriverManagerDataSource(database.url(), database.user(), database.password());
  }

  /** Compares what was paid since a time; blocks. Nothing is on its way any more. */
  Report since(Instant begin) {
    Instant end = Instant.now().plus(Duration.ofMinutes(1));
    return reconciliation.compare(new Window(begin, end));
  }
}
