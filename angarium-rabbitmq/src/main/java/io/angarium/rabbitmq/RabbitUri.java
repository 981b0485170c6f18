package io.angarium.rabbitmq;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.angarium.ConfigFaults;
import io.angarium.ConfigurationException;
import java.net.URLDecoder;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What the text form of a broker's address says. Immutable. */
record RabbitUri(
    String addresses, String username, String password, String virtualHost, boolean tls) {
  private static final Pattern FORM =
      Pattern.compile(
          "(?:(?<scheme>amqps?)://)?(?:(?<user>[^:@/]*)(?::(?<password>[^@/]*))?@)?(?<hosts>[^/@?#]+)(?:/(?<host>[^/?#@]*))?");
  private static final Pattern ADDRESS =
      Pattern.compile("(\\[[0-9a-fA-F:.%]+]|[^:\\s/\\[\\]]+):(\\d{1,5})");
  private static final Pattern PORT = Pattern.compile(".*:\\d+");
  private static final String GUEST = "guest";
  private static final int PORT_PLAIN = 5672;
  private static final int PORT_TLS = 5671;
  private static final int PORT_MAX = 65_535;

  /**
   * Reads the text form.
   *
   * @throws ConfigurationException if it has another form
   */
  static RabbitUri parse(String uri) {
    Matcher parts = FORM.matcher(uri.strip());
    if (!parts.matches()) {
      throw new ConfigurationException(
          List.of(
              "rabbitmq.addresses: not of the form (expected: host:port or"
                  + " amqp://user:password@host:port/virtual-host, others percent-encoded)"));
    }
    try {
      return parsed(parts);
    } catch (IllegalArgumentException e) { // its text holds what may be a password
      throw new ConfigurationException(
          List.of("rabbitmq.addresses: a '%' that begins no percent-encoding (expected: %25)"));
    }
  }

  private static RabbitUri parsed(Matcher parts) {
    boolean tls = "amqps".equals(parts.group("scheme"));
    return new RabbitUri(
        withPorts(parts.group("hosts"), tls ? PORT_TLS : PORT_PLAIN),
        part(parts, "user", GUEST),
        part(parts, "password", GUEST),
        part(parts, "host", "/"),
        tls);
  }

  private static String part(Matcher parts, String name, String standard) {
    return Optional.ofNullable(parts.group(name))
        .map(text -> URLDecoder.decode(text.replace("+", "%2B"), UTF_8))
        .orElse(standard);
  }

  private static String withPorts(String hosts, int port) {
    return Arrays.stream(hosts.split(",", -1))
        .map(
            host -> PORT.matcher(host.strip()).matches() ? host.strip() : host.strip() + ":" + port)
        .collect(Collectors.joining(","));
  }

  static void checkAddresses(String addresses, ConfigFaults faults) {
    for (String address : addresses.split(",", -1)) {
      Matcher parts = ADDRESS.matcher(address.strip());
      boolean wellFormed = parts.matches() && isPort(parts.group(2));
      boolean secret = address.contains("@") || address.contains("//");
      String shown = secret ? "a whole URI" : "'" + address.strip() + "'";
      faults.require(wellFormed, "rabbitmq.addresses", shown, "host:port");
    }
  }

  private static boolean isPort(String digits) {
    int port = Integer.parseInt(digits);
    return port >= 1 && port <= PORT_MAX;
  }

  /** Never the password. */
  @Override
  public String toString() {
    return "RabbitUri[" + addresses + ", " + username + ", " + virtualHost + "]";
  }
}
