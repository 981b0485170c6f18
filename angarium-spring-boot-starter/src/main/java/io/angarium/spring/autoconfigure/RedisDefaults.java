package io.angarium.spring.autoconfigure;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.core.env.Environment;

/**
 * Where Redis is by Spring Boot's own properties, as far as they name a single one. Immutable.
 *
 * @param url null if none is given; it has account and database with it
 * @param host null if none is given
 * @param more a property that says more than this can tell, null if there is none
 */
record RedisDefaults(
    @Nullable String url,
    @Nullable String host,
    int port,
    int database,
    @Nullable String username,
    @Nullable String password,
    boolean tls,
    @Nullable String more) {
  private static final String REDIS = "spring.data.redis.";

  static RedisDefaults of(Environment environment) {
    return new RedisDefaults(
        environment.getProperty(REDIS + "url"),
        environment.getProperty(REDIS + "host"),
        environment.getProperty(REDIS + "port", Integer.class, 6379),
        environment.getProperty(REDIS + "database", Integer.class, 0),
        environment.getProperty(REDIS + "username"),
        environment.getProperty(REDIS + "password"),
        environment.getProperty(REDIS + "ssl.enabled", Boolean.class, false),
        List.of("sentinel.master", "cluster.nodes", "cluster.nodes[0]", "ssl.bundle").stream()
            .map(name -> REDIS + name)
            .filter(environment::containsProperty)
            .findFirst()
            .orElse(null));
  }

  /** Never the password, which may be in the URL, too. */
  @Override
  public String toString() {
    return "RedisDefaults[%s:%d]".formatted(host, port);
  }
}
