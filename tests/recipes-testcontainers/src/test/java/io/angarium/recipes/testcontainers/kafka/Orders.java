package io.angarium.recipes.testcontainers.kafka;

import io.angarium.Message;
import io.angarium.Outbox;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

@Service
class Orders {
  private final JdbcTemplate jdbc;
  private final Outbox outbox;

  Orders(JdbcTemplate jdbc, Outbox outbox) {
    this.jdbc = jdbc;
    this.outbox = outbox;
  }

  @Transactional
  public void place(String customer, String order) {
    jdbc.update("INSERT INTO orders (id, customer) VALUES (?, ?)", order, customer);
    outbox.send(Message.of("kafka:orders", order).key(customer));
  }
}
