package io.angarium.http;

import io.angarium.ConfigFaults;
import io.angarium.http.internal.url.WebUrl;
import io.angarium.http.signature.HttpSignature;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A web hook that messages name in their destination: {@code http:} and its name. Start with {@link
 * #of} and change parts, each giving a copy. Immutable.
 *
 * @param name 1..64 lower case letters, digits and dashes, beginning with a letter or a digit
 * @param url where to post, {@code https://} or {@code http://}. Its path and query are taken for
 *     secret: they never show in reasons or logs
 * @param secrets requests are signed with all of them, see {@link HttpSignature}; none: not at all
 * @param headers fixed headers of each request, e.g. {@code Authorization}; their values never show
 * @param timeout the longest a request may take, 100 ms..5 min; null for that of {@link
 *     HttpConfig.Timing}
 * @param retryRefused whether a message that the receiver refuses by 4xx is tried again until its
 *     attempts are used up; by default it is a dead letter at once
 */
public record HttpHook(
    String name,
    String url,
    List<String> secrets,
    Map<String, String> headers,
    @Nullable Duration timeout,
    boolean retryRefused) {

  private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9-]{0,63}");
  private static final Pattern HEADER_NAME = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");
  private static final Pattern HEADER_VALUE =
      Pattern.compile("[\\x21-\\x7E](?:[\\x20-\\x7E]*[\\x21-\\x7E])?");

  /** Headers that the client, the wire format or the signature set. */
  private static final Set<String> TAKEN =
      Set.of(
          "connection",
          "content-length",
          "content-type",
          "expect",
          "host",
          "te",
          "trailer",
          "transfer-encoding",
          "upgrade",
          "traceparent",
          "tracestate");

  private static final List<String> TAKEN_PREFIXES = List.of("ce-", "webhook-", "angarium-");

  /**
   * Checks everything.
   *
   * @throws io.angarium.ConfigurationException listing all faults at once
   */
  public HttpHook {
    secrets = List.copyOf(secrets);
    headers = Map.copyOf(headers);
    String prefix = "http.hooks." + name;
    ConfigFaults faults = new ConfigFaults();
    boolean named = NAME.matcher(name).matches();
    faults
        .require(named, "http.hooks", "'" + name + "'", "a name of 1..64 of a-z, 0-9, -")
        .require(WebUrl.parse(url).isPresent(), prefix + ".url", shown(url), WebUrl.FORM);
    HttpSignature.check(prefix + ".secrets", secrets, faults);
    headers.forEach((header, value) -> checkHeader(prefix + ".headers", header, value, faults));
    if (timeout != null) {
      HttpConfig.Timing.checkTimeout(prefix + ".timeout", timeout, faults);
    }
    faults.throwIfAny();
  }

  /** A wrong address, unless it may hold a password. */
  private static String shown(String url) {
    return url.contains("@") ? "a text with an @" : "'" + url + "'";
  }

  private static void checkHeader(String prefix, String name, String value, ConfigFaults faults) {
    String lower = name.toLowerCase(Locale.ROOT);
    boolean free =
        HEADER_NAME.matcher(name).matches()
            && !TAKEN.contains(lower)
            && TAKEN_PREFIXES.stream().noneMatch(lower::startsWith);
    faults
        .require(free, prefix, "'" + name + "'", "a header that nobody else sets")
        .require(
            HEADER_VALUE.matcher(value).matches(),
            prefix + "." + name,
            "its value",
            "printable ASCII characters");
  }

  /**
   * A hook without secrets and headers.
   *
   * @throws io.angarium.ConfigurationException if the name or the address has another form
   */
  public static HttpHook of(String name, String url) {
    return new HttpHook(name, url, List.of(), Map.of(), null, false);
  }

  /** A copy with exactly these secrets. */
  public HttpHook secrets(List<String> secrets) {
    return new HttpHook(name, url, secrets, headers, timeout, retryRefused);
  }

  /** A copy with exactly these fixed headers. */
  public HttpHook headers(Map<String, String> headers) {
    return new HttpHook(name, url, secrets, headers, timeout, retryRefused);
  }

  /** A copy with a timeout of its own; null for that of all. */
  public HttpHook timeout(@Nullable Duration timeout) {
    return new HttpHook(name, url, secrets, headers, timeout, retryRefused);
  }

  /** A copy that retries what its receiver refuses by 4xx, or does not. */
  public HttpHook retryRefused(boolean retryRefused) {
    return new HttpHook(name, url, secrets, headers, timeout, retryRefused);
  }

  /** Where it goes. */
  WebUrl target() {
    return WebUrl.parse(url).orElseThrow();
  }

  /** What signs its requests, if it has a secret. */
  Optional<HttpSignature> signature() {
    return secrets.isEmpty() ? Optional.empty() : Optional.of(HttpSignature.of(secrets));
  }

  /** Everything but what may be secret: path and query, secrets, values of headers. */
  @Override
  public String toString() {
    return "HttpHook[name=%s, url=%s/..., secrets=%d, headers=%s, timeout=%s]"
        .formatted(name, target().origin(), secrets.size(), headers.keySet(), timeout);
  }
}
