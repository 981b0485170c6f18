package io.angarium.spring.autoconfigure;

import static io.angarium.spring.autoconfigure.PropertyMapping.or;

import io.angarium.ConfigurationException;
import io.angarium.redis.RedisInboxConfig;
import io.lettuce.core.RedisURI;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Maps the properties of Redis; apart, because the Redis module need not be present. */
final class RedisMapping {
  private static final String EXPECTED =
      "redis://user:password@host:port/database, rediss:// with TLS, or"
          + " redis-sentinel://password@host:port#master";

  private RedisMapping() {}

  static RedisInboxConfig inbox(AngariumProperties.Redis given) {
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

  /** Mappings each of which checks other properties. */
  static List<Runnable> checks(AngariumProperties.Redis given, RedisDefaults defaults) {
    return List.of(() -> uri(given, defaults), () -> inbox(given));
  }

  /**
   * Where Redis is.
   *
   * @throws ConfigurationException if nothing says it, or says it wrongly
   */
  static RedisURI uri(AngariumProperties.Redis given, RedisDefaults defaults) {
    if (given.uri() != null) {
      return parse(given.uri());
    }
    if (defaults.more() != null) {
      throw wrong("null, and " + defaults.more() + " is not read", EXPECTED);
    }
    if (defaults.url() != null) {
      return parse(defaults.url());
    }
    if (defaults.host() == null) {
      throw wrong("null", EXPECTED + "; or spring.data.redis.url or spring.data.redis.host");
    }
    return single(defaults.host(), defaults);
  }

  private static RedisURI single(String host, RedisDefaults defaults) {
    RedisURI.Builder uri =
        RedisURI.builder()
            .withHost(host)
            .withPort(defaults.port())
            .withDatabase(defaults.database())
            .withSsl(defaults.tls());
    String password = defaults.password();
    if (password != null && defaults.username() != null) {
      uri.withAuthentication(defaults.username(), password);
    } else if (password != null) {
      uri.withPassword(password.toCharArray());
    }
    return uri.build();
  }

  /** Never shows it: there may be a password in it. */
  private static RedisURI parse(String text) {
    try {
      return RedisURI.create(text);
    } catch (IllegalArgumentException e) {
      throw wrong("an address that cannot be read", EXPECTED);
    }
  }

  private static ConfigurationException wrong(@Nullable String value, String expected) {
    return new ConfigurationException(
        List.of("inbox.redis.uri: " + value + " (expected: " + expected + ")"));
  }
}
