package io.angarium.quickstart.demo;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * Counts the movements of the stock and checks their order, as an auditor would who trusts nobody.
 * Thread-safe.
 *
 * <p>All of them are read each time. A movement gets its position before it is committed, so it may
 * become visible after one with a higher position, and an audit that read on from the last position
 * would miss it: consumers of different queues book at the same time.
 */
@Component
class StockAudit {
  private final JdbcClient jdbc;

  StockAudit(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /**
   * What the audit found.
   *
   * @param booked all movements
   * @param outOfOrder how many of them did not follow the order before of the same customer
   */
  record Findings(long booked, long outOfOrder) {}

  /** Reads all movements that are committed, in one statement. */
  Findings findings() {
    return jdbc.sql(
            """
            SELECT COUNT(*) AS booked,
              COUNT(*) FILTER (WHERE order_no <> order_before + 1) AS out_of_order
            FROM (
              SELECT order_no,
                LAG(order_no, 1, 0) OVER (PARTITION BY customer ORDER BY position) AS order_before
              FROM stock_movement
            ) AS movement
            """)
        .query(Findings.class)
        .single();
  }
}
