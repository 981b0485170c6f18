package io.angarium.spring.autoconfigure.internal.mapping;

import io.angarium.ConfigFaults;
import io.angarium.ConfigurationException;
import io.angarium.rabbitmq.RabbitConfig;
import io.angarium.spring.autoconfigure.internal.details.RabbitDefaults;
import io.angarium.spring.settings.AngariumProperties;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Checks that Angarium's own properties of RabbitMQ do not contradict the application's. */
final class RabbitSharing {
  private static final String SAYS = "not set, or %s as the bean of RabbitConnectionDetails says";
  private static final String PORT_PLAIN = ":5672";
  private static final String PORT_TLS = ":5671";
  private static final String ELSEWHERE = "; for another broker define a bean of RabbitConfig";

  private final AngariumProperties.Rabbitmq given;
  private final RabbitDefaults spring;
  private final RabbitConfig ours;
  private final ConfigFaults faults = new ConfigFaults();

  private RabbitSharing(
      AngariumProperties.Rabbitmq given, RabbitDefaults spring, RabbitConfig ours) {
    this.given = given;
    this.spring = spring;
    this.ours = ours;
  }

  /**
   * Compares both; says nothing about addresses that cannot be read.
   *
   * @throws ConfigurationException listing every contradiction
   */
  static void check(AngariumProperties.Rabbitmq given, RabbitDefaults spring) {
    RabbitConfig ours;
    try {
      ours = RabbitMapping.account(given, spring);
    } catch (ConfigurationException e) {
      return; // told by another check
    }
    RabbitSharing sharing = new RabbitSharing(given, spring, ours);
    sharing.compare();
    sharing.faults.throwIfAny();
  }

  private void compare() {
    if (spring.fromDetails()) {
      compareWithDetails();
    }
    if (spring.fromDetails() || isSameBroker()) {
      compareTls();
    }
    if (ours.tls() && given.trustedCertificates() == null) {
      spring.tlsFaults().forEach(faults::add);
    }
  }

  private boolean isSameBroker() {
    if (given.addresses() == null || spring.addresses() == null) {
      return true;
    }
    RabbitConfig theirs = springs(Boolean.TRUE.equals(spring.tls()), spring.addresses());
    return brokers(ours).equals(brokers(theirs));
  }

  /** What Spring's address says, with or without TLS if it has no scheme. */
  private static RabbitConfig springs(boolean tls, String addresses) {
    return RabbitConfig.of("localhost").tls(tls).uri(addresses);
  }

  /** A broker listens with TLS at another of its two usual ports. */
  private static Set<String> brokers(RabbitConfig config) {
    return parts(config).stream()
        .map(part -> part.endsWith(PORT_TLS) ? part.replace(PORT_TLS, PORT_PLAIN) : part)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Set<String> parts(RabbitConfig config) {
    return Arrays.stream(config.addresses().split(",", -1))
        .map(String::strip)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** An address of ours may name an account, too. */
  private void compareWithDetails() {
    RabbitConfig theirs = RabbitMapping.account(RabbitMapping.nothing(), spring).tls(ours.tls());
    faults
        .require(
            parts(ours).equals(parts(theirs)),
            "rabbitmq.addresses",
            ours.addresses(),
            SAYS.formatted(theirs.addresses()) + ELSEWHERE)
        .require(
            ours.username().equals(theirs.username()),
            "rabbitmq.username",
            ours.username(),
            SAYS.formatted(theirs.username()) + ELSEWHERE)
        .require(
            ours.password().equals(theirs.password()),
            "rabbitmq.password",
            "a password",
            "not set, as the bean of RabbitConnectionDetails says another" + ELSEWHERE)
        .require(
            ours.virtualHost().equals(theirs.virtualHost()),
            "rabbitmq.virtual-host",
            ours.virtualHost(),
            SAYS.formatted(theirs.virtualHost()) + ELSEWHERE);
  }

  private void compareTls() {
    Boolean ofAddress = tlsOfAddress();
    Boolean theirs = ofAddress == null ? spring.tls() : ofAddress;
    String origin = origin(ofAddress);
    boolean same = theirs == null || theirs == ours.tls();
    if (given.tls() != null) {
      faults.require(same, "rabbitmq.tls", given.tls(), "not set, or " + theirs + " as " + origin);
    } else {
      faults.require(
          same,
          "rabbitmq.addresses",
          ours.addresses() + (ours.tls() ? " with TLS" : " without TLS"),
          (ours.tls() ? "without TLS, as " : "with TLS, as ") + origin);
    }
    faults.require(
        spring.bundle() == null || given.trustedCertificates() == null || !ours.tls(),
        "rabbitmq.trusted-certificates",
        given.trustedCertificates(),
        "not set, as " + origin(null) + " what is trusted");
  }

  /** What the scheme of Spring's address says of TLS; null if there is no scheme. */
  private @Nullable Boolean tlsOfAddress() {
    if (spring.addresses() == null) {
      return null;
    }
    boolean on = springs(true, spring.addresses()).tls();
    boolean off = springs(false, spring.addresses()).tls();
    return on == off ? on : null;
  }

  private String origin(@Nullable Boolean ofAddress) {
    if (spring.fromDetails()) {
      return "the bean of RabbitConnectionDetails and spring.rabbitmq.ssl say";
    }
    return ofAddress == null
        ? "spring.rabbitmq.ssl says for the same broker"
        : "spring.rabbitmq.addresses says for the same broker";
  }
}
