package io.angarium.spring.autoconfigure.internal.details;

import io.angarium.ConfigurationException;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.core.env.Environment;
import org.springframework.core.io.Resource;

/**
 * The properties below {@code spring.kafka} that are about the way to the cluster. They are read
 * here, as Spring's own class for them needs Spring for Apache Kafka. Immutable.
 *
 * @param properties of all of the application's Kafka clients, in Kafka's spelling
 * @param producer of the application's own producers
 */
public record SpringKafka(
    @DefaultValue List<String> bootstrapServers,
    @DefaultValue Map<String, String> properties,
    @DefaultValue Security security,
    @DefaultValue Ssl ssl,
    @DefaultValue Jaas jaas,
    @DefaultValue Producer producer) {
  static final String PREFIX = "spring.kafka.";
  private static final String PROTOCOL = "security.protocol";

  record Security(@Nullable String protocol) {}

  record Jaas(@DefaultValue("false") boolean enabled) {}

  record Producer(
      @DefaultValue List<String> bootstrapServers,
      @DefaultValue Map<String, String> properties,
      @DefaultValue Security security,
      @DefaultValue Ssl ssl) {}

  /** Keys and certificates for TLS. Immutable. */
  public record Ssl(
      @Nullable String bundle,
      @Nullable String keyPassword,
      @Nullable String keyStoreCertificateChain,
      @Nullable String keyStoreKey,
      @Nullable Resource keyStoreLocation,
      @Nullable String keyStorePassword,
      @Nullable String keyStoreType,
      @Nullable String trustStoreCertificates,
      @Nullable Resource trustStoreLocation,
      @Nullable String trustStorePassword,
      @Nullable String trustStoreType,
      @Nullable String protocol) {

    private Map<String, String> inKafkasSpelling() {
      Map<String, String> all = new HashMap<>();
      put(all, "ssl.key.password", keyPassword);
      put(all, "ssl.keystore.certificate.chain", keyStoreCertificateChain);
      put(all, "ssl.keystore.key", keyStoreKey);
      put(all, "ssl.keystore.location", path("key-store-location", keyStoreLocation));
      put(all, "ssl.keystore.password", keyStorePassword);
      put(all, "ssl.keystore.type", keyStoreType);
      put(all, "ssl.truststore.certificates", trustStoreCertificates);
      put(all, "ssl.truststore.location", path("trust-store-location", trustStoreLocation));
      put(all, "ssl.truststore.password", trustStorePassword);
      put(all, "ssl.truststore.type", trustStoreType);
      put(all, "ssl.protocol", protocol);
      return all;
    }

    private static void put(Map<String, String> all, String name, @Nullable String value) {
      if (value != null) {
        all.put(name, value);
      }
    }

    private static @Nullable String path(String property, @Nullable Resource location) {
      try {
        return location == null ? null : location.getFile().getAbsolutePath();
      } catch (IOException e) {
        throw new ConfigurationException(
            List.of(
                PREFIX + "ssl." + property + ": " + location + " (expected: a file; " + e + ")"));
      }
    }

    /** Hides everything, as most of it is secret. */
    @Override
    public String toString() {
      return "Ssl";
    }
  }

  static SpringKafka of(Environment environment) {
    return Binder.get(environment).bindOrCreate("spring.kafka", Bindable.of(SpringKafka.class));
  }

  /** What concerns security, in Kafka's spelling; SSL bundles are not in it. */
  Map<String, String> shared() {
    return security(security, ssl, properties);
  }

  /**
   * Returns whether the application's own producers reach the same cluster by another protocol than
   * its other clients, or are the only clients with settings for security.
   */
  boolean onlyProducersAreSecure() {
    if (!producer.bootstrapServers().isEmpty()) {
      return false;
    }
    Map<String, String> shared = shared();
    Map<String, String> own = security(producer.security(), producer.ssl(), producer.properties());
    String protocol = own.get(PROTOCOL);
    if (protocol != null) {
      String others = shared.getOrDefault(PROTOCOL, "PLAINTEXT");
      return !protocol.strip().equalsIgnoreCase(others.strip());
    }
    boolean nothingOwn = own.isEmpty() && producer.ssl().bundle() == null;
    return shared.isEmpty() && ssl.bundle() == null && !nothingOwn;
  }

  private static Map<String, String> security(
      Security security, Ssl ssl, Map<String, String> properties) {
    Map<String, String> all = new TreeMap<>(ssl.inKafkasSpelling());
    if (security.protocol() != null && !security.protocol().isBlank()) {
      all.put(PROTOCOL, security.protocol());
    }
    properties.forEach(
        (name, value) -> {
          if (isSecurity(name)) {
            all.put(name, value);
          }
        });
    return all;
  }

  static boolean isSecurity(String property) {
    return property.startsWith("security.")
        || property.startsWith("ssl.")
        || property.startsWith("sasl.");
  }

  /** Only what is not secret. */
  @Override
  public String toString() {
    return "SpringKafka" + bootstrapServers;
  }
}
