package io.angarium.grpc;

import java.net.URI;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a producer is asked: {@code grpc://host:port}, or {@code grpcs://host:port} with TLS.
 * Immutable.
 *
 * @param secure whether with TLS
 * @param hostAndPort in lower case
 */
record CheckBackAddress(boolean secure, String hostAndPort) {
  static final String PLAIN = "grpc";
  static final String SECURE = "grpcs";

  private static final Pattern HOST_AND_PORT =
      Pattern.compile(
          "(?:\\[[0-9a-fA-F:.]+]|[a-zA-Z0-9](?:[a-zA-Z0-9.-]*[a-zA-Z0-9])?):(\\d{1,5})");
  private static final int PORT_MAX = 65_535;

  /** Reads an address; empty if it is none, or has parts besides. */
  static Optional<CheckBackAddress> parse(URI address) {
    String scheme = String.valueOf(address.getScheme()).toLowerCase(Locale.ROOT);
    String authority = address.getRawAuthority();
    boolean bare =
        address.getRawQuery() == null
            && address.getRawFragment() == null
            && (address.getRawPath() == null
                || address.getRawPath().isEmpty()
                || address.getRawPath().equals("/"));
    if (!bare
        || authority == null
        || !isHostAndPort(authority)
        || !(scheme.equals(PLAIN) || scheme.equals(SECURE))) {
      return Optional.empty();
    }
    return Optional.of(
        new CheckBackAddress(scheme.equals(SECURE), authority.toLowerCase(Locale.ROOT)));
  }

  static boolean isHostAndPort(String text) {
    Matcher matcher = HOST_AND_PORT.matcher(text);
    if (!matcher.matches()) {
      return false;
    }
    int port = Integer.parseInt(matcher.group(1));
    return port >= 1 && port <= PORT_MAX;
  }

  /** What gRPC calls it; only the name service, no other way to resolve a name, may be asked. */
  String target() {
    return "dns:///" + hostAndPort;
  }
}
