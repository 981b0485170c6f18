package io.angarium.spring.autoconfigure.internal.details;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundleKey;
import org.springframework.boot.ssl.SslOptions;
import org.springframework.boot.ssl.jks.JksSslStoreBundle;
import org.springframework.boot.ssl.jks.JksSslStoreDetails;
import org.springframework.core.env.Environment;

/**
 * The properties below {@code spring.rabbitmq} that are about the way to the broker. They are read
 * here, as Spring's own class for them needs Spring AMQP. Immutable.
 */
public record SpringRabbit(
    @Nullable String host,
    @Nullable String port,
    @DefaultValue List<String> addresses,
    @Nullable String username,
    @Nullable String password,
    @Nullable String virtualHost,
    @DefaultValue Ssl ssl) {
  static final String PREFIX = "spring.rabbitmq.";

  /** Keys and certificates for TLS. Immutable. */
  public record Ssl(
      @Nullable Boolean enabled,
      @Nullable String bundle,
      @Nullable String keyStore,
      @DefaultValue("PKCS12") String keyStoreType,
      @Nullable String keyStorePassword,
      @Nullable String trustStore,
      @DefaultValue("JKS") String trustStoreType,
      @Nullable String trustStorePassword,
      @Nullable String algorithm,
      @DefaultValue("true") boolean validateServerCertificate,
      @DefaultValue("true") boolean verifyHostname) {

    boolean isOn() {
      return Boolean.TRUE.equals(enabled) || bundle != null;
    }

    /** The stores as a bundle; null if there are none. */
    @Nullable SslBundle stores() {
      if (keyStore == null && trustStore == null) {
        return null;
      }
      JksSslStoreBundle stores =
          new JksSslStoreBundle(
              details(keyStore, keyStoreType, keyStorePassword),
              details(trustStore, trustStoreType, trustStorePassword));
      return SslBundle.of(
          stores,
          SslBundleKey.of(keyStorePassword),
          SslOptions.NONE,
          algorithm == null ? SslBundle.DEFAULT_PROTOCOL : algorithm);
    }

    private static @Nullable JksSslStoreDetails details(
        @Nullable String location, String type, @Nullable String password) {
      return location == null ? null : new JksSslStoreDetails(type, null, location, password);
    }

    /** Hides everything, as much of it is secret. */
    @Override
    public String toString() {
      return "Ssl";
    }
  }

  static SpringRabbit of(Environment environment) {
    return Binder.get(environment).bindOrCreate("spring.rabbitmq", Bindable.of(SpringRabbit.class));
  }

  /** In the form that {@code RabbitConfig} reads, with the account of the first; null for none. */
  @Nullable String uri() {
    if (addresses.isEmpty()) {
      return host == null || port == null ? host : host + ":" + port;
    }
    String first = addresses.get(0).strip();
    int path = path(first);
    StringBuilder hosts = new StringBuilder(first.substring(0, path));
    for (String other : addresses.subList(1, addresses.size())) {
      String text = other.strip();
      hosts.append(',').append(text, authority(text), path(text));
    }
    return hosts.append(first.substring(path)).toString();
  }

  /** Where the host begins, after scheme and account. */
  private static int authority(String address) {
    int scheme = address.indexOf("://");
    return Math.max(address.lastIndexOf('@') + 1, scheme < 0 ? 0 : scheme + 3);
  }

  private static int path(String address) {
    int slash = address.indexOf('/', authority(address));
    return slash < 0 ? address.length() : slash;
  }

  /** Never what may be secret. */
  @Override
  public String toString() {
    return "SpringRabbit[" + host + "]";
  }
}
