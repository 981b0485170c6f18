package io.angarium.http.internal.url;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An address to which a request may be sent, as far as its form goes. Immutable.
 *
 * @param uri printable ASCII only
 * @param host in lower case
 * @param port never the absent one
 */
public record WebUrl(URI uri, String host, int port) {
  /** What is expected of one, in words. */
  public static final String FORM =
      "http:// or https://, a host, perhaps a port and a path; without user, fragment or spaces";

  private static final int HTTP_PORT = 80;
  private static final int HTTPS_PORT = 443;
  private static final int PORT_MAX = 65_535;
  private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

  /** Whether a text means to be one. */
  public static boolean isMeant(String text) {
    return text.contains("/");
  }

  /** The address, or empty if the form is not as expected. */
  public static Optional<WebUrl> parse(String text) {
    URI uri;
    try {
      uri = new URI(new URI(text).toASCIIString());
    } catch (URISyntaxException e) {
      return Optional.empty();
    }
    String host = uri.getHost();
    int port = uri.getPort() < 0 ? defaultPort(uri.getScheme()) : uri.getPort();
    boolean wellFormed =
        host != null
            && port >= 1
            && port <= PORT_MAX
            && defaultPort(uri.getScheme()) > 0
            && uri.getRawUserInfo() == null
            && uri.getRawFragment() == null;
    return host != null && wellFormed
        ? Optional.of(new WebUrl(uri, host.toLowerCase(Locale.ROOT), port))
        : Optional.empty();
  }

  private static int defaultPort(@Nullable String scheme) {
    if ("https".equalsIgnoreCase(scheme)) {
      return HTTPS_PORT;
    }
    return "http".equalsIgnoreCase(scheme) ? HTTP_PORT : 0;
  }

  public boolean isSecure() {
    return "https".equalsIgnoreCase(uri.getScheme());
  }

  /** Whether requests stay on this machine. */
  public boolean isLoopback() {
    return LOOPBACK.contains(host);
  }

  boolean hasDefaultPort() {
    return port == defaultPort(uri.getScheme());
  }

  public String hostAndPort() {
    return host + ":" + port;
  }

  /** Scheme, host and port: what may be shown where a path may be secret. */
  public String origin() {
    String scheme = isSecure() ? "https://" : "http://";
    return scheme + (hasDefaultPort() ? host : hostAndPort());
  }
}
