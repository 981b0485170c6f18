package io.angarium.spring.autoconfigure;

import static io.angarium.spring.autoconfigure.PropertyMapping.or;

import io.angarium.rabbitmq.RabbitConfig;
import java.util.List;

/** Maps the properties of RabbitMQ; apart, because the RabbitMQ module need not be present. */
final class RabbitMapping {
  private RabbitMapping() {}

  static RabbitConfig rabbit(AngariumProperties.Rabbitmq given, BrokerDefaults defaults) {
    return rabbit(given, defaults, addresses(given, defaults));
  }

  /** Mappings each of which checks other properties. */
  static List<Runnable> checks(AngariumProperties.Rabbitmq given, BrokerDefaults defaults) {
    return List.of(
        () -> addresses(given, defaults),
        // Wrong addresses have faults of their own.
        () -> rabbit(given, defaults, RabbitConfig.of("localhost")));
  }

  private static RabbitConfig addresses(
      AngariumProperties.Rabbitmq given, BrokerDefaults defaults) {
    return RabbitConfig.of(or(given.addresses(), or(defaults.rabbitAddresses(), "")));
  }

  /**
   * All of it.
   *
   * @param standard the addresses, which may name an account that properties of its own replace
   */
  private static RabbitConfig rabbit(
      AngariumProperties.Rabbitmq given, BrokerDefaults defaults, RabbitConfig standard) {
    return new RabbitConfig(
        standard.addresses(),
        or(given.username(), or(defaults.rabbitUsername(), standard.username())),
        or(given.password(), or(defaults.rabbitPassword(), standard.password())),
        or(given.virtualHost(), or(defaults.rabbitVirtualHost(), standard.virtualHost())),
        or(given.tls(), defaults.rabbitTls() || standard.tls()),
        or(given.clientName(), standard.clientName()),
        or(given.channels(), standard.channels()),
        or(given.window(), standard.window()),
        or(given.confirmTimeout(), standard.confirmTimeout()),
        or(given.holdMax(), standard.holdMax()),
        or(given.connectTimeout(), standard.connectTimeout()),
        or(given.heartbeat(), standard.heartbeat()));
  }
}
