package io.angarium.spring.autoconfigure;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.context.ApplicationContext;

/**
 * What a bean of Spring Boot's {@code RedisConnectionDetails} says. Immutable.
 *
 * @param account name and password at Redis itself
 * @param nodes {@code host:port} of the one Redis, or of each sentinel; empty for a cluster
 * @param master name of the master that the sentinels watch; null without sentinels
 * @param sentinelAccount name and password at the sentinels
 * @param bundle null without TLS
 */
record RedisDetails(
    RedisAccount account,
    List<String> nodes,
    int database,
    @Nullable String master,
    RedisAccount sentinelAccount,
    @Nullable SslBundle bundle) {
  private static final String FAULT = "inbox.redis.uri";

  static Optional<RedisDetails> of(ApplicationContext context) {
    if (ConnectionDetailsBeans.have(
        context, "org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails")) {
      return Boot4.read(context);
    }
    return ConnectionDetailsBeans.have(
            context, "org.springframework.boot.autoconfigure.data.redis.RedisConnectionDetails")
        ? Boot3.read(context)
        : Optional.empty();
  }

  private static RedisDetails cluster(RedisAccount account) {
    return new RedisDetails(account, List.of(), 0, null, RedisAccount.NONE, null);
  }

  /** In a class of its own, as the type is absent in the other generation. */
  private static final class Boot3 {
    static Optional<RedisDetails> read(ApplicationContext context) {
      return ConnectionDetailsBeans.read(
          context,
          org.springframework.boot.autoconfigure.data.redis.RedisConnectionDetails.class,
          FAULT,
          Boot3::details);
    }

    private static RedisDetails details(
        org.springframework.boot.autoconfigure.data.redis.RedisConnectionDetails found) {
      RedisAccount account = new RedisAccount(found.getUsername(), found.getPassword());
      var standalone = found.getStandalone();
      var sentinel = found.getSentinel();
      if (standalone != null) {
        return new RedisDetails(
            account,
            List.of(ConnectionDetailsBeans.address(standalone.getHost(), standalone.getPort())),
            standalone.getDatabase(),
            null,
            RedisAccount.NONE,
            standalone.getSslBundle());
      }
      return sentinel == null
          ? cluster(account)
          : new RedisDetails(
              account,
              sentinel.getNodes().stream()
                  .map(node -> ConnectionDetailsBeans.address(node.host(), node.port()))
                  .toList(),
              sentinel.getDatabase(),
              sentinel.getMaster(),
              new RedisAccount(sentinel.getUsername(), sentinel.getPassword()),
              sentinel.getSslBundle());
    }
  }

  /** In a class of its own, as the type is absent in the other generation. */
  private static final class Boot4 {
    static Optional<RedisDetails> read(ApplicationContext context) {
      return ConnectionDetailsBeans.read(
          context,
          org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails.class,
          FAULT,
          Boot4::details);
    }

    private static RedisDetails details(
        org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails found) {
      RedisAccount account = new RedisAccount(found.getUsername(), found.getPassword());
      var standalone = found.getStandalone();
      var sentinel = found.getSentinel();
      if (standalone != null) {
        return new RedisDetails(
            account,
            List.of(ConnectionDetailsBeans.address(standalone.getHost(), standalone.getPort())),
            standalone.getDatabase(),
            null,
            RedisAccount.NONE,
            found.getSslBundle());
      }
      return sentinel == null
          ? cluster(account)
          : new RedisDetails(
              account,
              sentinel.getNodes().stream()
                  .map(node -> ConnectionDetailsBeans.address(node.host(), node.port()))
                  .toList(),
              sentinel.getDatabase(),
              sentinel.getMaster(),
              new RedisAccount(sentinel.getUsername(), sentinel.getPassword()),
              found.getSslBundle());
    }
  }
}
