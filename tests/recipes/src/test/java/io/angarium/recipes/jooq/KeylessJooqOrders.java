package io.angarium.recipes.jooq;

import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.table;

import io.angarium.Message;
import io.angarium.jdbc.ConnectionOutbox;
import io.angarium.jdbc.JdbcOutbox;
import java.util.ArrayList;
import java.util.List;
import org.jooq.DSLContext;
import org.jooq.exception.DataAccessException;

final class KeylessJooqOrders {
  private final DSLContext dsl;
  private final JdbcOutbox outbox;

  KeylessJooqOrders(DSLContext dsl, JdbcOutbox outbox) {
    this.dsl = dsl;
    this.outbox = outbox;
  }

  void place(List<List<String>> baskets) {
    List<ConnectionOutbox> survivors = new ArrayList<>();
    dsl.transaction(
        transaction -> {
          for (List<String> basket : baskets) {
            try {
              survivors.add(
                  transaction.dsl().transactionResult(nested -> place(nested.dsl(), basket)));
            } catch (DataAccessException e) {
              // this basket alone is rolled back
            }
          }
        });
    survivors.forEach(ConnectionOutbox::committed);
  }

  private ConnectionOutbox place(DSLContext nested, List<String> basket) {
    return nested.connectionResult(
        connection -> {
          ConnectionOutbox messages = outbox.on(connection);
          for (String order : basket) {
            nested.insertInto(table("orders"), field("id", String.class)).values(order).execute();
            messages.send(Message.of("kafka:keyless-jooq-orders", order));
          }
          return messages;
        });
  }
}
