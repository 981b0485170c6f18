package io.angarium.spring.autoconfigure.internal.mapping;

import io.angarium.ConfigurationException;
import io.angarium.spring.autoconfigure.internal.details.KafkaDefaults;
import io.angarium.spring.settings.AngariumProperties;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What Angarium's Kafka clients share with the application's Kafka clients: servers, encryption and
 * account. If the two sides contradict each other about encryption, that is a fault. Immutable.
 */
record KafkaSharing(AngariumProperties.Kafka given, KafkaDefaults spring) {
  private static final String PROTOCOL = "security.protocol";
  private static final String PROPERTIES = "kafka.properties.";

  /** Properties that make an account; others below {@code sasl} only say how it is used. */
  private static final Set<String> ACCOUNT =
      Set.of(
          "sasl.mechanism",
          "sasl.jaas.config",
          "sasl.login.class",
          "sasl.login.callback.handler.class",
          "sasl.client.callback.handler.class");

  /** The servers: Angarium's own property, else connection details, else Spring's property. */
  @Nullable String servers() {
    return given.bootstrapServers() == null ? spring.servers() : given.bootstrapServers();
  }

  /** Angarium's own properties, and Spring's where Angarium's say nothing. */
  Map<String, String> properties() {
    Map<String, String> all = new HashMap<>();
    if (isShared()) {
      boolean ownAccount = given.properties().keySet().stream().anyMatch(ACCOUNT::contains);
      all.putAll(spring.security());
      all.keySet().removeIf(name -> ownAccount && isSasl(name));
      if (hasOwnStores()) {
        all.keySet().removeIf(KafkaDefaults::isOfStore);
      }
    }
    all.putAll(given.properties());
    return all;
  }

  /** Whether Spring's SSL bundle is used. */
  boolean usesBundle() {
    return isShared() && spring.bundle() != null && !hasOwnStores();
  }

  private boolean hasOwnStores() {
    return given.properties().keySet().stream().anyMatch(KafkaDefaults::isOfStore);
  }

  private static boolean isSasl(String property) {
    return property.startsWith("sasl.");
  }

  /** Spring's security belongs to Spring's cluster. */
  private boolean isShared() {
    return !namesOthers() || spring.fromDetails();
  }

  private boolean namesOthers() {
    return given.bootstrapServers() != null
        && spring.servers() != null
        && !parts(given.bootstrapServers()).equals(parts(spring.servers()));
  }

  private static Set<String> parts(String servers) {
    return Arrays.stream(servers.split(",", -1))
        .map(String::strip)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /**
   * Checks that both sides agree.
   *
   * @throws ConfigurationException listing every contradiction
   */
  void check() {
    List<String> faults = new ArrayList<>();
    if (namesOthers()) {
      faults.addAll(otherServers());
    }
    if (isShared()) {
      faults.addAll(spring.faults());
      faults.addAll(contradictions());
      faults.addAll(unencrypted());
    }
    if (!faults.isEmpty()) {
      throw new ConfigurationException(faults);
    }
  }

  private List<String> otherServers() {
    if (spring.fromDetails()) {
      return List.of(
          "kafka.bootstrap-servers: "
              + given.bootstrapServers()
              + " (expected: not set, or "
              + spring.servers()
              + " as the bean of KafkaConnectionDetails says; for another cluster define a bean of"
              + " KafkaConfig)");
    }
    return spring.isSecured() && !given.properties().containsKey(PROTOCOL)
        ? List.of(
            PROPERTIES
                + PROTOCOL
                + ": not set (expected: the protocol of "
                + given.bootstrapServers()
                + ", e.g. PLAINTEXT or SASL_SSL; security below spring.kafka is for "
                + spring.servers()
                + " and is not used for other servers)")
        : List.of();
  }

  private List<String> contradictions() {
    List<String> faults = new ArrayList<>();
    given
        .properties()
        .forEach(
            (name, value) -> {
              String theirs = spring.security().get(name);
              if (!isSasl(name) && theirs != null && !isSame(name, theirs, value)) {
                faults.add(
                    "%s: %s (expected: not set, or %s as %s)"
                        .formatted(
                            PROPERTIES + name,
                            shown(name, value),
                            shown(name, theirs),
                            theySay(name)));
              }
              if (spring.bundle() != null && KafkaDefaults.isOfStore(name)) {
                faults.add(
                    "%s: %s (expected: not set, as %s names an SSL bundle)"
                        .formatted(PROPERTIES + name, shown(name, value), bundleOrigin()));
              }
            });
    return faults;
  }

  private static boolean isSame(String name, String theirs, String ours) {
    return name.equals(PROTOCOL)
        ? theirs.strip().equalsIgnoreCase(ours.strip())
        : theirs.equals(ours);
  }

  private String theySay(String name) {
    return spring.fromDetails() && name.equals(PROTOCOL)
        ? "the bean of KafkaConnectionDetails says"
        : "the properties below spring.kafka say for the same cluster";
  }

  private String bundleOrigin() {
    return spring.fromDetails()
        ? "the bean of KafkaConnectionDetails, or spring.kafka.ssl.bundle,"
        : "spring.kafka.ssl.bundle";
  }

  private static String shown(String name, String value) {
    boolean open = name.equals(PROTOCOL) || name.endsWith(".location") || name.endsWith(".type");
    return open ? value : "a value";
  }

  private List<String> unencrypted() {
    String protocol = properties().getOrDefault(PROTOCOL, "");
    if (usesBundle() && !KafkaDefaults.isTls(protocol)) {
      return List.of(
          "spring.kafka.security.protocol: "
              + (protocol.isEmpty() ? "not set" : protocol)
              + " (expected: SSL or SASL_SSL, as "
              + bundleOrigin()
              + " names an SSL bundle)");
    }
    boolean springsCluster = given.bootstrapServers() == null || spring.servers() != null;
    return spring.producersOnly() && springsCluster && !given.properties().containsKey(PROTOCOL)
        ? List.of(
            "spring.kafka.security.protocol: "
                + (protocol.isEmpty() ? "not set" : protocol)
                + " (expected: the security of the cluster below spring.kafka, or in"
                + " angarium.kafka.properties; what is below spring.kafka.producer is for the"
                + " application's own producers alone)")
        : List.of();
  }
}
