package io.angarium.recipes.tenants;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.angarium.Message;
import io.angarium.Outbox;
import jakarta.persistence.EntityManager;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Places orders by JPA. */
@Service
class JpaOrders {
  private final EntityManager entities;
  private final Outbox outbox;

  JpaOrders(EntityManager entities, Outbox outbox) {
    this.entities = entities;
    this.outbox = outbox;
  }

  @Transactional
  public void place(String order) {
    entities.persist(new JpaOrder(order));
    outbox.send(
        Message.of("kafka:" + JpaShop.TOPIC, order.getBytes(UTF_8))
            .key(Tenant.schema() + ":" + order));
  }
}
