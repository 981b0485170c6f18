package io.angarium.spring.autoconfigure;

import static io.angarium.spring.autoconfigure.PropertyMapping.or;

import io.angarium.ConfigurationException;
import io.angarium.rabbitmq.RabbitConfig;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Maps the properties of RabbitMQ; apart, because the RabbitMQ module need not be present. */
final class RabbitMapping {
  private RabbitMapping() {}

  /**
   * All of it. Where the account, the virtual host and TLS are told more than once, the nearest to
   * us counts, and an address before the properties beside it, as in Spring Boot.
   */
  static RabbitConfig rabbit(AngariumProperties.Rabbitmq given, BrokerDefaults defaults) {
    RabbitConfig reached = reached(given, defaults);
    RabbitConfig account =
        reached
            .username(or(given.username(), reached.username()))
            .password(or(given.password(), reached.password()))
            .virtualHost(or(given.virtualHost(), reached.virtualHost()))
            .tls(or(given.tls(), reached.tls()));
    return account.trusting(trusted(given));
  }

  /** Mappings each of which checks other properties. */
  static List<Runnable> checks(AngariumProperties.Rabbitmq given, BrokerDefaults defaults) {
    return List.of(
        () -> addressed(given, defaults, RabbitConfig.of("localhost")),
        // Wrong addresses have faults of their own.
        () -> properties(given, defaults),
        () -> trusting(given, defaults));
  }

  /** Whom it trusts, and whether it does. */
  private static void trusting(AngariumProperties.Rabbitmq given, BrokerDefaults defaults) {
    boolean tls = true;
    try {
      tls = or(given.tls(), reached(given, defaults).tls());
    } catch (ConfigurationException e) {
      // told already
    }
    RabbitConfig.of("localhost").tls(tls).trusting(trusted(given));
  }

  private static @Nullable Path trusted(AngariumProperties.Rabbitmq given) {
    String file = given.trustedCertificates();
    return file == null ? null : Path.of(file);
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
        null,
        or(given.clientName(), standard.clientName()),
        or(given.channels(), standard.channels()),
        or(given.window(), standard.window()),
        or(given.confirmTimeout(), standard.confirmTimeout()),
        or(given.holdMax(), standard.holdMax()),
        or(given.connectTimeout(), standard.connectTimeout()),
        or(given.heartbeat(), standard.heartbeat()));
  }
}
