package io.angarium.spring.autoconfigure.internal.mapping;

import static io.angarium.spring.autoconfigure.internal.mapping.PropertyMapping.or;

import io.angarium.ConfigurationException;
import io.angarium.rabbitmq.RabbitConfig;
import io.angarium.spring.autoconfigure.internal.details.RabbitDefaults;
import io.angarium.spring.autoconfigure.internal.details.SharedTls;
import io.angarium.spring.settings.AngariumProperties;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.ssl.SslBundle;

/** Maps the properties of RabbitMQ; apart, because the RabbitMQ module need not be present. */
public final class RabbitMapping {
  private static final String BUNDLE = "spring.rabbitmq.ssl";
  private static final Logger LOG = LoggerFactory.getLogger(RabbitMapping.class);

  private RabbitMapping() {}

  /**
   * All of it. Where the account, the virtual host and TLS are told more than once, the nearest to
   * us counts, and an address before the properties beside it, as in Spring Boot.
   */
  public static RabbitConfig rabbit(AngariumProperties.Rabbitmq given, RabbitDefaults defaults) {
    RabbitConfig account = account(given, defaults);
    SslBundle bundle = bundle(given, defaults, account);
    if (bundle != null && bundle.getOptions().isSpecified()) {
      LOG.warn(
          "RabbitMQ at {}: the SSL bundle restricts protocols or cipher suites, which is not used"
              + " here; the JVM's (jdk.tls.client.protocols) are offered to the broker",
          account.addresses());
    }
    return account.trusting(trusted(given)).sslContext(SharedTls.context(BUNDLE, bundle));
  }

  /** The configuration without trusted certificates. */
  static RabbitConfig account(AngariumProperties.Rabbitmq given, RabbitDefaults defaults) {
    RabbitConfig reached = reached(given, defaults);
    return reached
        .username(or(given.username(), reached.username()))
        .password(or(given.password(), reached.password()))
        .virtualHost(or(given.virtualHost(), reached.virtualHost()))
        .tls(or(given.tls(), reached.tls()));
  }

  /** The bundle that is used; null for none. */
  static @Nullable SslBundle bundle(
      AngariumProperties.Rabbitmq given, RabbitDefaults defaults, RabbitConfig config) {
    return config.tls() && given.trustedCertificates() == null ? defaults.bundle() : null;
  }

  /** Returns properties without any setting. */
  static AngariumProperties.Rabbitmq nothing() {
    return new AngariumProperties.Rabbitmq(
        true, null, null, null, null, null, null, null, null, null, null);
  }

  /** Returns mappings as checks; each mapping checks different properties. */
  public static List<Runnable> checks(AngariumProperties.Rabbitmq given, RabbitDefaults defaults) {
    return List.of(
        () -> addressed(given, defaults, RabbitConfig.of("localhost")),
        // Wrong addresses have faults of their own.
        () -> properties(given, defaults),
        () -> trusting(given, defaults),
        () -> RabbitSharing.check(given, defaults));
  }

  /** Checks the trusted certificates of Angarium's own file and of the bundle. */
  private static void trusting(AngariumProperties.Rabbitmq given, RabbitDefaults defaults) {
    boolean tls = true;
    try {
      tls = or(given.tls(), reached(given, defaults).tls());
    } catch (ConfigurationException e) {
      // told already
    }
    RabbitConfig config = RabbitConfig.of("localhost").tls(tls).trusting(trusted(given));
    SharedTls.context(BUNDLE, bundle(given, defaults, config));
  }

  private static @Nullable Path trusted(AngariumProperties.Rabbitmq given) {
    String file = given.trustedCertificates();
    return file == null ? null : Path.of(file);
  }

  private static RabbitConfig reached(AngariumProperties.Rabbitmq given, RabbitDefaults defaults) {
    return addressed(given, defaults, properties(given, defaults));
  }

  /** With what addresses say. */
  private static RabbitConfig addressed(
      AngariumProperties.Rabbitmq given, RabbitDefaults defaults, RabbitConfig standard) {
    String ours = given.addresses();
    String springs = defaults.addresses();
    if (ours == null || springs == null) {
      return standard.uri(MissingAddress.RABBITMQ.required(ours == null ? springs : ours));
    }
    return standard.uri(springs).uri(ours);
  }

  /** With everything but what addresses say. */
  private static RabbitConfig properties(
      AngariumProperties.Rabbitmq given, RabbitDefaults defaults) {
    RabbitConfig standard = RabbitConfig.of("localhost");
    return new RabbitConfig(
        standard.addresses(),
        or(given.username(), or(defaults.username(), standard.username())),
        or(given.password(), or(defaults.password(), standard.password())),
        or(given.virtualHost(), or(defaults.virtualHost(), standard.virtualHost())),
        or(given.tls(), Boolean.TRUE.equals(defaults.tls())),
        null,
        null,
        or(given.clientName(), standard.clientName()),
        or(given.channels(), standard.channels()),
        standard.window(),
        or(given.confirmTimeout(), standard.confirmTimeout()),
        standard.holdMax(),
        or(given.connectTimeout(), standard.connectTimeout()),
        standard.heartbeat());
  }
}
