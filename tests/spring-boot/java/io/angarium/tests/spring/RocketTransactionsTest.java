package io.angarium.tests.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.Message;
import io.angarium.half.Marker;
import io.angarium.half.Verdict;
import io.angarium.half.local.LocalTransactions;
import io.angarium.rocketmq.transaction.RocketTransactions;
import io.angarium.rocketmq.transaction.RocketTransactions.Committed;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.RocketServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.SharedServers;
import java.io.IOException;
import java.sql.Connection;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

/** RocketMQ's transactional messages in an application of Spring Boot. */
@RequiresServer({Server.POSTGRESQL, Server.ROCKETMQ})
@OnBootFour
class RocketTransactionsTest {
  @Test
  @SuppressWarnings("unchecked") // beans are asked for by their raw type
  void workOfJdbcTemplateAndTheMarkerCommitTogether() {
    RocketServer rocket = SharedServers.rocket();
    rocket.createTopic("spring-transactions", 1);
    Database database = Database.postgres().withOrders();

    try (ConfigurableApplicationContext context = start(database, rocket)) {
      RocketTransactions<Connection> transactions = context.getBean(RocketTransactions.class);
      LocalTransactions<Connection> local = context.getBean(LocalTransactions.class);
      JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
      Message message =
          Message.of("rocketmq:spring-transactions", new byte[] {1}).business("order", "1");

      Committed<Integer> committed =
          transactions.send(message, connection -> insert(jdbc, 1));
      assertThatThrownBy(
              () ->
                  transactions.send(
                      message,
                      connection -> {
                        insert(jdbc, 2);
                        throw new IOException("planned");
                      }))
          .isInstanceOf(IOException.class);

      assertThat(committed.result()).isEqualTo(1);
      assertThat(database.orders()).containsExactly(1L);
      assertThat(local.check(new Marker("order", committed.id().toString())))
          .isEqualTo(Verdict.COMMITTED);
    }
  }

  private static int insert(JdbcTemplate jdbc, long id) {
    return jdbc.update("INSERT INTO orders (id, state) VALUES (?, 'new')", id);
  }

  private static ConfigurableApplicationContext start(Database database, RocketServer rocket) {
    return Shop.on(database)
        .withoutJpa()
        .with("angarium.rocketmq.name-servers=" + rocket.nameServer())
        .with("angarium.rocketmq.send-timeout=30s") // the machine may be busy
        .with("angarium.rocketmq.transactions.enabled=true")
        .with("angarium.rocketmq.transactions.producer-group=shop-transactions")
        .start();
  }

  @Test
  void withoutThePropertyThereIsNone() {
    try (ConfigurableApplicationContext context =
        Shop.on(Database.h2()).withoutJpa().start()) {
      assertThat(context.getBeanNamesForType(RocketTransactions.class)).isEmpty();
    }
  }
}
