package io.angarium.messagecentre.orders;

import io.angarium.spring.half.TransactionalMessage;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;

/**
 * Takes payments; the ledger is told of those that commit. If this process dies in between, the
 * centre asks, and the marker that was written in the transaction answers. Thread-safe.
 */
@Service
public class Payments {
  private final JdbcClient jdbc;
  private final Trouble trouble;

  Payments(JdbcClient jdbc, Trouble trouble) {
    this.jdbc = jdbc;
    this.trouble = trouble;
  }

  /**
   * Takes the payment of an order.
   *
   * @param wanted what the demonstration wants to go wrong
   */
  @TransactionalMessage(
      business = "order-paid",
      key = "#paid.order",
      destination = "http:ledger",
      payload = "#paid",
      messageKey = "#paid.order")
  public void pay(OrderPaid paid, Trouble.Kind wanted) {
    jdbc.sql("INSERT INTO orders (id, cents, state) VALUES (?, ?, 'paid')")
        .params(paid.order(), paid.cents())
        .update();
    trouble.make(wanted);
  }
}
