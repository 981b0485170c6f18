package io.angarium.spring.autoconfigure;

import static io.angarium.spring.autoconfigure.PropertyMapping.or;

import io.angarium.rabbitmq.RabbitConfig;
import java.util.List;

/** Maps the properties of RabbitMQ; apart, because the RabbitMQ module need not be present. */
final class RabbitMapping {
  private RabbitMapping() {}

  /**
   * All of it. Where the account, the virtual host and TLS are told more than once, the nearest to
   * us counts, and an address before the properties beside it, as in Spring Boot.
   */
  static RabbitConfig rabbit(AngariumProperties.Rabbitmq given, BrokerDefaults defaults) {
    RabbitConfig reached = reached(given, defaults);
    return reached
        .username(or(given.username(), reached.username()))
        .password(or(given.password(), reached.password()))
        .virtualHost(or(given.virtualHost(), reached.virtualHost()))
        .tls(or(given.tls(), reached.tls()));
  }

  /** Mappings each of which checks other properties. */
  static List<Runnable> checks(AngariumProperties.Rabbitmq given, BrokerDefaults defaults) {
    return List.of(
        () -> addressed(given, defaults, RabbitConfig.of("localhost")),
        // Wrong addresses have faults of their own.
        () -> properties(given, defaults));
  }

  private static RabbitConfig reached(AngariumProperties.Rabbitmq given, BrokerDefaults defaults) {
    return addressed(given, defaults, properties(given, defaults));
  }

  /** With what addresses say. */
  private static RabbitConfig addressed(
      AngariumProperties.Rabbitmq given, BrokerDefaults defaults, RabbitConfig standard) {
    String ours = given.addresses();
    String springs = defaults.rabbitAddresses();
    if (ours == null) {
      return standard.uri(or(springs, ""));
    }
    return springs == null ? standard.uri(ours) : standard.uri(first(springs)).uri(ours);
  }

  /** That whose account counts. */
  private static String first(String addresses) {
    return addresses.split(",", -1)[0];
  }

  /** With everything but what addresses say. */
  private static RabbitConfig properties(
      AngariumProperties.Rabbitmq given, BrokerDefaults defaults) {
    RabbitConfig standard = RabbitConfig.of("localhost");
    return new RabbitConfig(
        standard.addresses(),
        or(given.username(), or(defaults.rabbitUsername(), standard.username())),
        or(given.password(), or(defaults.rabbitPassword(), standard.password())),
        or(given.virtualHost(), or(defaults.rabbitVirtualHost(), standard.virtualHost())),
        or(given.tls(), defaults.rabbitTls()),
        or(given.clientName(), standard.clientName()),
        or(given.channels(), standard.channels()),
        or(given.window(), standard.window()),
        or(given.confirmTimeout(), standard.confirmTimeout()),
        or(given.holdMax(), standard.holdMax()),
        or(given.connectTimeout(), standard.connectTimeout()),
        or(given.heartbeat(), standard.heartbeat()));
  }
}
