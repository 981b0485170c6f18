package io.angarium.tests.spring;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.Outbox;
import io.angarium.testservers.RabbitServer;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.RocketServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.SharedServers;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Both in one application; each message goes where its destination says. */
@RequiresServer({Server.POSTGRESQL, Server.RABBITMQ, Server.ROCKETMQ})
class RabbitAndRocketTest {
  private static final String QUEUE = "spring-orders";

  @Test
  void committedMessagesReachTheBrokersTheyNameAndRolledBackOnesDoNot() throws Exception {
    RabbitServer rabbit = SharedServers.rabbit();
    RocketServer rocket = SharedServers.rocket();
    rocket.createTopic(QUEUE, 1);
    Database database = Database.postgres();
    Set<String> committed;

    try (Connection connection = connect(rabbit);
        Channel channel = connection.createChannel()) {
      channel.queueDeclare(QUEUE, true, false, false, null);
      try (ConfigurableApplicationContext context = start(database, rabbit, rocket)) {
        committed = sendAll(context);
        database.awaitSent(); // the close waits for the rest only so long
      }

      assertThat(received(channel)).isEqualTo(committed);
    }
    assertThat(database.unsent()).isZero();
  }

  private static ConfigurableApplicationContext start(
      Database database, RabbitServer rabbit, RocketServer rocket) {
    return Shop.on(database)
        .withoutJpa()
        .with("angarium.rabbitmq.enabled=true")
        .with("spring.rabbitmq.host=127.0.0.1")
        .with("spring.rabbitmq.port=" + rabbit.port())
        .with("angarium.rocketmq.enabled=true")
        .with("angarium.rocketmq.name-servers=" + rocket.nameServer())
        .with("angarium.rocketmq.send-timeout=30s") // the machine may be busy
        .start();
  }

  /** Returns the ids of those for RabbitMQ that are committed. */
  private static Set<String> sendAll(ConfigurableApplicationContext context) {
    Set<String> committed = new HashSet<>();
    Outbox outbox = context.getBean(Outbox.class);
    TransactionTemplate transactions =
        new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
    for (int i = 0; i < 10; i++) {
      String key = "order " + i;
      boolean rollback = i % 2 == 1;
      transactions.executeWithoutResult(
          status -> {
            MessageId id = outbox.send(Message.of("rabbitmq:/" + QUEUE, new byte[] {1}).key(key));
            outbox.send(Message.of("rocketmq:" + QUEUE, new byte[] {1}).key(key));
            if (rollback) {
              status.setRollbackOnly();
            } else {
              committed.add(id.toString());
            }
          });
    }
    return committed;
  }

  /** Without repeats: a message whose confirm is late comes again. */
  private static Set<String> received(Channel channel) throws IOException {
    Set<String> ids = new HashSet<>();
    for (GetResponse next = channel.basicGet(QUEUE, true);
        next != null;
        next = channel.basicGet(QUEUE, true)) {
      ids.add(next.getProps().getMessageId());
    }
    return ids;
  }

  private static Connection connect(RabbitServer rabbit) throws Exception {
    ConnectionFactory factory = new ConnectionFactory();
    factory.setUri(rabbit.uri());
    factory.setHandshakeTimeout(60_000); // the machine may be busy
    return factory.newConnection();
  }
}
