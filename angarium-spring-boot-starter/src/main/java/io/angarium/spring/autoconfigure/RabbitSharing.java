package io.angarium.spring.autoconfigure;

import io.angarium.ConfigFaults;
import io.angarium.ConfigurationException;
import io.angarium.rabbitmq.RabbitConfig;
import java.util.Arrays;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Checks that Angarium's own properties of RabbitMQ do not contradict those of the application. */
final class RabbitSharing {
  private static final String SAYS = "not set, or %s as the bean of RabbitConnectionDetails says";
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
    boolean sameBroker = given.addresses() == null || spring.addresses() == null;
    if (spring.addresses() != null && given.addresses() != null) {
      RabbitConfig theirs = RabbitConfig.of("localhost").uri(spring.addresses());
      sameBroker = spring.fromDetails() || parts(ours).equals(parts(theirs));
    }
    if (spring.fromDetails()) {
      compareWithDetails();
    }
    if (sameBroker) {
      compareTls();
    }
    if (ours.tls() && given.trustedCertificates() == null) {
      spring.tlsFaults().forEach(faults::add);
    }
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
    String origin =
        spring.fromDetails()
            ? "the bean of RabbitConnectionDetails and spring.rabbitmq.ssl say"
            : "spring.rabbitmq.ssl says for the same broker";
    boolean differs = spring.tls() != null && given.tls() != null;
    faults
        .require(
            !differs || Objects.equals(spring.tls(), given.tls()),
            "rabbitmq.tls",
            given.tls(),
            "not set, or " + spring.tls() + " as " + origin)
        .require(
            spring.bundle() == null || given.trustedCertificates() == null || !ours.tls(),
            "rabbitmq.trusted-certificates",
            given.trustedCertificates(),
            "not set, as " + origin + " what is trusted");
  }
}
