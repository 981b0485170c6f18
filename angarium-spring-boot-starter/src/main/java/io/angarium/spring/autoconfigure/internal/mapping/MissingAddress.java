package io.angarium.spring.autoconfigure.internal.mapping;

import io.angarium.ConfigurationException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a fault says that nothing names a server, and who could. Immutable.
 *
 * @param property of ours, below {@code angarium}
 * @param form of its value
 * @param others the property of others that is read, too, and the bean of connection details
 * @param use what is not there where no server is
 * @param without the setting for an application that needs no such server
 */
record MissingAddress(String property, String form, String others, String use, String without) {
  static final MissingAddress KAFKA =
      new MissingAddress(
          "kafka.bootstrap-servers",
          "host:port",
          "spring.kafka.bootstrap-servers, or a bean of KafkaConnectionDetails",
          "Kafka",
          "angarium.kafka.enabled=false");

  static final MissingAddress RABBITMQ =
      new MissingAddress(
          "rabbitmq.addresses",
          "host:port or amqp://user:password@host:port/virtual-host",
          "spring.rabbitmq.addresses or spring.rabbitmq.host, or a bean of"
              + " RabbitConnectionDetails",
          "RabbitMQ",
          "angarium.rabbitmq.enabled=false");

  static final MissingAddress ROCKETMQ =
      new MissingAddress(
          "rocketmq.name-servers",
          "host:port",
          "rocketmq.name-server of rocketmq-spring; Spring Boot has no connection details for it",
          "RocketMQ",
          "angarium.rocketmq.enabled=false");

  static final MissingAddress REDIS =
      new MissingAddress(
          "inbox.redis.uri",
          "redis://user:password@host:port/database",
          "spring.data.redis.url or spring.data.redis.host, or a bean of RedisConnectionDetails",
          "Redis",
          "angarium.inbox.redis.enabled=false");

  /**
   * Passes on what names the server.
   *
   * @throws ConfigurationException if nothing does
   */
  String required(@Nullable String address) {
    if (address == null || address.isBlank()) {
      throw fault();
    }
    return address;
  }

  ConfigurationException fault() {
    return new ConfigurationException(
        List.of(
            "%s: none (expected: %s, here or by %s; or %s if %s is not used)"
                .formatted(property, form, others, without, use)));
  }
}
