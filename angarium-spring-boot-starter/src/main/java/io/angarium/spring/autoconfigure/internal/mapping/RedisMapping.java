package io.angarium.spring.autoconfigure.internal.mapping;

import static io.angarium.spring.autoconfigure.internal.mapping.PropertyMapping.or;

import io.angarium.ConfigurationException;
import io.angarium.redis.RedisInboxConfig;
import io.angarium.spring.autoconfigure.internal.details.RedisAccount;
import io.angarium.spring.autoconfigure.internal.details.RedisDefaults;
import io.angarium.spring.autoconfigure.internal.details.RedisDetails;
import io.angarium.spring.autoconfigure.internal.details.SharedTls;
import io.angarium.spring.settings.AngariumProperties;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SslOptions;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.SslBundle;

/** Maps the properties of Redis; apart, because the Redis module need not be present. */
public final class RedisMapping {
  private static final String EXPECTED =
      "redis://user:password@host:port/database, rediss:// with TLS, or"
          + " redis-sentinel://password@host:port#master";

  private static final int PORT = 6379;
  private static final int SENTINEL_PORT = 26379;

  private RedisMapping() {}

  public static RedisInboxConfig inbox(AngariumProperties.Redis given) {
    RedisInboxConfig standard = RedisInboxConfig.DEFAULTS;
    return new RedisInboxConfig(
        or(given.prefix(), standard.prefix()),
        or(given.lease(), standard.lease()),
        or(given.renewMax(), standard.renewMax()),
        or(given.retention(), standard.retention()),
        or(given.replayWindow(), standard.replayWindow()),
        or(given.whenBusy(), standard.whenBusy()),
        or(given.waitMax(), standard.waitMax()),
        or(given.commandTimeout(), standard.commandTimeout()));
  }

  /** Returns mappings as checks; each mapping checks different properties. */
  public static List<Runnable> checks(AngariumProperties.Redis given, RedisDefaults defaults) {
    return List.of(
        () -> RedisSharing.check(given, defaults),
        () -> sslOptions(given, defaults),
        () -> inbox(given));
  }

  /** A client that connects when it is used. */
  public static RedisClient client(AngariumProperties.Redis given, RedisDefaults defaults) {
    RedisClient client = RedisClient.create(uri(given, defaults));
    SslOptions ssl = sslOptions(given, defaults);
    if (ssl != null) {
      client.setOptions(ClientOptions.builder().sslOptions(ssl).build());
    }
    return client;
  }

  /**
   * Where Redis is.
   *
   * @throws ConfigurationException if nothing says it, or says it wrongly
   */
  public static RedisURI uri(AngariumProperties.Redis given, RedisDefaults defaults) {
    return given.uri() == null ? springs(defaults) : parse(given.uri());
  }

  /**
   * Certificates and keys of the application's SSL bundle; null if it has none, or there is no TLS.
   *
   * @throws ConfigurationException if the bundle cannot be read
   */
  public static @Nullable SslOptions sslOptions(
      AngariumProperties.Redis given, RedisDefaults defaults) {
    if (!isEncrypted(given, defaults)) {
      return null;
    }
    if (!defaults.faults().isEmpty()) {
      throw new ConfigurationException(defaults.faults());
    }
    SslBundle bundle = defaults.bundle();
    if (bundle == null) {
      return null;
    }
    SharedTls.context("spring.data.redis.ssl.bundle", bundle); // readable
    SslOptions.Builder options =
        SslOptions.builder()
            .keyManager(bundle.getManagers().getKeyManagerFactory())
            .trustManager(bundle.getManagers().getTrustManagerFactory());
    String[] protocols = bundle.getOptions().getEnabledProtocols();
    String[] ciphers = bundle.getOptions().getCiphers();
    if (protocols != null) {
      options.protocols(protocols);
    }
    if (ciphers != null) {
      options.cipherSuites(ciphers);
    }
    return options.build();
  }

  private static boolean isEncrypted(AngariumProperties.Redis given, RedisDefaults defaults) {
    try {
      return uri(given, defaults).isSsl();
    } catch (ConfigurationException e) {
      return false; // told by another check
    }
  }

  /**
   * Where Redis is by connection details or Spring's properties.
   *
   * @throws ConfigurationException if nothing says it, or says what Angarium cannot use
   */
  static RedisURI springs(RedisDefaults defaults) {
    if (defaults.more() != null) {
      throw wrong("not set, and " + defaults.more() + " is not read", EXPECTED);
    }
    if (defaults.url() != null) {
      RedisURI uri = parse(defaults.url());
      uri.setSsl(uri.isSsl() || defaults.tls());
      return uri;
    }
    if (defaults.place() == null) {
      throw MissingAddress.REDIS.fault();
    }
    return uri(defaults.place(), defaults.tls());
  }

  private static RedisURI uri(RedisDetails place, boolean tls) {
    if (place.master() != null && (place.master().isBlank() || place.nodes().isEmpty())) {
      throw wrong(
          "not set, and of sentinels the master is '"
              + place.master()
              + "' and the nodes are "
              + place.nodes(),
          EXPECTED
              + "; or both spring.data.redis.sentinel.master and spring.data.redis.sentinel.nodes");
    }
    RedisURI.Builder uri = RedisURI.builder().withDatabase(place.database()).withSsl(tls);
    if (place.master() == null) {
      RedisURI node = node(place.nodes().get(0), PORT);
      uri.withHost(node.getHost()).withPort(node.getPort());
    } else {
      uri.withSentinelMasterId(place.master());
      for (String node : place.nodes()) {
        RedisURI sentinel = node(node, SENTINEL_PORT);
        RedisURI.Builder known =
            RedisURI.builder()
                .withHost(sentinel.getHost())
                .withPort(sentinel.getPort())
                .withSsl(tls);
        authenticate(known, place.sentinelAccount());
        uri.withSentinel(known.build());
      }
    }
    authenticate(uri, place.account());
    return uri.build();
  }

  private static RedisURI node(String address, int portDefault) {
    int colon = address.lastIndexOf(':');
    boolean withPort = colon > address.lastIndexOf(']') && address.indexOf(':') == colon;
    withPort |= colon > 0 && address.charAt(colon - 1) == ']';
    try {
      return withPort
          ? RedisURI.create(
              address.substring(0, colon), Integer.parseInt(address.substring(colon + 1)))
          : RedisURI.create(address, portDefault);
    } catch (IllegalArgumentException e) {
      throw wrong("not set, and " + address + " of spring.data.redis is not host:port", EXPECTED);
    }
  }

  private static void authenticate(RedisURI.Builder uri, RedisAccount account) {
    String password = account.password();
    if (password != null && account.username() != null) {
      uri.withAuthentication(account.username(), password);
    } else if (password != null) {
      uri.withPassword(password.toCharArray());
    }
  }

  /** Never shows it: there may be a password in it. */
  private static RedisURI parse(String text) {
    try {
      return RedisURI.create(text);
    } catch (IllegalArgumentException e) {
      throw wrong("an address that cannot be read", EXPECTED);
    }
  }

  static ConfigurationException wrong(@Nullable String value, String expected) {
    return new ConfigurationException(
        List.of("inbox.redis.uri: " + value + " (expected: " + expected + ")"));
  }
}
