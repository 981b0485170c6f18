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
        rabbitTls(environment),
        environment.getProperty("rocketmq.name-server"),
        RedisDefaults.of(environment));
  }

  private static @Nullable String rabbitAddresses(Environment environment) {
    String host = environment.getProperty(RABBIT + "host");
    String port = environment.getProperty(RABBIT + "port");
    String single = host == null || port == null ? host : host + ":" + port;
    return environment.getProperty(RABBIT + "addresses", String.class, single);
  }

  /** A bundle of certificates switches it on, too, as in Spring Boot. */
  private static boolean rabbitTls(Environment environment) {
    return environment.getProperty(RABBIT + "ssl.enabled", Boolean.class, false)
        || environment.containsProperty(RABBIT + "ssl.bundle");
  }

  /** Never the password. */
  @Override
  public String toString() {
    return "BrokerDefaults[%s, %s, %s]".formatted(kafkaServers, rabbitAddresses, rocketNameServers);
  }
}
