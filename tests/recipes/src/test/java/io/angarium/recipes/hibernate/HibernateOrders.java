package io.angarium.recipes.hibernate;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.angarium.Message;
import io.angarium.jdbc.ConnectionOutbox;
import io.angarium.jdbc.JdbcOutbox;
import org.hibernate.SessionFactory;

final class HibernateOrders {
  private final SessionFactory sessions;
  private final JdbcOutbox outbox;

  HibernateOrders(SessionFactory sessions, JdbcOutbox outbox) {
    this.sessions = sessions;
    this.outbox = outbox;
  }

  void place(String order) {
    ConnectionOutbox sent =
        sessions.fromTransaction(
            session -> {
              session.persist(new PlacedOrder(order));
              session.flush(); // business statements first: their locks decide the order
              return session.doReturningWork(
                  connection -> {
                    ConnectionOutbox messages = outbox.on(connection);
                    messages.send(
                        Message.of("kafka:hibernate-orders", order.getBytes(UTF_8)).key(order));
                    return messages;
                  });
            });
    sent.committed();
  }
}
