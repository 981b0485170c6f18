package io.angarium.recipes.jooq;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.table;

import io.angarium.Message;
import io.angarium.Outbox;
import org.jooq.DSLContext;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

@Service
class JooqOrders {
  private final DSLContext dsl;
  private final Outbox outbox;

  JooqOrders(DSLContext dsl, Outbox outbox) {
    this.dsl = dsl;
    this.outbox = outbox;
  }

  @Transactional
  public void place(String order) {
    dsl.insertInto(table("orders"), field("id", String.class)).values(order).execute();
    outbox.send(Message.of("kafka:jooq-orders", order.getBytes(UTF_8)).key(order));
  }
}
