package io.angarium.http.alert;

import io.angarium.ConfigFaults;
import io.angarium.alert.AlertKey;
import io.angarium.http.internal.url.WebUrl;
import io.angarium.http.signature.HttpSignature;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where a channel posts alerts, and in which form. Start with {@link #of} and change parts, each
 * giving a copy. Immutable.
 *
 * @param name of the channel, 1..64 lower case letters, digits and dashes, beginning with a letter
 *     or a digit
 * @param kind form of what is posted
 * @param url address to post to, {@code https://}; {@code http://} on this machine or if plain HTTP
 *     is allowed. Its path and query count as secrets and never show. For {@link
 *     Kind#ALERTMANAGER}, the base address, to which {@code /api/v2/alerts} is added
 * @param secret signs what is posted; null for no signature. Never shows. See {@link Kind} for its
 *     form
 * @param plainHttp whether {@code http://} is allowed for another machine
 * @param direct whether each node tells by itself that the database does not answer, see {@link
 *     io.angarium.alert.AlertChannel#direct}
 * @param timing time-outs
 */
public record HttpAlertConfig(
    String name,
    Kind kind,
    String url,
    @Nullable String secret,
    boolean plainHttp,
    boolean direct,
    Timing timing) {
  private static final Pattern ROBOT_SECRET = Pattern.compile("[\\x21-\\x7E]{1,512}");

  /** The form of what is posted. */
  public enum Kind {
    /** JSON of its own, signed like web hooks; the secret has the form of {@link HttpSignature}. */
    WEBHOOK,
    /** What Slack, Mattermost and Rocket.Chat take; without a secret. */
    SLACK,
    /** A robot of DingTalk; the secret is that of its "additional signature". */
    DINGTALK,
    /** A robot of Feishu or Lark; the secret is that of its "signature verification". */
    FEISHU,
    /** A robot of WeCom; without a secret. */
    WECOM,
    /** The Alertmanager of Prometheus; without a secret. */
    ALERTMANAGER
  }

  /**
   * Time-outs. Immutable.
   *
   * @param connect longest time to connect, 50 ms..1 min; default 2 s
   * @param answer longest time from the start of a request to the end of its answer, 100 ms..1 min;
   *     default 5 s
   * @param firing how long Alertmanager takes an alert for firing after it was posted, 5 min..60 d;
   *     default 15 min. It is posted four times as often while it is on, also if somebody has taken
   *     it. Other kinds do not use it
   */
  public record Timing(Duration connect, Duration answer, Duration firing) {
    /** 2 s to connect, 5 s for the answer, 15 min at Alertmanager. */
    public static final Timing DEFAULTS =
        new Timing(Duration.ofSeconds(2), Duration.ofSeconds(5), Duration.ofMinutes(15));

    private void check(String prefix, ConfigFaults faults) {
      Duration minute = Duration.ofMinutes(1);
      faults
          .range(prefix + ".connect-timeout", connect, Duration.ofMillis(50), minute)
          .range(prefix + ".timeout", answer, Duration.ofMillis(100), minute)
          .range(prefix + ".firing", firing, Duration.ofMinutes(5), Duration.ofDays(60));
    }
  }

  /**
   * Checks everything.
   *
   * @throws io.angarium.ConfigurationException listing all faults at once
   */
  public HttpAlertConfig {
    String prefix = "alerts.channels." + name;
    ConfigFaults faults = new ConfigFaults();
    boolean named = AlertKey.isName(name);
    faults.require(named, "alerts.channels", "'" + name + "'", "a name of 1..64 of a-z, 0-9, -");
    checkUrl(prefix + ".url", kind, url, plainHttp, faults);
    if (secret != null) {
      checkSecret(prefix + ".secret", kind, secret, faults);
    }
    timing.check(prefix, faults);
    faults.throwIfAny();
  }

  private static void checkUrl(
      String name, Kind kind, String url, boolean plainHttp, ConfigFaults faults) {
    WebUrl parsed = WebUrl.parse(url).orElse(null);
    if (parsed == null) {
      faults.require(false, name, "its value", WebUrl.FORM);
      return;
    }
    faults
        .require(
            parsed.isSecure() || parsed.isLoopback() || plainHttp,
            name,
            parsed.origin(),
            "https://, as everybody on the way can read it; or allow plain HTTP")
        .require(
            kind != Kind.ALERTMANAGER || parsed.uri().getRawQuery() == null,
            name,
            "a query",
            "the base address of an Alertmanager, without a query");
  }

  private static void checkSecret(String name, Kind kind, String secret, ConfigFaults faults) {
    switch (kind) {
      case WEBHOOK -> HttpSignature.check(name, List.of(secret), faults);
      case DINGTALK, FEISHU ->
          faults.require(
              ROBOT_SECRET.matcher(secret).matches(),
              name,
              "its value",
              "1..512 printable ASCII characters");
      case SLACK, WECOM, ALERTMANAGER ->
          faults.require(false, name, "given", "none, as this kind has no signature");
    }
  }

  /**
   * A channel without a secret, with the default time-outs.
   *
   * @throws io.angarium.ConfigurationException if the name or the address has another form
   */
  public static HttpAlertConfig of(String name, Kind kind, String url) {
    return new HttpAlertConfig(name, kind, url, null, false, false, Timing.DEFAULTS);
  }

  /** A copy with another secret; null for none. */
  public HttpAlertConfig secret(@Nullable String secret) {
    return new HttpAlertConfig(name, kind, url, secret, plainHttp, direct, timing);
  }

  /** A copy that is told directly when the database does not answer, or is not. */
  public HttpAlertConfig direct(boolean direct) {
    return new HttpAlertConfig(name, kind, url, secret, plainHttp, direct, timing);
  }

  /** A copy with other time-outs. */
  public HttpAlertConfig timing(Timing timing) {
    return new HttpAlertConfig(name, kind, url, secret, plainHttp, direct, timing);
  }

  /** The address that requests go to, without the parameters of a signature. */
  WebUrl target() {
    return WebUrl.parse(url).orElseThrow();
  }

  /** Everything but what may be secret: path and query of the address, and the secret. */
  @Override
  public String toString() {
    return "HttpAlertConfig[name=%s, kind=%s, url=%s/..., secret=%s, direct=%s, timing=%s]"
        .formatted(name, kind, target().origin(), secret == null ? "none" : "set", direct, timing);
  }
}
