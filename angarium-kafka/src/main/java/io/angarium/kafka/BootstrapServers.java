package io.angarium.kafka;

import io.angarium.ConfigFaults;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The list of brokers to start from. */
final class BootstrapServers {
  private static final Pattern FORM =
      Pattern.compile("(?:[a-zA-Z][a-zA-Z_]*://)?(\\[[0-9a-fA-F:.%]+]|[^:\\s/]+):(\\d{1,5})");

  private BootstrapServers() {}

  static void check(String servers, ConfigFaults faults) {
    for (String server : servers.split(",", -1)) {
      Matcher parts = FORM.matcher(server.strip());
      boolean wellFormed = parts.matches() && isPort(parts.group(2));
      faults.require(
          wellFormed, "kafka.bootstrap-servers", "'" + server.strip() + "'", "host:port");
    }
  }

  private static boolean isPort(String digits) {
    int port = Integer.parseInt(digits);
    return port >= 1 && port <= 65_535;
  }

  /** Whether any of the hosts has an address now. Asks the name service, so it may block. */
  static boolean anyResolves(String servers) {
    for (String server : servers.split(",", -1)) {
      Matcher parts = FORM.matcher(server.strip());
      if (parts.matches() && resolves(parts.group(1))) {
        return true;
      }
    }
    return false;
  }

  /**
   * All addresses of a server of the right form, none if the name service knows none. Asks it, so
   * it may block.
   */
  static List<InetSocketAddress> addresses(String server) {
    Matcher parts = FORM.matcher(server);
    if (!parts.matches()) {
      throw new IllegalArgumentException("'" + server + "' (expected: host:port)");
    }
    int port = Integer.parseInt(parts.group(2));
    return addressesOf(parts.group(1))
        .map(address -> new InetSocketAddress(address, port))
        .toList();
  }

  private static boolean resolves(String host) {
    return addressesOf(host).findAny().isPresent();
  }

  private static Stream<InetAddress> addressesOf(String host) {
    try {
      return Stream.of(InetAddress.getAllByName(host));
    } catch (UnknownHostException e) {
      return Stream.empty();
    }
  }
}
