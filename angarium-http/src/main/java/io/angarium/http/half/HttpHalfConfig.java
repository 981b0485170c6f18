package io.angarium.http.half;

import io.angarium.ConfigFaults;
import io.angarium.half.TokenSource;
import io.angarium.http.internal.url.WebUrl;
import java.net.URI;
import java.time.Duration;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where the server of half messages is, and how it is called. Start with {@link #of} and change
 * parts, each giving a copy. Immutable.
 *
 * @param server its address, {@code https://} or {@code http://}, perhaps with a path before {@code
 *     /v1}
 * @param apiKey the key that the server knows this application by; null for a server that wants
 *     none. Never shows
 * @param token gives the token that each request shows, in the place of an API key; null for none.
 *     Its time does not count to that of the answer
 * @param connect longest time to connect, 50 ms..1 min; default 2 s
 * @param answer longest time from the start of a request to the end of its answer, 100 ms..5 min;
 *     default 15 s, as the server itself waits for a key that is held. A request whose connection
 *     broke is made once more, so a call can take twice as long, and the time it waits for its turn
 * @param limits how much goes at a time
 */
public record HttpHalfConfig(
    String server,
    @Nullable String apiKey,
    @Nullable TokenSource token,
    Duration connect,
    Duration answer,
    Limits limits) {
  private static final Duration CONNECT_DEFAULT = Duration.ofSeconds(2);
  private static final Duration ANSWER_DEFAULT = Duration.ofSeconds(15);
  private static final Pattern API_KEY = Pattern.compile("[\\x21-\\x7E]{1,512}");

  /**
   * Checks everything.
   *
   * @throws io.angarium.ConfigurationException listing all faults at once
   */
  public HttpHalfConfig {
    ConfigFaults faults = new ConfigFaults();
    boolean wellFormed = WebUrl.parse(server).filter(url -> isBase(url)).isPresent();
    faults
        .require(
            wellFormed,
            "half.http.server",
            server.contains("@") ? "a text with an @" : "'" + server + "'",
            WebUrl.FORM + " or query")
        .require(
            apiKey == null || API_KEY.matcher(apiKey).matches(),
            "half.http.api-key",
            "its value",
            "1..512 printable ASCII characters")
        .require(
            apiKey == null || token == null, "half.http.api-key", "given", "none besides a token")
        .range("half.http.connect-timeout", connect, Duration.ofMillis(50), Duration.ofMinutes(1))
        .range("half.http.timeout", answer, Duration.ofMillis(100), Duration.ofMinutes(5))
        .throwIfAny();
  }

  private static boolean isBase(WebUrl url) {
    return url.uri().getRawQuery() == null;
  }

  /**
   * How much goes at a time. Immutable.
   *
   * @param requests requests at a time, 1..64; default 2. While all are under way, further calls
   *     gather for the next one
   * @param calls calls in a request, 1..500; default 500
   * @param bytes of a request, 1 KiB..64 MiB; default 2 MiB. A call that is larger goes alone
   */
  public record Limits(int requests, int calls, int bytes) {
    /** 2 requests at a time, of 500 calls or 2 MiB. */
    public static final Limits DEFAULTS = new Limits(2, HalfJson.CALLS_MAX, 2 << 20);

    /** Checks the ranges. */
    public Limits {
      new ConfigFaults()
          .range("half.http.requests", requests, 1, 64)
          .range("half.http.batch-calls", calls, 1, HalfJson.CALLS_MAX)
          .range("half.http.batch-bytes", bytes, 1 << 10, 64 << 20)
          .throwIfAny();
    }
  }

  /**
   * The defaults for a server, without an API key.
   *
   * @throws io.angarium.ConfigurationException if the address has another form
   */
  public static HttpHalfConfig of(String server) {
    return new HttpHalfConfig(server, null, null, CONNECT_DEFAULT, ANSWER_DEFAULT, Limits.DEFAULTS);
  }

  /** A copy with an API key, and without a source of tokens; null for none. */
  public HttpHalfConfig apiKey(@Nullable String apiKey) {
    return new HttpHalfConfig(server, apiKey, null, connect, answer, limits);
  }

  /** A copy with a source of tokens, and without an API key; null for none. */
  public HttpHalfConfig token(@Nullable TokenSource token) {
    return new HttpHalfConfig(server, null, token, connect, answer, limits);
  }

  /** A copy with another time to connect. */
  public HttpHalfConfig connect(Duration connect) {
    return new HttpHalfConfig(server, apiKey, token, connect, answer, limits);
  }

  /** A copy with another time for the whole answer. */
  public HttpHalfConfig answer(Duration answer) {
    return new HttpHalfConfig(server, apiKey, token, connect, answer, limits);
  }

  /** A copy with other limits. */
  public HttpHalfConfig limits(Limits limits) {
    return new HttpHalfConfig(server, apiKey, token, connect, answer, limits);
  }

  /**
   * What a request shows, besides its scheme: the API key, or a token that is new each time. May
   * block.
   *
   * @return null if it shows nothing
   * @throws RuntimeException of the source, or if it gave no token
   */
  @Nullable String shown() {
    return token == null ? apiKey : token.checked();
  }

  /** Whether the address begins with {@code https://}. */
  boolean isEncrypted() {
    return "https".equalsIgnoreCase(uri("").getScheme());
  }

  /** The address of a resource below that of the server. */
  URI uri(String path) {
    String base = WebUrl.parse(server).orElseThrow().uri().toString();
    return URI.create((base.endsWith("/") ? base.substring(0, base.length() - 1) : base) + path);
  }

  /** Everything but the API key and the token. */
  @Override
  public String toString() {
    return "HttpHalfConfig[server=%s, apiKey=%s, token=%s, connect=%s, answer=%s, limits=%s]"
        .formatted(
            server,
            apiKey == null ? "none" : "set",
            token == null ? "none" : "set",
            connect,
            answer,
            limits);
  }
}
