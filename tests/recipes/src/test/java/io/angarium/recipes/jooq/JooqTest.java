package io.angarium.recipes.jooq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.Message;
import io.angarium.jdbc.ConnectionOutbox;
import io.angarium.recipes.Application;
import io.angarium.recipes.PlainRelay;
import io.angarium.recipes.Topic;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.SharedServers;
import io.angarium.testservers.TestDatabase;
import java.sql.SQLException;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;

@RequiresServer({Server.POSTGRESQL, Server.KAFKA})
class JooqTest {
  private final TestDatabase database = SharedServers.postgres().freshDatabase();

  @BeforeEach
  void createTable() throws SQLException {
    database.execute("CREATE TABLE orders (id VARCHAR(20) PRIMARY KEY)");
  }

  @Test
  void withSpringAnnotationsAndTransactionsOfJooqSend() throws SQLException {
    Topic topic = Topic.create("jooq-orders");

    try (ConfigurableApplicationContext context =
        Application.of(JooqShop.class).withoutJpa().on(database).start()) {
      JooqOrders orders = context.getBean(JooqOrders.class);
      DSLContext dsl = context.getBean(DSLContext.class);
      orders.place("1");
      assertThatThrownBy(() -> orders.place("1")).hasMessageContaining("duplicate");
      dsl.transaction(
          transaction -> {
            orders.place("2");
            assertThatThrownBy(() -> placeAndFail(transaction.dsl(), orders)).hasMessage("planned");
            orders.place("3");
          });

      assertThat(topic.await(3)).containsExactlyInAnyOrder("1", "2", "3");
    }

    assertThat(database.number("SELECT COUNT(*) FROM orders")).isEqualTo(3);
    assertThat(database.number("SELECT COUNT(*) FROM outbox")).isZero();
  }

  private static void placeAndFail(DSLContext dsl, JooqOrders orders) {
    dsl.transaction(
        nested -> {
          orders.place("lost");
          throw new IllegalStateException("planned");
        });
  }

  @Test
  void withoutSpringTheConnectionOfTheTransactionSends() throws SQLException {
    Topic topic = Topic.create("plain-jooq-orders");

    try (PlainRelay relay = PlainRelay.start(database)) {
      DSLContext dsl = DSL.using(relay.dataSource(), SQLDialect.POSTGRES);
      PlainJooqOrders orders = new PlainJooqOrders(dsl, relay.outbox());
      orders.place("1");
      assertThatThrownBy(() -> orders.place("1")).hasMessageContaining("duplicate");
      dsl.transaction(
          transaction -> {
            PlainJooqOrders inner = new PlainJooqOrders(transaction.dsl(), relay.outbox());
            assertThatThrownBy(
                    () ->
                        transaction
                            .dsl()
                            .transaction(
                                nested -> {
                                  new PlainJooqOrders(nested.dsl(), relay.outbox()).place("lost");
                                  throw new IllegalStateException("planned");
                                }))
                .hasMessage("planned");
            inner.place("2");
          });

      assertThat(topic.await(2)).containsExactlyInAnyOrder("1", "2");
    }

    assertThat(database.number("SELECT COUNT(*) FROM orders")).isEqualTo(2);
    assertThat(database.number("SELECT COUNT(*) FROM outbox")).isZero();
  }

  @Test
  void withoutSpringNestedTransactionsShareAnOutbox() throws SQLException {
    Topic topic = Topic.create("keyless-jooq-orders");

    try (PlainRelay relay = PlainRelay.start(database)) {
      DSLContext dsl = DSL.using(relay.dataSource(), SQLDialect.POSTGRES);
      ConnectionOutbox outbox =
          dsl.transactionResult(
              transaction -> {
                DSLContext outer = transaction.dsl();
                ConnectionOutbox shared = outer.connectionResult(relay.outbox()::on);
                shared.send(Message.of("kafka:keyless-jooq-orders", "1"));
                assertThatThrownBy(() -> sendAndFail(outer, shared)).hasMessage("planned");
                outer.transaction(
                    nested -> shared.send(Message.of("kafka:keyless-jooq-orders", "2")));
                return shared;
              });
      outbox.committed();

      assertThat(topic.await(2)).containsExactlyInAnyOrder("1", "2");
    }

    assertThat(database.number("SELECT COUNT(*) FROM outbox")).isZero();
  }

  private static void sendAndFail(DSLContext dsl, ConnectionOutbox outbox) {
    dsl.transaction(
        nested -> {
          outbox.send(Message.of("kafka:keyless-jooq-orders", "lost"));
          throw new IllegalStateException("planned");
        });
  }

  @Test
  void withoutSpringTheRelayFindsWhatNobodyReportsAsCommitted() throws SQLException {
    Topic topic = Topic.create("unreported-jooq-orders");

    try (PlainRelay relay = PlainRelay.start(database)) {
      DSL.using(relay.dataSource(), SQLDialect.POSTGRES)
          .transaction(
              transaction ->
                  transaction
                      .dsl()
                      .connection(
                          connection -> {
                            Message order = Message.of("kafka:unreported-jooq-orders", "keyless");
                            relay.outbox().on(connection).send(order);
                          }));

      assertThat(topic.await(1)).containsExactly("keyless");
    }
  }
}
