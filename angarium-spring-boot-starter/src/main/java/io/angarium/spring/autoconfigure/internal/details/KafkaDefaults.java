package io.angarium.spring.autoconfigure.internal.details;

import io.angarium.ConfigurationException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.context.ApplicationContext;

/**
 * How the application's own Kafka clients reach their cluster: by connection details, or else by
 * the properties below {@code spring.kafka}. Immutable.
 *
 * @param servers {@code host:port}, several separated by commas; null if none are named
 * @param fromDetails whether a bean of connection details names them
 * @param security properties of Kafka's clients that concern security, in Kafka's spelling
 * @param bundle null for none
 * @param producersOnly whether the application's own producers have settings for security that its
 *     other clients do not have
 * @param faults what is wrong with them
 */
public record KafkaDefaults(
    @Nullable String servers,
    boolean fromDetails,
    Map<String, String> security,
    @Nullable SslBundle bundle,
    boolean producersOnly,
    List<String> faults) {
  private static final String PROTOCOL = "security.protocol";

  public static KafkaDefaults of(ApplicationContext context) {
    SpringKafka spring = SpringKafka.of(context.getEnvironment());
    Map<String, String> security = new HashMap<>();
    List<String> faults = new ArrayList<>();
    SslBundle bundle = null;
    KafkaDetails details = null;
    boolean producersOnly = false;
    try {
      details = DetailsReader.read(context, KafkaDetails.class).orElse(null);
      security.putAll(spring.shared());
      producersOnly = details == null && spring.onlyProducersAreSecure();
      bundle = bundle(context, spring, details);
    } catch (ConfigurationException e) {
      faults.addAll(e.faults());
    }
    if (details != null && details.namesProtocol()) {
      security.put(PROTOCOL, Objects.requireNonNull(details.protocol()));
    }
    if (bundle != null) {
      security.keySet().removeIf(KafkaDefaults::isOfStore);
    }
    boolean needsLogin = upperCase(security.getOrDefault(PROTOCOL, "")).startsWith("SASL");
    if (spring.jaas().enabled() && needsLogin && !security.containsKey("sasl.jaas.config")) {
      faults.add(
          "spring.kafka.jaas.enabled: true (expected: false, and the login module in"
              + " spring.kafka.properties.sasl.jaas.config; Angarium's clients start before"
              + " Spring sets the login module of the JVM)");
    }
    List<String> servers = details == null ? spring.bootstrapServers() : details.servers();
    return new KafkaDefaults(
        servers.isEmpty() ? null : String.join(",", servers),
        details != null,
        Map.copyOf(security),
        bundle,
        producersOnly,
        List.copyOf(faults));
  }

  /** The bundle of the details or of the property; none if the details say there is no TLS. */
  private static @Nullable SslBundle bundle(
      ApplicationContext context, SpringKafka spring, @Nullable KafkaDetails details) {
    if (details != null && details.namesProtocol() && !isTls(details.protocol())) {
      return null;
    }
    return details != null && details.bundle() != null
        ? details.bundle()
        : SharedTls.bundle(context, SpringKafka.PREFIX + "ssl.bundle", spring.ssl().bundle());
  }

  /** Whether a security protocol encrypts; Kafka reads it in any case of letters. */
  public static boolean isTls(@Nullable String protocol) {
    return protocol != null && upperCase(protocol).endsWith("SSL");
  }

  private static String upperCase(String protocol) {
    return protocol.strip().toUpperCase(Locale.ROOT);
  }

  /** A bundle takes the place of stores, as in Spring Boot. */
  public static boolean isOfStore(String property) {
    return property.startsWith("ssl.keystore.")
        || property.startsWith("ssl.truststore.")
        || property.equals("ssl.key.password")
        || property.equals("ssl.engine.factory.class");
  }

  /** Whether the clients reach their cluster in a way that must be known. */
  public boolean isSecured() {
    return !security.isEmpty() || bundle != null;
  }

  /** Never what may be secret. */
  @Override
  public String toString() {
    return "KafkaDefaults[%s, %s]".formatted(servers, security.keySet());
  }
}
