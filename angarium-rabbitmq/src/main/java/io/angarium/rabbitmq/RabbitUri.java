package io.angarium.rabbitmq;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.angarium.ConfigFaults;
import io.angarium.ConfigurationException;
import java.net.URLDecoder;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What the text form of a broker's address says. Immutable.
 *
 * @param hosts with or without ports, separated by commas
 * @param username null if none is named, like the parts that follow
 */
record RabbitUri(
    String hosts,
    @Nullable String username,
    @Nullable String password,
    @Nullable String virtualHost,
    @Nullable Boolean tls) {
  private static final Pattern FORM =
      Pattern.compile(
          "(?:(?<scheme>amqps?)://)?(?:(?<user>[^:@/]*)(?::(?<password>[^@/]*))?@)?(?<hosts>[^/@?#]+)(?:/(?<host>[^/?#@]*))?");
  private static final Pattern ADDRESS =
      Pattern.compile("(\\[[0-9a-fA-F:.%]+]|[^:\\s/\\[\\]]+):(\\d{1,5})");
  private static final Pattern PORT = Pattern.compile(".*:\\d+");
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
    String scheme = parts.group("scheme");
    return new RabbitUri(
        parts.group("hosts"),
        part(parts, "user"),
        part(parts, "password"),
        part(parts, "host"),
        scheme == null ? null : scheme.equals("amqps"));
  }

  private static @Nullable String part(Matcher parts, String name) {
    String text = parts.group(name);
    return text == null ? null : URLDecoder.decode(text.replace("+", "%2B"), UTF_8);
  }

  /** All of them with their ports, by default that of a connection with or without TLS. */
  String addresses(boolean encrypted) {
    int port = encrypted ? PORT_TLS : PORT_PLAIN;
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
    return "RabbitUri[" + hosts + ", " + username + ", " + virtualHost + "]";
  }
}
