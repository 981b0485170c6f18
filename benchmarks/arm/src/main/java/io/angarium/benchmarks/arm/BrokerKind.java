package io.angarium.benchmarks.arm;

/** The brokers that messages are sent to. */
public enum BrokerKind {
  /** Apache Kafka; not every arm can send to another one. */
  KAFKA,
  /** RabbitMQ. */
  RABBITMQ,
  /** Apache RocketMQ. */
  ROCKETMQ
}
