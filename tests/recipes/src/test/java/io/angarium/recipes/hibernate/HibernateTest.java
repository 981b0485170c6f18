package io.angarium.recipes.hibernate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.Message;
import io.angarium.recipes.PlainRelay;
import io.angarium.recipes.Topic;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.SharedServers;
import io.angarium.testservers.TestDatabase;
import java.sql.SQLException;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.AvailableSettings;
import org.hibernate.jpa.HibernatePersistenceConfiguration;
import org.junit.jupiter.api.Test;

@RequiresServer({Server.POSTGRESQL, Server.KAFKA})
class HibernateTest {
  private final TestDatabase database = SharedServers.postgres().freshDatabase();

  @Test
  void ordersAndTheirMessagesCommitTogether() throws SQLException {
    database.execute("CREATE TABLE orders (id VARCHAR(20) PRIMARY KEY)");
    Topic topic = Topic.create("hibernate-orders");

    try (PlainRelay relay = PlainRelay.start(database);
        SessionFactory sessions = sessions(relay)) {
      HibernateOrders orders = new HibernateOrders(sessions, relay.outbox());
      sessions.inTransaction(
          session -> {
            session.doWork(
                connection ->
                    relay
                        .outbox()
                        .on(connection)
                        .send(Message.of("kafka:hibernate-orders", new byte[] {1}).key("lost")));
            session.getTransaction().setRollbackOnly();
          });
      orders.place("1");
      assertThatThrownBy(() -> orders.place("1")).hasMessageContaining("duplicate");
      orders.place("2");

      assertThat(topic.await(2)).containsExactlyInAnyOrder("1", "2");
    }

    assertThat(database.number("SELECT COUNT(*) FROM orders")).isEqualTo(2);
    assertThat(database.number("SELECT COUNT(*) FROM outbox")).isZero();
  }

  private static SessionFactory sessions(PlainRelay relay) {
    return new HibernatePersistenceConfiguration("orders")
        .managedClass(PlacedOrder.class)
        .property(AvailableSettings.JAKARTA_NON_JTA_DATASOURCE, relay.dataSource())
        .createEntityManagerFactory();
  }
}
