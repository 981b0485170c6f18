package io.angarium.server.access;

import io.angarium.TimeSource;
import io.angarium.dubbo.HalfMessageService;
import io.angarium.http.half.HalfProblem;
import io.angarium.server.problem.ProblemException;
import io.angarium.server.problem.Problems;
import io.angarium.server.settings.OAuth2Properties;
import io.angarium.server.settings.ServerProperties;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Who makes a request: the owner of the API key or the token that it brings. Where neither is
 * configured, a program of this machine, and no page of a browser: it could be made to call by a
 * page from elsewhere. Thread-safe.
 */
public final class Access {
  private static final Set<String> LOCAL_NAMES = Set.of("localhost", "127.0.0.1", "[::1]");

  /** What a proxy adds: behind one, anybody would be a program of this machine. */
  private static final List<String> FORWARDED =
      List.of(
          "Forwarded",
          "Via",
          "X-Forwarded-For",
          "X-Forwarded-Host",
          "X-Forwarded-Proto",
          "X-Forwarded-Port",
          "X-Real-IP");

  private static final List<String> OF_BROWSERS = List.of("Origin", "Sec-Fetch-Site");
  private static final String AUTHORIZATION = "Authorization";
  private static final String BEARER = "bearer ";

  private static final String KEY_WANTED =
      "no API key that is known here; send %s and the key, whose hash is to be among "
          + ServerProperties.PREFIX
          + ".api-keys";

  private static final String BY_HEADER = "'Authorization: Bearer'";
  private static final String BY_ATTACHMENT = "the attachment '" + HalfMessageService.API_KEY + "'";

  private static final String OR_TOKEN =
      ", or a token of the issuer %s, set by " + OAuth2Properties.PREFIX;

  private static final String LOCAL_ONLY =
      "without API keys and tokens only programs of this machine are served, by the name localhost"
          + " or 127.0.0.1, and no pages of browsers and no proxies";

  private final ApiKeys keys;
  private final @Nullable Tokens tokens;
  private final Caller local;

  /**
   * @param tokens null if none are taken
   */
  public Access(ApiKeys keys, @Nullable Tokens tokens, TimeSource time) {
    this.keys = keys;
    this.tokens = tokens;
    this.local = Caller.local(time);
  }

  /** Whom it lets in, in words. */
  public String words() {
    if (tokens == null) {
      return keys.any() ? "those with an API key" : "this machine only, without API keys";
    }
    return "those with a token of " + tokens.issuer() + (keys.any() ? " or an API key" : "");
  }

  /**
   * Who it is. With a token this may wait for its issuer, for some seconds.
   *
   * @param host under which name the server is called, perhaps with a port
   * @param headers the value of a header, null if there is none; the case of names does not count
   * @throws ProblemException if it is not let in, or that cannot be found out now
   */
  public Caller caller(@Nullable String host, UnaryOperator<@Nullable String> headers) {
    if (asksWho()) {
      return bearer(headers.apply(AUTHORIZATION))
          .flatMap(this::known)
          .orElseThrow(() -> stranger(BY_HEADER));
    }
    return onThisMachine(host, headers)
        .orElseThrow(() -> new ProblemException(403, HalfProblem.NOT_PERMITTED, LOCAL_ONLY));
  }

  /**
   * Returns who makes a request over Dubbo. With a token this may wait for its issuer, for some
   * seconds. Dubbo always requires a key or a token. Otherwise nothing distinguishes a program of
   * this machine from a forwarded request, or from a browser that was made to write Dubbo's bytes.
   *
   * @param shown the key or token; null for none
   * @throws ProblemException if the caller is not let in, or that cannot be found out now
   */
  public Caller callerOverDubbo(@Nullable String shown) {
    return Optional.ofNullable(shown)
        .flatMap(this::known)
        .orElseThrow(() -> stranger(BY_ATTACHMENT));
  }

  /** Whether callers must show a key or a token. */
  public boolean asksWho() {
    return keys.any() || tokens != null;
  }

  /** What a header has besides its scheme; empty if it has another one, or there is none. */
  private static Optional<String> bearer(@Nullable String header) {
    return Optional.ofNullable(header)
        .filter(Problems::isBearer)
        .map(each -> each.substring(BEARER.length()).strip());
  }

  private Optional<Caller> known(String given) {
    Optional<Caller> owner = keys.callerOf(given);
    return owner.isPresent() || tokens == null || !Tokens.isToken(given)
        ? owner
        : Optional.of(tokens.callerOf(given));
  }

  /** Whose key this is; empty if nobody's, also for a token. */
  public Optional<Caller> callerOfKey(String shown) {
    return keys.callerOf(shown);
  }

  /** The caller that the configuration calls so. */
  public Optional<Caller> callerNamed(String name) {
    return keys.callerNamed(name);
  }

  private ProblemException stranger(String way) {
    String key = KEY_WANTED.formatted(way);
    String wanted = tokens == null ? key : key + OR_TOKEN.formatted(tokens.issuer());
    return new ProblemException(401, HalfProblem.UNAUTHENTICATED, wanted);
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
