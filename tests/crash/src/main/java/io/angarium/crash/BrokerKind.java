package io.angarium.crash;

import io.angarium.kafka.KafkaConfig;
import io.angarium.kafka.KafkaTransport;
import io.angarium.rabbitmq.RabbitConfig;
import io.angarium.rabbitmq.RabbitTransport;
import io.angarium.rocketmq.RocketConfig;
import io.angarium.rocketmq.RocketTransport;
import io.angarium.testservers.KafkaServer;
import io.angarium.testservers.RabbitServer;
import io.angarium.testservers.RocketServer;
import io.angarium.testservers.ServerOptions;
import io.angarium.transport.Transport;
import java.time.Duration;

/** What services can send to: the process that runs it, and the transport of those that send. */
enum BrokerKind {
  KAFKA,
  RABBITMQ,
  ROCKETMQ;

  /** Below the lease, so that a killed service is soon replaced. */
  private static final Duration TIMEOUT = Duration.ofSeconds(2);

  /** Starts one; to be closed by the caller. */
  Broker start(ServerOptions options) {
    return switch (this) {
      case KAFKA -> new KafkaBroker(KafkaServer.start(options));
      case RABBITMQ -> new RabbitBroker(RabbitServer.start(options));
      case ROCKETMQ -> new RocketBroker(RocketServer.start(options));
    };
  }

  /**
   * Opens the transport of a service.
   *
   * @param address of the {@link Broker}
   */
  Transport open(String address) {
    return switch (this) {
      case KAFKA -> KafkaTransport.open(KafkaConfig.of(address).deliveryTimeout(TIMEOUT));
      case RABBITMQ ->
          RabbitTransport.open(RabbitConfig.of(address).confirmTimeout(TIMEOUT).holdMax(TIMEOUT));
      case ROCKETMQ ->
          RocketTransport.open(RocketConfig.of(address).sendTimeout(TIMEOUT).holdMax(TIMEOUT));
    };
  }

  /** What leads to a topic. */
  String destination(String topic) {
    return switch (this) {
      case KAFKA -> "kafka:" + topic;
      case RABBITMQ -> "rabbitmq:/" + topic;
      case ROCKETMQ -> "rocketmq:" + topic;
    };
  }
}
