package io.angarium.dubbo;

import io.angarium.ConfigFaults;
import io.angarium.half.check.CheckBackConfig;
import io.angarium.half.internal.remote.DubboAddress;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Which producers may be asked over Dubbo, how, and for how long. Start with {@link #allowing} and
 * change parts, each giving a copy. Immutable.
 *
 * @param allowedAddresses where the producers of a business may be, by business id. {@code *} in a
 *     business id stands for any characters, so {@link #EVERY_BUSINESS} applies to all. A business
 *     may use the addresses of every entry that matches it. An address is {@code
 *     dubbo://host:port}, {@code tri://host:port}, or a registry such as {@code
 *     zookeeper://host:port}. An address without a port uses the usual one. Anybody who can write
 *     to an allowed registry decides what is asked. At least one
 * @param answer longest time to an answer, a connection included, 100 ms..5 min; default 10 s
 * @param referencesMax maximum number of producers to stay connected to, 1..10 000; default 100. A
 *     further producer replaces the one that was not asked for longest
 * @param service the interface that producers offer; default TrustMessage's
 * @param method the method of that interface, which takes an integer and a text; default
 *     TrustMessage's
 */
public record DubboCheckBackConfig(
    Map<String, Set<String>> allowedAddresses,
    Duration answer,
    int referencesMax,
    String service,
    String method) {
  /** In the place of a business id: addresses for all of them. */
  public static final String EVERY_BUSINESS = "*";

  private static final Duration ANSWER_DEFAULT = CheckBackConfig.DEFAULTS.timeout();
  private static final int REFERENCES_DEFAULT = 100;
  private static final String SERVICE_DEFAULT =
      "com.example.trustmessage.middlewareapi.service.VerifyMessageService";
  private static final String METHOD_DEFAULT = "verifyMessage";

  /**
   * Checks everything.
   *
   * @throws io.angarium.ConfigurationException listing all faults at once
   */
  public DubboCheckBackConfig {
    Map<String, Set<String>> copy = new TreeMap<>();
    allowedAddresses.forEach((business, addresses) -> copy.put(business, Set.copyOf(addresses)));
    allowedAddresses = Map.copyOf(copy);
    ConfigFaults faults = new ConfigFaults();
    faults
        .range("check-back.dubbo.timeout", answer, Duration.ofMillis(100), Duration.ofMinutes(5))
        .range("check-back.dubbo.max-references", referencesMax, 1, 10_000)
        .require(
            !service.isBlank(), "check-back.dubbo.interface", service, "the name of an interface")
        .require(!method.isBlank(), "check-back.dubbo.method", method, "the name of a method")
        .require(
            copy.values().stream().anyMatch(addresses -> !addresses.isEmpty()),
            "check-back.dubbo.allowed-addresses",
            "none",
            "at least one address; without any no producer can be asked over Dubbo");
    copy.forEach((business, addresses) -> check(business, addresses, faults));
    faults.throwIfAny();
  }

  private static void check(String business, Set<String> addresses, ConfigFaults faults) {
    boolean all = business.equals(EVERY_BUSINESS);
    String name = "check-back.dubbo.allowed-addresses" + (all ? "" : "-of." + business);
    faults.require(
        all || !addresses.isEmpty(), name, "none", "at least one, or not to be there at all");
    for (String entry : addresses) {
      faults.require(
          isEntry(entry),
          name,
          "'" + entry + "'",
          "dubbo://host:port, tri://host:port or zookeeper://host:port");
    }
  }

  private static boolean isEntry(String entry) {
    Optional<DubboAddress> address = DubboAddress.parse(entry);
    return address.isPresent() && !entry.contains("?");
  }

  /**
   * The defaults, with these addresses for every business.
   *
   * @throws io.angarium.ConfigurationException if there is none, or one has another form
   */
  public static DubboCheckBackConfig allowing(String... addresses) {
    return allowing(Map.of(EVERY_BUSINESS, Set.of(addresses)));
  }

  /**
   * The defaults, with these addresses for each business.
   *
   * @throws io.angarium.ConfigurationException if there is none, or one has another form
   */
  public static DubboCheckBackConfig allowing(Map<String, Set<String>> addresses) {
    return new DubboCheckBackConfig(
        addresses, ANSWER_DEFAULT, REFERENCES_DEFAULT, SERVICE_DEFAULT, METHOD_DEFAULT);
  }

  /** A copy with another time to an answer. */
  public DubboCheckBackConfig answer(Duration answer) {
    return new DubboCheckBackConfig(allowedAddresses, answer, referencesMax, service, method);
  }

  /** A copy that keeps connections to so many producers. */
  public DubboCheckBackConfig referencesMax(int referencesMax) {
    return new DubboCheckBackConfig(allowedAddresses, answer, referencesMax, service, method);
  }

  /** A copy that asks another interface. */
  public DubboCheckBackConfig service(String service, String method) {
    return new DubboCheckBackConfig(allowedAddresses, answer, referencesMax, service, method);
  }
}
