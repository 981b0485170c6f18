package io.angarium.spring.autoconfigure;

import static io.angarium.spring.autoconfigure.PropertyMapping.or;

import io.angarium.rabbitmq.RabbitConfig;

/** Maps the properties of RabbitMQ; apart, because the RabbitMQ module need not be present. */
final class RabbitMapping {
  private RabbitMapping() {}

  static RabbitConfig rabbit(AngariumProperties.Rabbitmq given, BrokerDefaults defaults) {
    String addresses = or(given.addresses(), or(defaults.rabbitAddresses(), ""));
    // An address may name an account, which those that stand alone replace.
    RabbitConfig standard = RabbitConfig.of(addresses);
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
