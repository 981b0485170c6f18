package io.angarium.server;

import io.angarium.TimeSource;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Who makes a request: the owner of the API key that it brings. Where no keys are configured, a
 * program of this machine, and no page of a browser: it could be made to call by a page from
 * elsewhere. Thread-safe.
 */
final class Access {
  private static final Set<String> LOCAL_NAMES = Set.of("localhost", "127.0.0.1", "[::1]");

  /** What a proxy adds: behind one, anybody would be a program of this machine. */
  private static final List<String> FORWARDED =
      List.of("Forwarded", "Via", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP");

  private static final List<String> OF_BROWSERS = List.of("Origin", "Sec-Fetch-Site");
  private static final String AUTHORIZATION = "Authorization";
  private static final String BEARER = "bearer ";

  private static final String KEY_WANTED =
      "no API key that is known here; send 'Authorization: Bearer' and the key, whose hash is to be"
          + " among "
          + ServerProperties.PREFIX
          + ".api-keys";

  private static final String LOCAL_ONLY =
      "without API keys only programs of this machine are served, by the name localhost or"
          + " 127.0.0.1, and no pages of browsers and no proxies";

  private final ApiKeys keys;
  private final Caller local;

  Access(ApiKeys keys, TimeSource time) {
    this.keys = keys;
    this.local = Caller.local(time);
  }

  /** Whether callers must show a key. */
  boolean wantsKey() {
    return keys.any();
  }

  /** Why somebody is not let in, and what to do. */
  String reason() {
    return keys.any() ? KEY_WANTED : LOCAL_ONLY;
  }

  /**
   * Who it is; empty if it is not let in.
   *
   * @param host under which name the server is called, perhaps with a port
   * @param headers the value of a header, null if there is none; the case of names does not count
   */
  Optional<Caller> caller(@Nullable String host, UnaryOperator<@Nullable String> headers) {
    return keys.any() ? withKey(headers.apply(AUTHORIZATION)) : onThisMachine(host, headers);
  }

  private Optional<Caller> withKey(@Nullable String given) {
    return given != null && given.toLowerCase(Locale.ROOT).startsWith(BEARER)
        ? keys.callerOf(given.substring(BEARER.length()).strip())
        : Optional.empty();
  }

  private Optional<Caller> onThisMachine(
      @Nullable String host, UnaryOperator<@Nullable String> headers) {
    String name = String.valueOf(host).replaceFirst(":\\d+$", "");
    boolean here =
        LOCAL_NAMES.contains(name.toLowerCase(Locale.ROOT))
            && FORWARDED.stream().allMatch(each -> headers.apply(each) == null)
            && OF_BROWSERS.stream().allMatch(each -> headers.apply(each) == null);
    return here ? Optional.of(local) : Optional.empty();
  }
}
