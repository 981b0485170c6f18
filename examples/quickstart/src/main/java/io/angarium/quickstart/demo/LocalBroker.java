package io.angarium.quickstart.demo;

import io.angarium.Destination;
import io.angarium.quickstart.demo.Arguments.BrokerChoice;
import io.angarium.testservers.KafkaServer;
import io.angarium.testservers.RabbitServer;
import io.angarium.testservers.RocketServer;
import io.angarium.testservers.ServerOptions;
import io.angarium.testservers.ServerUnavailableException;
import io.angarium.testservers.TestServer;
import java.util.HashMap;
import java.util.Map;

/**
 * The broker of the quickstart, where the orders go, and how to reach it. Immutable.
 *
 * @param properties what Spring Boot needs to know
 */
record LocalBroker(TestServer server, Destination orders, Map<String, String> properties)
    implements AutoCloseable {
  private static final String TOPIC = "orders";
  private static final int PARTITIONS = 4;

  /**
   * Starts a broker; blocks until it answers.
   *
   * @throws ServerUnavailableException if it cannot be had here
   */
  static LocalBroker start(BrokerChoice choice) {
    ServerOptions options = ServerOptions.standard().ownProcess();
    return switch (choice) {
      case KAFKA -> kafka(options);
      case RABBITMQ -> rabbit(options);
      case ROCKETMQ -> rocket(options);
    };
  }

  private static LocalBroker kafka(ServerOptions options) {
    KafkaServer server = KafkaServer.start(options);
    server.createTopic(TOPIC, PARTITIONS);
    return of(
        server,
        BrokerChoice.KAFKA,
        TOPIC,
        Map.of("spring.kafka.bootstrap-servers", server.bootstrapServers()));
  }

  /** The stock service declares the exchange and its queues. */
  private static LocalBroker rabbit(ServerOptions options) {
    RabbitServer server = RabbitServer.start(options);
    return of(
        server,
        BrokerChoice.RABBITMQ,
        TOPIC + "/order.placed",
        Map.of("spring.rabbitmq.addresses", server.uri()));
  }

  private static LocalBroker rocket(ServerOptions options) {
    RocketServer server = RocketServer.start(options);
    server.createTopic(TOPIC, PARTITIONS);
    return of(
        server, BrokerChoice.ROCKETMQ, TOPIC, Map.of("rocketmq.name-server", server.nameServer()));
  }

  /** With the transports of the other brokers switched off: there is nothing to send to. */
  private static LocalBroker of(
      TestServer server, BrokerChoice choice, String address, Map<String, String> where) {
    Destination orders = new Destination(choice.transport(), address);
    Map<String, String> properties = new HashMap<>(where);
    for (BrokerChoice each : BrokerChoice.values()) {
      properties.put("angarium." + each.transport() + ".enabled", Boolean.toString(each == choice));
    }
    properties.put("shop.broker", choice.transport());
    properties.put("shop.orders", orders.toString());
    return new LocalBroker(server, orders, Map.copyOf(properties));
  }

  /** Product and version. */
  String title() {
    return server.server().title() + " " + server.version();
  }

  @Override
  public void close() {
    server.close();
  }
}
