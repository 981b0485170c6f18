package io.angarium.dubbo;

import io.angarium.ConfigFaults;
import io.angarium.half.TokenSource;
import io.angarium.half.internal.remote.DubboAddress;
import java.time.Duration;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where the server of half messages is over Dubbo, and how it is called. Start with {@link #of} and
 * change parts, each giving a copy. Immutable.
 *
 * @param server where it is, {@code dubbo://host:port}, or a registry that knows it, {@code
 *     zookeeper://a:2181,b:2181} (with Curator and ZooKeeper on the class path) or {@code
 *     nacos://host:8848}; behind it at most {@code ?version=…&group=…}, by default version {@value
 *     HalfMessageService#VERSION}
 * @param apiKey the key that the server knows this application by; null for a server that wants
 *     none. Never shows; Dubbo's connection does not hide it from the network
 * @param token gives the token that each request shows, in the place of an API key; null for none.
 *     Its time does not count to that of the answer, and the connection does not hide it either
 * @param application how registries and the server know this application; default {@code angarium}
 * @param connect longest time to connect, 50 ms..1 min; default 2 s
 * @param answer longest time for the answer to a request, 100 ms..5 min; default 15 s, as the
 *     server itself waits for a key that is held. A request whose connection broke is made once
 *     more, so a call can take twice as long, and the time it waits for its turn
 * @param limits how much goes at a time
 */
public record DubboHalfConfig(
    String server,
    @Nullable String apiKey,
    @Nullable TokenSource token,
    String application,
    Duration connect,
    Duration answer,
    Limits limits) {
  private static final String FORM =
      "dubbo://host:port, zookeeper://host:port,host:port or nacos://host:port, behind it at most"
          + " ?version=…&group=…";
  private static final Pattern API_KEY = Pattern.compile("[\\x21-\\x7E]{1,512}");
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

  /**
   * Checks everything.
   *
   * @throws io.angarium.ConfigurationException listing all faults at once
   */
  public DubboHalfConfig {
    boolean wellFormed =
        DubboAddress.parse(server).filter(address -> !address.scheme().equals("tri")).isPresent();
    new ConfigFaults()
        .require(
            wellFormed,
            "half.dubbo.server",
            server.contains("@") ? "a text with an @" : "'" + server + "'",
            FORM)
        .require(
            apiKey == null || API_KEY.matcher(apiKey).matches(),
            "half.dubbo.api-key",
            "its value",
            "1..512 printable ASCII characters")
        .require(
            apiKey == null || token == null, "half.dubbo.api-key", "given", "none besides a token")
        .require(
            NAME.matcher(application).matches(),
            "half.dubbo.application",
            "'" + application + "'",
            "a name of 1..64 letters, digits, '.', '_' or '-'")
        .range("half.dubbo.connect-timeout", connect, Duration.ofMillis(50), Duration.ofMinutes(1))
        .range("half.dubbo.timeout", answer, Duration.ofMillis(100), Duration.ofMinutes(5))
        .throwIfAny();
  }

  /**
   * How much goes at a time. Immutable.
   *
   * @param requests requests at a time, 1..64; default 2. While all are under way, further calls
   *     gather for the next one
   * @param calls calls in a request, 1..500; default 500
   * @param bytes of a request, 1 KiB..7 MiB; default 2 MiB. A call that is larger goes alone, up to
   *     7 MiB, as Dubbo takes 8 MiB in all
   */
  public record Limits(int requests, int calls, int bytes) {
    /** The largest request. */
    public static final int BYTES_MAX = 7 << 20;

    /** 2 requests at a time, of 500 calls or 2 MiB. */
    public static final Limits DEFAULTS = new Limits(2, HalfMessageService.CALLS_MAX, 2 << 20);

    /** Checks the ranges. */
    public Limits {
      new ConfigFaults()
          .range("half.dubbo.requests", requests, 1, 64)
          .range("half.dubbo.batch-calls", calls, 1, HalfMessageService.CALLS_MAX)
          .range("half.dubbo.batch-bytes", bytes, 1 << 10, BYTES_MAX)
          .throwIfAny();
    }
  }

  /**
   * The defaults for a server, without an API key.
   *
   * @throws io.angarium.ConfigurationException if the address has another form
   */
  public static DubboHalfConfig of(String server) {
    return new DubboHalfConfig(
        server,
        null,
        null,
        "angarium",
        Duration.ofSeconds(2),
        Duration.ofSeconds(15),
        Limits.DEFAULTS);
  }

  /** A copy with an API key, and without a source of tokens; null for none. */
  public DubboHalfConfig apiKey(@Nullable String apiKey) {
    return new DubboHalfConfig(server, apiKey, null, application, connect, answer, limits);
  }

  /** A copy with a source of tokens, and without an API key; null for none. */
  public DubboHalfConfig token(@Nullable TokenSource token) {
    return new DubboHalfConfig(server, null, token, application, connect, answer, limits);
  }

  /** A copy with another name of this application. */
  public DubboHalfConfig application(String application) {
    return new DubboHalfConfig(server, apiKey, token, application, connect, answer, limits);
  }

  /** A copy with another time for the answer. */
  public DubboHalfConfig answer(Duration answer) {
    return new DubboHalfConfig(server, apiKey, token, application, connect, answer, limits);
  }

  /** A copy with other limits. */
  public DubboHalfConfig limits(Limits limits) {
    return new DubboHalfConfig(server, apiKey, token, application, connect, answer, limits);
  }

  /**
   * What a request shows: the API key, or a token that is new each time. May block.
   *
   * @return null if it shows nothing
   * @throws RuntimeException of the source, or if it gave no token
   */
  @Nullable String shown() {
    return token == null ? apiKey : token.checked();
  }

  /** Where the service is, with its version. */
  DubboAddress address() {
    DubboAddress given = DubboAddress.parse(server).orElseThrow();
    return given.version().isEmpty()
        ? new DubboAddress(
            given.scheme(), given.places(), HalfMessageService.VERSION, given.group())
        : given;
  }

  /** Everything but the API key and the token. */
  @Override
  public String toString() {
    return "DubboHalfConfig[server=%s, apiKey=%s, token=%s, application=%s, connect=%s, answer=%s, limits=%s]"
        .formatted(
            server,
            apiKey == null ? "none" : "set",
            token == null ? "none" : "set",
            application,
            connect,
            answer,
            limits);
  }
}
