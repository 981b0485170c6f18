package io.angarium.tests.spring.checkout;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.angarium.BusinessKey;
import io.angarium.BusinessKey.Uniqueness;
import io.angarium.Message;
import io.angarium.Outbox;
import io.angarium.TypedOutbox;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.Transactional;

/** What users have in their transactions. */
class Checkout {
  private final JdbcTemplate jdbc;
  private final Outbox outbox;
  private final TypedOutbox objects;

  Checkout(JdbcTemplate jdbc, Outbox outbox, TypedOutbox objects) {
    this.jdbc = jdbc;
    this.outbox = outbox;
    this.objects = objects;
    jdbc.execute("CREATE TABLE IF NOT EXISTS paid (id VARCHAR(20) NOT NULL)");
  }

  @Transactional
  public void pay(String order) {
    jdbc.update("INSERT INTO paid (id) VALUES (?)", order);
    outbox.send(message(order));
  }

  @Transactional
  public void refund(String order) {
    objects.send("kafka:orders", order, new OrderRefunded(order));
  }

  @Transactional
  public void payAndFail(String order) {
    pay(order);
    throw new IllegalStateException("planned");
  }

  @Transactional
  public void payOnce(String order, Uniqueness uniqueness) {
    outbox.send(message(order).business(new BusinessKey("order-paid", order, uniqueness)));
  }

  @Transactional
  public void payOnceAndFail(String order) {
    payOnce(order, Uniqueness.REFUSE);
    throw new IllegalStateException("planned");
  }

  void payWithoutTransaction(String order) {
    outbox.send(message(order));
  }

  record OrderRefunded(String order) {}

  private static Message message(String order) {
    byte[] json = ("{\"id\":" + order + "}").getBytes(UTF_8);
    return Message.of("kafka:orders", json).key(order).type("order-paid");
  }
}
