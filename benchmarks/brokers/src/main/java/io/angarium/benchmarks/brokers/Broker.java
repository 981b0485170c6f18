package io.angarium.benchmarks.brokers;

import io.angarium.benchmarks.arm.BrokerKind;
import io.angarium.testservers.KafkaServer;
import io.angarium.testservers.RabbitServer;
import io.angarium.testservers.RocketServer;
import io.angarium.testservers.ServerOptions;
import io.angarium.testservers.SharedServers;
import io.angarium.testservers.TestServer;

/** A running broker, of any kind. Thread-safe. */
public interface Broker extends AutoCloseable {
  /** Starts one; to be closed by the caller. */
  static Broker start(BrokerKind kind, ServerOptions options) {
    return switch (kind) {
      case KAFKA -> new KafkaBroker(KafkaServer.start(options));
      case RABBITMQ -> new RabbitBroker(RabbitServer.start(options));
      case ROCKETMQ -> new RocketBroker(RocketServer.start(RocketBroker.asItComes(options)));
    };
  }

  /** The one that the tests of this JVM share; it is not closed. */
  static Broker shared(BrokerKind kind) {
    return switch (kind) {
      case KAFKA -> new KafkaBroker(SharedServers.kafka());
      case RABBITMQ -> new RabbitBroker(SharedServers.rabbit());
      case ROCKETMQ -> new RocketBroker(SharedServers.rocket());
    };
  }

  /** Its process. */
  TestServer server();

  /** Where clients connect. */
  String address();

  /**
   * Creates a topic, so that arms can send to it.
   *
   * @param parts partitions or queues that it has, where the broker knows such
   */
  void createTopic(String topic, int parts);

  /** Deletes a topic, where that makes room. */
  void deleteTopic(String topic);

  /**
   * Reads a topic; to be closed by the caller.
   *
   * @throws IllegalStateException if the broker does not let it
   */
  TopicReader read(String topic);

  /** What it is. */
  default BrokerKind kind() {
    return BrokerKind.valueOf(server().server().name());
  }

  /** The name as its makers write it. */
  default String title() {
    return server().server().title();
  }

  @Override
  default void close() {
    server().close();
  }
}
