package io.angarium.half.internal.remote;

import io.angarium.InvalidMessageException;
import java.net.URI;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * TrustMessage's {@code verifyInfo}: where the producer of a half message is asked. The fields are
 * as they came, nulls included; only those that the protocol needs are looked at. Immutable.
 *
 * @param protocolType 1 for HTTP, 2 for Dubbo
 * @param registryProtocol the kind of registry, e.g. {@code zookeeper}; for Dubbo without a URL
 * @param registryAddress where the registry is, {@code host:port,host:port}
 * @param url of the producer; for Dubbo also that of a registry
 * @param version of its service
 */
public record ProducerPlace(
    int protocolType,
    @Nullable String registryProtocol,
    @Nullable String registryAddress,
    @Nullable String url,
    @Nullable String version) {
  private static final int HTTP = 1;
  private static final int DUBBO = 2;

  /** Paths and other parameters are passed over: they must not configure the client in here. */
  private static final Pattern URL =
      Pattern.compile("(?:([A-Za-z]+)://)?([^/?#]+)(?:/[^?#]*)?(?:\\?([^#]*))?");

  /**
   * The address of a check-back, as half messages have it.
   *
   * @throws InvalidMessageException naming the field that is missing or wrong
   */
  public URI address() {
    return switch (protocolType) {
      case HTTP -> http();
      case DUBBO -> dubbo().uri();
      default -> throw fault(".protocolType", protocolType, "1 for HTTP, 2 for Dubbo");
    };
  }

  private URI http() {
    try {
      URI uri = URI.create(url == null ? "" : url.strip());
      String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
      if ((scheme.equals("http") || scheme.equals("https")) && uri.getRawAuthority() != null) {
        return URI.create("trustmessage+" + uri);
      }
    } catch (IllegalArgumentException e) {
      throw fault(".url", url, "a URL, " + e.getMessage());
    }
    throw fault(".url", url, "http://… or https://…");
  }

  private DubboAddress dubbo() {
    return url == null || url.isBlank() ? registry() : direct(url.strip());
  }

  private DubboAddress direct(String given) {
    Matcher matcher = URL.matcher(given);
    return (matcher.matches()
            ? DubboAddress.of(
                scheme(matcher.group(1), "dubbo"), matcher.group(2), names(matcher.group(3)))
            : Optional.<DubboAddress>empty())
        .orElseThrow(
            () -> fault(".url", given, "dubbo://host:port, and a version of letters and digits"));
  }

  private DubboAddress registry() {
    String text = stripped(registryAddress);
    if (text.isEmpty()) {
      throw fault(".url", url, "dubbo://host:port, or a registryAddress");
    }
    Matcher matcher = URL.matcher(text);
    if (!matcher.matches()) {
      throw fault(".registryAddress", text, "host:port");
    }
    String protocol = stripped(registryProtocol);
    String scheme = scheme(protocol.isEmpty() ? matcher.group(1) : protocol, "");
    String backup = parameters(matcher.group(3)).get("backup");
    String places = backup == null ? matcher.group(2) : matcher.group(2) + "," + backup;
    return DubboAddress.of(scheme, places, names(null))
        .filter(DubboAddress::isRegistry)
        .orElseThrow(
            () ->
                fault(
                    ".registryProtocol and registryAddress",
                    scheme + "://" + places,
                    "zookeeper and host:port,host:port, and a version of letters and digits"));
  }

  private static String scheme(@Nullable String scheme, String otherwise) {
    return scheme == null ? otherwise : scheme.toLowerCase(Locale.ROOT);
  }

  /**
   * Returns the parameters that name the service. The field {@code version} takes precedence over
   * the URL.
   */
  private Map<String, String> names(@Nullable String query) {
    Map<String, String> names = parameters(query);
    if (!stripped(version).isEmpty()) {
      names.put("version", stripped(version));
    }
    return names;
  }

  private static String stripped(@Nullable String text) {
    return text == null ? "" : text.strip();
  }

  private static Map<String, String> parameters(@Nullable String query) {
    Map<String, String> parameters = new HashMap<>();
    for (String parameter : (query == null ? "" : query).split("&", -1)) {
      int equals = parameter.indexOf('=');
      if (equals > 0) {
        parameters.put(parameter.substring(0, equals), parameter.substring(equals + 1));
      }
    }
    return parameters;
  }

  private static InvalidMessageException fault(
      String field, @Nullable Object value, String expected) {
    return new InvalidMessageException(
        "verifyInfo%s: %s (expected: %s)"
            .formatted(field, PrintableExcerpt.of(String.valueOf(value)), expected));
  }
}
