package io.angarium.spring.autoconfigure.internal.details;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.SslBundle;

/**
 * What a bean of Spring Boot's {@code RedisConnectionDetails} says. Immutable.
 *
 * @param account name and password at Redis itself
 * @param nodes {@code host:port} of the one Redis, or of each sentinel; empty for a cluster
 * @param master name of the master that the sentinels watch; null without sentinels
 * @param sentinelAccount name and password at the sentinels
 * @param bundle null without TLS
 */
public record RedisDetails(
    RedisAccount account,
    List<String> nodes,
    int database,
    @Nullable String master,
    RedisAccount sentinelAccount,
    @Nullable SslBundle bundle) {
  /** What a fault about it begins with. */
  public static final String FAULT = "inbox.redis.uri";

  public static RedisDetails cluster(RedisAccount account) {
    return new RedisDetails(account, List.of(), 0, null, RedisAccount.NONE, null);
  }
}
