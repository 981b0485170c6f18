package io.angarium.quickstart.orders;

import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.GeneratedKeyHolder;
import org.springframework.jdbc.support.KeyHolder;
import org.springframework.stereotype.Repository;

/** The table of orders. Thread-safe. */
@Repository
class OrderTable {
  private final JdbcClient jdbc;
  private final InstantSource clock;

  OrderTable(JdbcClient jdbc, InstantSource clock) {
    this.jdbc = jdbc;
    this.clock = clock;
  }

  /** Adds an order with the next number of its customer; needs a transaction. */
  Order add(NewOrder wanted) {
    int number = nextNumber(wanted.customer());
    Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
    KeyHolder keys = new GeneratedKeyHolder();
    jdbc.sql(
            """
            INSERT INTO customer_order (customer, order_no, item, quantity, placed_at)
            VALUES (?, ?, ?, ?, ?)
            """)
        .params(
            wanted.customer(),
            number,
            wanted.item(),
            wanted.quantity(),
            now.atOffset(ZoneOffset.UTC))
        .update(keys, "id");
    long id = Objects.requireNonNull(keys.getKey()).longValue();
    return new Order(id, wanted.customer(), number, wanted.item(), wanted.quantity(), now);
  }

  /** The row lock makes the orders of one customer follow each other until their commit. */
  private int nextNumber(String customer) {
    int found =
        jdbc.sql("UPDATE customer SET orders = orders + 1 WHERE name = ?").param(customer).update();
    if (found == 0) {
      throw new IllegalArgumentException("customer: " + customer + " (expected: a known customer)");
    }
    return jdbc.sql("SELECT orders FROM customer WHERE name = ?")
        .param(customer)
        .query(Integer.class)
        .single();
  }
}
