package io.angarium.http.check;

import io.angarium.ConfigFaults;
import io.angarium.half.check.CheckBackConfig;
import io.angarium.http.internal.url.AllowedHosts;
import io.angarium.http.internal.url.Credentials;
import io.angarium.http.signature.HttpSignature;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Which producers may be asked over HTTP, and for how long. Start with {@link #allowing} and change
 * parts, each giving a copy. Immutable.
 *
 * @param allowedHosts to which hosts the check-backs of a business may go, by business id. {@code
 *     *} in a business id stands for any characters, so {@link #EVERY_BUSINESS} applies to all. A
 *     business may use the hosts of every entry that matches it. A host is {@code host} for the
 *     usual port of the scheme, or {@code host:port}. So check-backs reach a private network only
 *     by named hosts. At least one host
 * @param connect longest time to connect, 50 ms..1 min; default 2 s
 * @param answer longest time from the start of a question to the end of its answer, 100 ms..5 min;
 *     default 10 s
 * @param secrets sign the questions in our own form, by business id, see {@link HttpSignature}. The
 *     secrets of {@link #EVERY_BUSINESS} apply to a business that has none. A question without a
 *     secret is not signed. Producers that share a secret can forge each other's questions
 * @param authorizations values of the header Authorization, e.g. {@code Bearer …}, for questions in
 *     every form. The key is the host that a question goes to, {@code host} or {@code host:port} as
 *     above. A host with such a value is asked over https, or on this machine
 */
public record HttpCheckBackConfig(
    Map<String, Set<String>> allowedHosts,
    Duration connect,
    Duration answer,
    Map<String, List<String>> secrets,
    Map<String, String> authorizations) {
  /** In the place of a business id: hosts for all of them. */
  public static final String EVERY_BUSINESS = "*";

  private static final Duration CONNECT_DEFAULT = Duration.ofSeconds(2);
  private static final Duration ANSWER_DEFAULT = CheckBackConfig.DEFAULTS.timeout();

  /**
   * Checks everything.
   *
   * @throws io.angarium.ConfigurationException listing all faults at once
   */
  public HttpCheckBackConfig {
    Map<String, Set<String>> copy = new TreeMap<>();
    allowedHosts.forEach((business, hosts) -> copy.put(business, Set.copyOf(hosts)));
    allowedHosts = Map.copyOf(copy);
    Map<String, List<String>> copyOfSecrets = new TreeMap<>();
    secrets.forEach((business, some) -> copyOfSecrets.put(business, List.copyOf(some)));
    secrets = Map.copyOf(copyOfSecrets);
    ConfigFaults faults = new ConfigFaults();
    faults
        .range("half.check.connect-timeout", connect, Duration.ofMillis(50), Duration.ofMinutes(1))
        .range("half.check.timeout", answer, Duration.ofMillis(100), Duration.ofMinutes(5))
        .require(
            copy.values().stream().anyMatch(hosts -> !hosts.isEmpty()),
            "half.check.allowed-hosts",
            "none",
            "at least one host; without any no producer can be asked over HTTP");
    copy.forEach(
        (business, hosts) -> {
          boolean all = business.equals(EVERY_BUSINESS);
          String name = "half.check.allowed-hosts" + (all ? "" : "-of." + business);
          faults.require(
              all || !hosts.isEmpty(), name, "none", "at least one, or not to be there at all");
          AllowedHosts.check(name, hosts, faults);
        });
    copyOfSecrets.forEach(
        (business, some) -> {
          String name = "half.check.secrets." + business;
          faults.require(!some.isEmpty(), name, "none", "at least one, or not to be there at all");
          HttpSignature.check(name, some, faults);
        });
    authorizations = Map.copyOf(authorizations);
    Credentials.check("half.check.authorizations", authorizations, faults);
    faults.throwIfAny();
  }

  /**
   * The defaults, with these hosts for every business.
   *
   * @throws io.angarium.ConfigurationException if there is none, or one has another form
   */
  public static HttpCheckBackConfig allowing(String... hosts) {
    return allowing(Map.of(EVERY_BUSINESS, Set.of(hosts)));
  }

  /**
   * The defaults, with these hosts for each business.
   *
   * @throws io.angarium.ConfigurationException if there is none, or one has another form
   */
  public static HttpCheckBackConfig allowing(Map<String, Set<String>> hosts) {
    return new HttpCheckBackConfig(hosts, CONNECT_DEFAULT, ANSWER_DEFAULT, Map.of(), Map.of());
  }

  /** A copy with another time to connect. */
  public HttpCheckBackConfig connect(Duration connect) {
    return new HttpCheckBackConfig(allowedHosts, connect, answer, secrets, authorizations);
  }

  /** A copy with another time for the whole answer. */
  public HttpCheckBackConfig answer(Duration answer) {
    return new HttpCheckBackConfig(allowedHosts, connect, answer, secrets, authorizations);
  }

  /**
   * A copy whose questions are signed.
   *
   * @param secrets by business id
   * @throws io.angarium.ConfigurationException if one has another form
   */
  public HttpCheckBackConfig signed(Map<String, List<String>> secrets) {
    return new HttpCheckBackConfig(allowedHosts, connect, answer, secrets, authorizations);
  }

  /**
   * A copy whose questions show who asks.
   *
   * @param authorizations by host
   * @throws io.angarium.ConfigurationException if one has another form
   */
  public HttpCheckBackConfig authorized(Map<String, String> authorizations) {
    return new HttpCheckBackConfig(allowedHosts, connect, answer, secrets, authorizations);
  }

  /** Without the secrets. */
  @Override
  public String toString() {
    return "HttpCheckBackConfig[allowedHosts=%s, connect=%s, answer=%s, signed for %s, authorized at %s]"
        .formatted(allowedHosts, connect, answer, secrets.keySet(), authorizations.keySet());
  }
}
