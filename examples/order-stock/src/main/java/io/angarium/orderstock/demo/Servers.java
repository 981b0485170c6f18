package io.angarium.orderstock.demo;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.angarium.orderstock.stock.StockQueues;
import io.angarium.testservers.DatabaseServer;
import io.angarium.testservers.KafkaServer;
import io.angarium.testservers.RabbitServer;
import io.angarium.testservers.RocketServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.ServerOptions;
import io.angarium.testservers.TestDatabase;
import io.angarium.testservers.TestServer;
import java.io.IOException;
import java.net.URISyntaxException;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.concurrent.TimeoutException;

/**
 * A database server with a database for each service, and a broker: processes of their own, gone
 * with their data at the end. Immutable.
 *
 * @param addresses what the services need to know of the broker, as arguments
 * @param destination where the order service sends
 */
record Servers(
    DatabaseServer databases,
    TestDatabase orders,
    TestDatabase stock,
    TestServer broker,
    List<String> addresses,
    String destination)
    implements AutoCloseable {
  private static final String TOPIC = "orders";
  private static final int PARTITIONS = 2;

  /** A broker as the services use it. */
  private record Broker(TestServer server, String address, String destination) {}

  /** Starts them; blocks until they answer. */
  static Servers start(Options options) {
    ServerOptions own = ServerOptions.standard().ownProcess();
    Server kind = options.database().equals("mariadb") ? Server.MARIADB : Server.POSTGRESQL;
    DatabaseServer databases = DatabaseServer.start(kind, own);
    try {
      TestDatabase orders = databases.createDatabase("orders");
      TestDatabase stock = databases.createDatabase("stock");
      Broker broker = broker(options.broker(), own);
      return new Servers(
          databases,
          orders,
          stock,
          broker.server(),
          List.of(broker.address()),
          broker.destination());
    } catch (RuntimeException e) {
      databases.close();
      throw e;
    }
  }

  private static Broker broker(String name, ServerOptions own) {
    return switch (name) {
      case "rabbitmq" -> rabbit(RabbitServer.start(own));
      case "rocketmq" -> rocket(RocketServer.start(own));
      default -> kafka(KafkaServer.start(own));
    };
  }

  private static Broker kafka(KafkaServer kafka) {
    kafka.createTopic(TOPIC, PARTITIONS);
    String address = "--spring.kafka.bootstrap-servers=" + kafka.bootstrapServers();
    return new Broker(kafka, address, "kafka:" + TOPIC);
  }

  private static Broker rabbit(RabbitServer rabbit) {
    declareQueues(rabbit);
    String address = "--spring.rabbitmq.addresses=" + rabbit.uri();
    return new Broker(rabbit, address, "rabbitmq:" + TOPIC + "/order.paid");
  }

  private static Broker rocket(RocketServer rocket) {
    rocket.createTopic(TOPIC, PARTITIONS);
    String address = "--rocketmq.name-server=" + rocket.nameServer();
    return new Broker(rocket, address, "rocketmq:" + TOPIC);
  }

  /** Before the first order is paid: what nobody has a queue for is refused. */
  private static void declareQueues(RabbitServer rabbit) {
    ConnectionFactory factory = new ConnectionFactory();
    try {
      factory.setUri(rabbit.uri());
      factory.setHandshakeTimeout(120_000); // the machine may be busy
      try (Connection connection = factory.newConnection();
          Channel channel = connection.createChannel()) {
        StockQueues.TOPOLOGY.declare(channel);
      }
    } catch (IOException | TimeoutException | URISyntaxException | GeneralSecurityException e) {
      throw new IllegalStateException("The queues cannot be declared on " + rabbit.uri(), e);
    }
  }

  /** Ends both. */
  @Override
  public void close() {
    broker.close();
    databases.close();
  }
}
