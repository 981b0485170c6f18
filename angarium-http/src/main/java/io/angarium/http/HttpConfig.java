package io.angarium.http;

import io.angarium.ConfigFaults;
import io.angarium.TypedPayloads;
import io.angarium.http.internal.url.AllowedHosts;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Where messages may be posted to, and how. Start with {@link #of} or {@link #allowing} and change
 * parts, each giving a copy. Immutable.
 *
 * @param source the attribute {@code source} of each event, a URI or a part of one, 1..200
 *     characters; default {@code angarium}
 * @param type the attribute {@code type} of messages without a type, 1..200 characters; default
 *     {@code angarium.message}
 * @param contentType the content type of messages that have no header {@code content-type}; default
 *     {@code application/json}
 * @param hooks the web hooks that destinations name; each name once
 * @param allowedHosts hosts to which destinations with a whole address may go, in addition to the
 *     hosts of the hooks. A host is {@code host} for the usual port of the scheme, or {@code
 *     host:port}. At least one, or a hook
 */
public record HttpConfig(
    String source,
    String type,
    String contentType,
    List<HttpHook> hooks,
    Set<String> allowedHosts,
    Timing timing,
    Limits limits) {

  private static final int TEXT_MAX = 200;

  /**
   * Checks everything.
   *
   * @throws io.angarium.ConfigurationException listing all faults at once
   */
  public HttpConfig {
    hooks = List.copyOf(hooks);
    allowedHosts = Set.copyOf(allowedHosts);
    ConfigFaults faults = new ConfigFaults();
    String text = "1.." + TEXT_MAX + " characters";
    faults
        .require(
            isText(source) && isUri(source), "http.source", "'" + source + "'", "a URI, " + text)
        .require(isText(type), "http.type", "'" + type + "'", text)
        .require(
            TypedPayloads.isContentType(contentType),
            "http.content-type",
            "'" + contentType + "'",
            "type/subtype")
        .require(
            !hooks.isEmpty() || !allowedHosts.isEmpty(),
            "http.hooks",
            "none",
            "at least one, or an entry of allowed-hosts");
    Set<String> names = new HashSet<>();
    for (HttpHook hook : hooks) {
      faults.require(names.add(hook.name()), "http.hooks", hook.name(), "each name once");
    }
    AllowedHosts.check("http.allowed-hosts", allowedHosts, faults);
    faults.throwIfAny();
  }

  private static boolean isText(String text) {
    return !text.isBlank()
        && text.length() <= TEXT_MAX
        && text.chars().noneMatch(Character::isISOControl);
  }

  private static boolean isUri(String text) {
    try {
      return new URI(text).getRawFragment() == null;
    } catch (URISyntaxException e) {
      return false;
    }
  }

  /**
   * How long things may take. Immutable.
   *
   * @param connect longest time to connect, 50 ms..1 min; default 2 s. As long may also take, after
   *     a request without an answer, the question whether anybody is there
   * @param answer longest time from the start of a request to the end of its answer, 100 ms..5 min;
   *     default 15 s
   * @param hold how long a message waits at most for its turn, 100 ms..5 min; default 5 s
   * @param pauseMax longest pause that a receiver can ask for by {@code Retry-After}, 0..1 h;
   *     default 5 min; longer ones are cut
   */
  public record Timing(Duration connect, Duration answer, Duration hold, Duration pauseMax) {
    /** Connect 2 s, answer 15 s, hold 5 s, pause at most 5 min. */
    public static final Timing DEFAULTS =
        new Timing(
            Duration.ofSeconds(2),
            Duration.ofSeconds(15),
            Duration.ofSeconds(5),
            Duration.ofMinutes(5));

    /** Checks the ranges. */
    public Timing {
      ConfigFaults faults = new ConfigFaults();
      faults.range("http.connect-timeout", connect, Duration.ofMillis(50), Duration.ofMinutes(1));
      checkTimeout("http.timeout", answer, faults);
      faults
          .range("http.hold-max", hold, Duration.ofMillis(100), Duration.ofMinutes(5))
          .range("http.retry-after-max", pauseMax, Duration.ZERO, Duration.ofHours(1))
          .throwIfAny();
    }

    static void checkTimeout(String name, Duration timeout, ConfigFaults faults) {
      faults.range(name, timeout, Duration.ofMillis(100), Duration.ofMinutes(5));
    }
  }

  /**
   * How much is under way. Immutable.
   *
   * @param inFlightPerHook requests at a time to one hook, or to one host by whole addresses, 1..1
   *     000; default 16
   * @param inFlight requests at a time in all, 1..10 000; default 256
   * @param waiting messages that wait for their turn at one hook or host, 1..100 000; default 2
   *     000. Further ones are Unavailable at once, so that they wait in the database and not in the
   *     way of others
   */
  public record Limits(int inFlightPerHook, int inFlight, int waiting) {
    /** 16 requests per hook, 256 in all, 2 000 messages waiting. */
    public static final Limits DEFAULTS = new Limits(16, 256, 2_000);

    /** Checks the ranges. */
    public Limits {
      new ConfigFaults()
          .range("http.in-flight-per-hook", inFlightPerHook, 1, 1_000)
          .range("http.in-flight", inFlight, 1, 10_000)
          .range("http.waiting", waiting, 1, 100_000)
          .throwIfAny();
    }
  }

  /**
   * The defaults with these hooks; whole addresses may go to their hosts only.
   *
   * @throws io.angarium.ConfigurationException if there is none, or two have the same name
   */
  public static HttpConfig of(HttpHook... hooks) {
    return with(List.of(hooks), Set.of());
  }

  /**
   * The defaults without hooks, for whole addresses on these hosts.
   *
   * @throws io.angarium.ConfigurationException if there is none, or one has another form
   */
  public static HttpConfig allowing(String... hosts) {
    return with(List.of(), Set.copyOf(List.of(hosts)));
  }

  private static HttpConfig with(List<HttpHook> hooks, Set<String> allowedHosts) {
    return new HttpConfig(
        "angarium",
        "angarium.message",
        "application/json",
        hooks,
        allowedHosts,
        Timing.DEFAULTS,
        Limits.DEFAULTS);
  }

  /** A copy with another source. */
  public HttpConfig source(String source) {
    return new HttpConfig(source, type, contentType, hooks, allowedHosts, timing, limits);
  }

  /** A copy with another type for messages without one. */
  public HttpConfig type(String type) {
    return new HttpConfig(source, type, contentType, hooks, allowedHosts, timing, limits);
  }

  /** A copy with another content type. */
  public HttpConfig contentType(String contentType) {
    return new HttpConfig(source, type, contentType, hooks, allowedHosts, timing, limits);
  }

  /** A copy with exactly these hooks. */
  public HttpConfig hooks(List<HttpHook> hooks) {
    return new HttpConfig(source, type, contentType, hooks, allowedHosts, timing, limits);
  }

  /** A copy that allows exactly these hosts, in addition to the hosts of the hooks. */
  public HttpConfig allowedHosts(Set<String> allowedHosts) {
    return new HttpConfig(source, type, contentType, hooks, allowedHosts, timing, limits);
  }

  /** A copy with other times. */
  public HttpConfig timing(Timing timing) {
    return new HttpConfig(source, type, contentType, hooks, allowedHosts, timing, limits);
  }

  /** A copy with other limits. */
  public HttpConfig limits(Limits limits) {
    return new HttpConfig(source, type, contentType, hooks, allowedHosts, timing, limits);
  }
}
