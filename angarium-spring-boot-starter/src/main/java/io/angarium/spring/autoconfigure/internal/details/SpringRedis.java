package io.angarium.spring.autoconfigure.internal.details;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.core.env.Environment;

/**
 * The properties below {@code spring.data.redis} that are about the way to Redis. They are read
 * here, as Spring's own class for them needs Spring Data Redis. Immutable.
 */
public record SpringRedis(
    @Nullable String url,
    @Nullable String host,
    @DefaultValue("6379") int port,
    @DefaultValue("0") int database,
    @Nullable String username,
    @Nullable String password,
    @DefaultValue Sentinel sentinel,
    @DefaultValue Nodes cluster,
    @DefaultValue Nodes masterreplica,
    @DefaultValue Ssl ssl) {
  static final String PREFIX = "spring.data.redis.";

  /** The sentinels that know the master. Immutable. */
  public record Sentinel(
      @Nullable String master,
      @DefaultValue List<String> nodes,
      @Nullable String username,
      @Nullable String password) {

    /** Never the password. */
    @Override
    public String toString() {
      return "Sentinel[" + master + "]";
    }
  }

  record Nodes(@DefaultValue List<String> nodes) {}

  record Ssl(@Nullable Boolean enabled, @Nullable String bundle) {
    boolean isOn() {
      return enabled == null ? bundle != null : enabled;
    }
  }

  static SpringRedis of(Environment environment) {
    return Binder.get(environment)
        .bindOrCreate("spring.data.redis", Bindable.of(SpringRedis.class));
  }

  /** A property that says more than Angarium can use; null if there is none. */
  @Nullable String more() {
    if (!cluster.nodes().isEmpty()) {
      return PREFIX + "cluster.nodes";
    }
    return masterreplica.nodes().isEmpty() ? null : PREFIX + "masterreplica.nodes";
  }

  /** Where Redis is, apart from a URL; null if nothing says it. */
  @Nullable RedisDetails place() {
    RedisAccount account = new RedisAccount(username, password);
    if (sentinel.master() != null) {
      return new RedisDetails(
          account,
          sentinel.nodes(),
          database,
          sentinel.master(),
          new RedisAccount(sentinel.username(), sentinel.password()),
          null);
    }
    return host == null
        ? null
        : new RedisDetails(
            account,
            List.of(ConnectionDetailsBeans.address(host, port)),
            database,
            null,
            RedisAccount.NONE,
            null);
  }

  /** Never the password. */
  @Override
  public String toString() {
    return "SpringRedis[" + host + "]";
  }
}
