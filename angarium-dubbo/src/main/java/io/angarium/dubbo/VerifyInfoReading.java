package io.angarium.dubbo;

import com.example.trustmessage.middlewareapi.common.MiddlewareMessage.VerifyInfo;
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
 * Turns TrustMessage's {@code verifyInfo} into the address of a check-back. Only the fields that
 * its protocol needs are looked at.
 */
final class VerifyInfoReading {
  private static final int HTTP = 1;
  private static final int DUBBO = 2;

  /** Paths and other parameters are passed over: they must not configure the client in here. */
  private static final Pattern URL =
      Pattern.compile("(?:([A-Za-z]+)://)?([^/?#]+)(?:/[^?#]*)?(?:\\?([^#]*))?");

  private VerifyInfoReading() {}

  /**
   * The address.
   *
   * @throws InvalidMessageException naming the field that is missing or wrong
   */
  static URI address(@Nullable VerifyInfo info) {
    if (info == null) {
      throw fault("", null, "where the producer is asked");
    }
    return switch (info.getProtocolType()) {
      case HTTP -> http(info.getUrl());
      case DUBBO -> dubbo(info).uri();
      default -> throw fault(".protocolType", info.getProtocolType(), "1 for HTTP, 2 for Dubbo");
    };
  }

  private static URI http(@Nullable String url) {
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

  private static DubboAddress dubbo(VerifyInfo info) {
    String url = info.getUrl();
    return url == null || url.isBlank() ? registry(info) : direct(url.strip(), info);
  }

  private static DubboAddress direct(String url, VerifyInfo info) {
    Matcher matcher = URL.matcher(url);
    return (matcher.matches()
            ? DubboAddress.of(
                scheme(matcher.group(1), "dubbo"), matcher.group(2), names(matcher.group(3), info))
            : Optional.<DubboAddress>empty())
        .filter(address -> !address.isRegistry())
        .orElseThrow(
            () -> fault(".url", url, "dubbo://host:port, and a version of letters and digits"));
  }

  private static DubboAddress registry(VerifyInfo info) {
    String text = info.getRegistryAddress() == null ? "" : info.getRegistryAddress().strip();
    if (text.isEmpty()) {
      throw fault(".url", info.getUrl(), "dubbo://host:port, or a registryAddress");
    }
    Matcher matcher = URL.matcher(text);
    if (!matcher.matches()) {
      throw fault(".registryAddress", text, "host:port");
    }
    String protocol = info.getRegistryProtocol() == null ? "" : info.getRegistryProtocol().strip();
    String scheme = scheme(protocol.isEmpty() ? matcher.group(1) : protocol, "");
    String backup = parameters(matcher.group(3)).get("backup");
    String places = backup == null ? matcher.group(2) : matcher.group(2) + "," + backup;
    return DubboAddress.of(scheme, places, names(null, info))
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

  /** Of the service; the field comes before what stands in the URL. */
  private static Map<String, String> names(@Nullable String query, VerifyInfo info) {
    Map<String, String> names = parameters(query);
    String version = info.getVersion();
    if (version != null && !version.isBlank()) {
      names.put("version", version.strip());
    }
    return names;
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
            .formatted(field, Excerpt.of(String.valueOf(value)), expected));
  }
}
