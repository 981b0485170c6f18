package io.angarium.server.faults;

import io.angarium.ConfigFaults;
import io.angarium.ConfigurationException;
import io.angarium.dubbo.DubboCheckBackConfig;
import io.angarium.server.settings.CheckBackProperties;
import io.angarium.server.settings.DubboProperties;
import io.angarium.server.settings.OptionalLibraries;
import io.angarium.server.settings.ServerProperties;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.regex.Pattern;

/** Everything that is wrong with what the server does over Dubbo. */
final class DubboFaults {
  private static final String PREFIX = ServerProperties.PREFIX + ".dubbo.";
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");
  private static final Pattern TRANSPORT = Pattern.compile("[a-z][a-z0-9-]{0,31}");
  private static final Pattern REGISTRY =
      Pattern.compile("zookeeper://[^/?#\\s]+:\\d{1,5}(\\?\\S*)?");

  /** Dubbo looks at these, of the environment and of the JVM, before it looks at host and port. */
  private static final List<String> STRONGER =
      List.of(
          "DUBBO_IP_TO_BIND",
          "DUBBO_PORT_TO_BIND",
          "DUBBO_DUBBO_IP_TO_BIND",
          "DUBBO_DUBBO_PORT_TO_BIND");

  private static final int PORT_MAX = 65_535;
  private static final int THREADS_MAX = 10_000;
  private static final int CONNECTIONS_MAX = 100_000;

  private final ConfigFaults faults;

  private DubboFaults(ConfigFaults faults) {
    this.faults = faults;
  }

  static void gather(ServerProperties properties, ConfigFaults faults) {
    DubboFaults gathered = new DubboFaults(faults);
    if (properties.dubbo().enabled()) {
      gathered.checkOffer(properties.dubbo(), properties.asksWho());
      gathered.check(properties.dubbo());
    }
    gathered.check(properties.checkBack().dubbo());
  }

  private void checkOffer(DubboProperties dubbo, boolean asksWho) {
    faults.require(
        asksWho || dubbo.trustMessage().enabled(),
        ServerProperties.PREFIX + ".api-keys",
        "none",
        "at least one, or %s.oauth2, as half messages over Dubbo want an API key or a token, also from this machine; or %senabled=false, or %strust-message.enabled=true for its calls alone"
            .formatted(ServerProperties.PREFIX, PREFIX, PREFIX));
  }

  private void check(DubboProperties dubbo) {
    checkHost(dubbo);
    STRONGER.forEach(this::requireUnset);
    requireName(PREFIX + "application", dubbo.application());
    faults
        .range(PREFIX + "port", dubbo.port(), 1, PORT_MAX)
        .range(PREFIX + "threads", dubbo.threads(), 1, THREADS_MAX)
        .range(PREFIX + "connections", dubbo.connections(), 1, CONNECTIONS_MAX);
    checkTrustMessage(dubbo);
    dubbo
        .registries()
        .forEach(
            each ->
                faults.require(
                    REGISTRY.matcher(each).matches(),
                    PREFIX + "registries",
                    "'" + each + "'",
                    "zookeeper://host:port"));
  }

  private void checkTrustMessage(DubboProperties dubbo) {
    if (!dubbo.trustMessage().enabled()) {
      String expected = "none, as trust-message.enabled is false; half messages have API keys";
      faults
          .require(!dubbo.open(), PREFIX + "open", "true", expected)
          .require(
              dubbo.businesses().isEmpty(), PREFIX + "businesses", dubbo.businesses(), expected)
          .require(
              dubbo.destinations().isEmpty(),
              PREFIX + "destinations",
              dubbo.destinations(),
              expected)
          .require(dubbo.rate() == null, PREFIX + "rate", dubbo.rate(), expected)
          .require(
              dubbo.payloadMax() == null, PREFIX + "payload-max", dubbo.payloadMax(), expected);
      return;
    }
    ServerFaults.checkRate(PREFIX, dubbo.rate(), faults);
    ServerFaults.checkPayload(PREFIX, dubbo.payloadMax(), faults);
    faults
        .require(
            TRANSPORT.matcher(dubbo.forwardTransport()).matches(),
            PREFIX + "forward-transport",
            "'" + dubbo.forwardTransport() + "'",
            "the name of a transport, e.g. kafka")
        .require(
            !dubbo.businesses().isEmpty(),
            PREFIX + "businesses",
            "none",
            "business ids for TrustMessage's calls, or * for all; or trust-message.enabled=false")
        .require(
            !dubbo.destinations().isEmpty(),
            PREFIX + "destinations",
            "none",
            "destinations for TrustMessage's calls, e.g. kafka:orders or kafka:*; or"
                + " trust-message.enabled=false");
  }

  private void requireName(String property, String name) {
    faults.require(
        NAME.matcher(name).matches(),
        property,
        "'" + name + "'",
        "a name of 1..64 letters, digits, '.', '_' or '-'");
  }

  private void checkHost(DubboProperties dubbo) {
    String host = dubbo.host();
    faults.require(
        Openness.isAddress(host),
        PREFIX + "host",
        "'" + host + "'",
        "an address of this machine, or 0.0.0.0 for all");
    if (!Openness.isAddress(host)) {
      return;
    }
    faults.require(
        !dubbo.trustMessage().enabled() || dubbo.open() || Openness.isLoopback(host),
        PREFIX + "host",
        host,
        "one of loopback, or %1$strust-message.enabled=false, or %1$sopen=true, as TrustMessage's calls ask nobody who they are: whoever reaches the port may do what is permitted here"
            .formatted(PREFIX));
    faults.require(
        !(Openness.isLoopback(host) && isVersion6(host)),
        PREFIX + "host",
        host,
        "127.0.0.1 for loopback, as Dubbo listens to everybody at ::1");
  }

  private void requireUnset(String variable) {
    String value = System.getenv(variable);
    String found = value == null ? System.getProperty(variable) : value;
    faults.require(
        found == null,
        variable,
        "'" + found + "'",
        "not to be set, as Dubbo would listen there instead of at %shost and port"
            .formatted(PREFIX));
  }

  private static boolean isVersion6(String host) {
    try {
      return InetAddress.getByName(host) instanceof Inet6Address;
    } catch (UnknownHostException e) {
      return false;
    }
  }

  private void check(CheckBackProperties.Dubbo given) {
    if (given.addresses().isEmpty() || !OptionalLibraries.hasDubbo()) {
      return;
    }
    requireName(ServerProperties.PREFIX + ".check-back.dubbo.application", given.application());
    try {
      DubboCheckBackConfig.allowing(given.addresses());
    } catch (ConfigurationException e) {
      e.faults().forEach(fault -> faults.add(ServerProperties.PREFIX + "." + fault));
    }
  }
}
