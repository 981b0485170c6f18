package io.angarium.spring.autoconfigure.internal.details;

import io.angarium.ConfigurationException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.context.ApplicationContext;

/**
 * How the application's own clients reach Redis: by connection details, or else by the properties
 * below {@code spring.data.redis}. Immutable.
 *
 * @param url null if none is given; it comes before {@code place} and holds account and database
 * @param place null if nothing names one
 * @param fromDetails whether a bean of connection details names it
 * @param tls whether Redis is reached by TLS, unless the URL says so; connection details say it by
 *     their bundle alone
 * @param bundle null for what the JVM trusts
 * @param more what says more than Angarium can use; null if there is nothing
 * @param faults what is wrong with them
 */
public record RedisDefaults(
    @Nullable String url,
    @Nullable RedisDetails place,
    boolean fromDetails,
    boolean tls,
    @Nullable SslBundle bundle,
    @Nullable String more,
    List<String> faults) {
  public static RedisDefaults of(ApplicationContext context) {
    SpringRedis spring = SpringRedis.of(context.getEnvironment());
    RedisDetails details = DetailsReader.read(context, RedisDetails.class).orElse(null);
    if (details != null) {
      return new RedisDefaults(
          null,
          details,
          true,
          details.bundle() != null,
          details.bundle(),
          details.nodes().isEmpty() ? "the cluster of the bean of RedisConnectionDetails" : null,
          List.of());
    }
    SslBundle bundle = null;
    List<String> faults = List.of();
    try {
      bundle = SharedTls.bundle(context, SpringRedis.PREFIX + "ssl.bundle", spring.ssl().bundle());
    } catch (ConfigurationException e) {
      faults = e.faults();
    }
    return new RedisDefaults(
        spring.url(), spring.place(), false, spring.ssl().isOn(), bundle, spring.more(), faults);
  }

  /** Never the password, which may be in the URL, too. */
  @Override
  public String toString() {
    return "RedisDefaults[fromDetails=%s, tls=%s]".formatted(fromDetails, tls);
  }
}
