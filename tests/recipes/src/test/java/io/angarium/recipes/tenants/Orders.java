package io.angarium.recipes.tenants;

import static java.nio.charset.StandardCharsets.UTF_8;

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
  public void place(String order) {
    jdbc.update("INSERT INTO orders (id) VALUES (?)", order);
    outbox.send(
        Message.of("kafka:tenant-orders", order.getBytes(UTF_8))
            .key(Tenant.schema() + ":" + order)
            .header("tenant", String.valueOf(Tenant.schema())));
  }
}
