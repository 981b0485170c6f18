package io.angarium.orderstock.orders;

import io.angarium.Message;
import io.angarium.Outbox;
import java.sql.Timestamp;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;
import tools.jackson.databind.json.JsonMapper;

/** Marks orders as paid; the row and its message are one transaction. Thread-safe. */
@Service
public class OrderService {
  private final JdbcClient jdbc;
  private final Outbox outbox;
  private final JsonMapper json;
  private final String destination;

  OrderService(
      JdbcClient jdbc,
      Outbox outbox,
      JsonMapper json,
      @Value("${shop.destination}") String destination) {
    this.jdbc = jdbc;
    this.outbox = outbox;
    this.json = json;
    this.destination = destination;
  }

  /** Books the payment of an order; the broker may be down. */
  @Transactional
  public void pay(long id, String item, int quantity) {
    Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
    jdbc.sql("INSERT INTO paid_order (id, item, quantity, paid_at) VALUES (?, ?, ?, ?)")
        .params(id, item, quantity, Timestamp.from(now))
        .update();
    outbox.send(
        Message.of(destination, json.writeValueAsBytes(new OrderPaid(id, item, quantity, now)))
            .key("order-" + id)
            .type("order-paid"));
  }
}
