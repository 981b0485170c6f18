package io.angarium.recipes.jooq;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.table;

import io.angarium.Message;
import io.angarium.jdbc.ConnectionOutbox;
import io.angarium.jdbc.JdbcOutbox;
import org.jooq.Configuration;
import org.jooq.DSLContext;

final class PlainJooqOrders {
  private final DSLContext dsl;
  private final JdbcOutbox outbox;

  PlainJooqOrders(DSLContext dsl, JdbcOutbox outbox) {
    this.dsl = dsl;
    this.outbox = outbox;
  }

  void place(String order) {
    ConnectionOutbox sent = dsl.transactionResult(transaction -> place(transaction, order));
    sent.committed();
  }

  private ConnectionOutbox place(Configuration transaction, String order) {
    transaction
        .dsl()
        .insertInto(table("orders"), field("id", String.class))
        .values(order)
        .execute();
    return transaction
        .dsl()
        .connectionResult(
            connection -> {
              ConnectionOutbox messages = outbox.on(connection);
              messages.send(
                  Message.of("kafka:plain-jooq-orders", order.getBytes(UTF_8)).key(order));
              return messages;
            });
  }
}
