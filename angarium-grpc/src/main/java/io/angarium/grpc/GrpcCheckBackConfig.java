package io.angarium.grpc;

import io.angarium.ConfigFaults;
import io.angarium.half.check.CheckBackConfig;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Which producers may be asked over gRPC, and how. Start with {@link #allowing} and change parts,
 * each giving a copy. Immutable.
 *
 * @param allowedHosts to which hosts the check-backs of a business may go, by business id. {@code
 *     *} in a business id stands for any characters, so {@link #EVERY_BUSINESS} applies to all. A
 *     business may use the hosts of every entry that matches it. A host is {@code host:port},
 *     without wildcards, so check-backs reach a private network only by named hosts. At least one
 * @param timeout longest time for an answer, connecting included, 100 ms..5 min; default 10 s
 * @param channels maximum number of producers that stay connected, 1..10 000; default 64. A further
 *     producer closes the connection that was not used for longest, after the answers to its
 *     questions
 * @param questions maximum questions in flight, 1..10 000; default 256. Further ones are
 *     unreachable at once
 */
public record GrpcCheckBackConfig(
    Map<String, Set<String>> allowedHosts, Duration timeout, int channels, int questions) {
  /** In the place of a business id: hosts for all of them. */
  public static final String EVERY_BUSINESS = "*";

  private static final Duration TIMEOUT_DEFAULT = CheckBackConfig.DEFAULTS.timeout();
  private static final int CHANNELS_DEFAULT = 64;
  private static final int QUESTIONS_DEFAULT = 256;

  /**
   * Checks everything.
   *
   * @throws io.angarium.ConfigurationException listing all faults at once
   */
  public GrpcCheckBackConfig {
    Map<String, Set<String>> copy = new HashMap<>();
    allowedHosts.forEach((business, hosts) -> copy.put(business, Set.copyOf(hosts)));
    allowedHosts = Map.copyOf(copy);
    ConfigFaults faults = new ConfigFaults();
    faults
        .range("check-back.grpc.timeout", timeout, Duration.ofMillis(100), Duration.ofMinutes(5))
        .range("check-back.grpc.channels", channels, 1, 10_000)
        .range("check-back.grpc.questions", questions, 1, 10_000)
        .require(
            copy.values().stream().anyMatch(hosts -> !hosts.isEmpty()),
            "check-back.grpc.allowed-hosts",
            "none",
            "at least one; without any no producer can be asked over gRPC");
    copy.forEach((business, hosts) -> check(business, hosts, faults));
    faults.throwIfAny();
  }

  private static void check(String business, Set<String> hosts, ConfigFaults faults) {
    boolean all = business.equals(EVERY_BUSINESS);
    String name = "check-back.grpc.allowed-hosts" + (all ? "" : "-of." + business);
    faults.require(
        all || !hosts.isEmpty(), name, "none", "at least one, or not to be there at all");
    for (String host : hosts) {
      boolean wellFormed = CheckBackAddress.isHostAndPort(host);
      faults.require(wellFormed, name, "'" + host + "'", "host:port; no wildcards");
    }
  }

  /**
   * The defaults, with these hosts for every business.
   *
   * @throws io.angarium.ConfigurationException if there is none, or one has another form
   */
  public static GrpcCheckBackConfig allowing(String... hosts) {
    return allowing(Map.of(EVERY_BUSINESS, Set.of(hosts)));
  }

  /**
   * The defaults, with these hosts for each business.
   *
   * @throws io.angarium.ConfigurationException if there is none, or one has another form
   */
  public static GrpcCheckBackConfig allowing(Map<String, Set<String>> hosts) {
    return new GrpcCheckBackConfig(hosts, TIMEOUT_DEFAULT, CHANNELS_DEFAULT, QUESTIONS_DEFAULT);
  }

  /** A copy with another longest time for an answer. */
  public GrpcCheckBackConfig timeout(Duration timeout) {
    return new GrpcCheckBackConfig(allowedHosts, timeout, channels, questions);
  }

  /** A copy with another number of producers that stay connected. */
  public GrpcCheckBackConfig channels(int channels) {
    return new GrpcCheckBackConfig(allowedHosts, timeout, channels, questions);
  }

  /** A copy with another number of questions at a time. */
  public GrpcCheckBackConfig questions(int questions) {
    return new GrpcCheckBackConfig(allowedHosts, timeout, channels, questions);
  }
}
