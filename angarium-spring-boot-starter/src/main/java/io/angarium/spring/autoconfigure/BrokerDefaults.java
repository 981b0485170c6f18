package io.angarium.spring.autoconfigure;

import org.jspecify.annotations.Nullable;
import org.springframework.core.env.Environment;

/**
 * Where brokers are by the properties of others: Spring Boot's own for Kafka, RabbitMQ and Redis,
 * and those of RocketMQ's starter. Immutable.
 *
 * @param kafkaServers null if none are named
 * @param rabbitAddresses null if none are named
 * @param rabbitTls whether RabbitMQ is reached by TLS
 * @param rocketNameServers null if none are named
 * @param redis of the inbox on Redis
 */
record BrokerDefaults(
    @Nullable String kafkaServers,
    @Nullable String rabbitAddresses,
    @Nullable String rabbitUsername,
    @Nullable String rabbitPassword,
    @Nullable String rabbitVirtualHost,
    boolean rabbitTls,
    @Nullable String rocketNameServers,
    RedisDefaults redis) {
  private static final String RABBIT = "spring.rabbitmq.";

  static BrokerDefaults of(Environment environment) {
    return new BrokerDefaults(
        environment.getProperty("spring.kafka.bootstrap-servers"),
        rabbitAddresses(environment),
        environment.getProperty(RABBIT + "username"),
        environment.getProperty(RABBIT + "password"),
        environment.getProperty(RABBIT + "virtual-host"),
        environment.getProperty(RABBIT + "ssl.enabled", Boolean.class, false),
        environment.getProperty("rocketmq.name-server"),
        RedisDefaults.of(environment));
  }

  private static @Nullable String rabbitAddresses(Environment environment) {
    String host = environment.getProperty(RABBIT + "host");
    String single =
        host == null ? null : host + ":" + environment.getProperty(RABBIT + "port", "5672");
    return environment.getProperty(RABBIT + "addresses", String.class, single);
  }

  /** Never the password. */
  @Override
  public String toString() {
    return "BrokerDefaults[%s, %s, %s]".formatted(kafkaServers, rabbitAddresses, rocketNameServers);
  }
}
