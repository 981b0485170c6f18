package io.angarium.http;

import io.angarium.http.HttpConfig.Timing;
import io.angarium.http.internal.client.Target;
import io.angarium.http.internal.url.AllowedHosts;
import io.angarium.http.internal.url.WebUrl;
import io.angarium.transport.SendResult.Refused;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Knows where destinations are, and which are none or are not allowed. Immutable. */
final class Targets {
  private static final int SHOWN_MAX = 300;

  private final Map<String, Target> hooks = new TreeMap<>();
  private final AllowedHosts allowed;
  private final Duration timeout;
  private final String transport;

  /**
   * @param transport its name in destinations
   */
  Targets(HttpConfig config, String transport) {
    this.transport = transport;
    this.timeout = config.timing().answer();
    this.allowed =
        new AllowedHosts(
            config.allowedHosts(), config.hooks().stream().map(HttpHook::target).toList());
    config.hooks().forEach(hook -> hooks.put(hook.name(), ofHook(hook, config.timing())));
  }

  private static Target ofHook(HttpHook hook, Timing timing) {
    WebUrl url = hook.target();
    Duration own = hook.timeout();
    return new Target(
        hook.name(),
        "hook '%s' at %s".formatted(hook.name(), url.origin()),
        hook.name(),
        url,
        hook.signature(),
        hook.headers(),
        own == null ? timing.answer() : own,
        hook.retryRefused());
  }

  /** Where messages to an address go; empty if nowhere, see {@link #refusal}. */
  Optional<Target> of(String address) {
    if (!WebUrl.isMeant(address)) {
      return Optional.ofNullable(hooks.get(address));
    }
    return WebUrl.parse(address).filter(allowed::allow).map(url -> ofUrl(address, url));
  }

  private Target ofUrl(String address, WebUrl url) {
    return new Target(
        address, address, url.origin(), url, Optional.empty(), Map.of(), timeout, false);
  }

  /** Whether an address is neither the name of a hook, known or not, nor a URL. */
  boolean isMalformed(String address) {
    return WebUrl.isMeant(address) && WebUrl.parse(address).isEmpty();
  }

  /** Why messages to an address go nowhere, and what to do. */
  Refused refusal(String address) {
    String shown = address.length() > SHOWN_MAX ? address.substring(0, SHOWN_MAX) : address;
    if (!WebUrl.isMeant(address)) {
      String reason =
          "%s:%s: no hook of that name (expected: one of %s, or an address like %s:https://host/path); configure the hook, then requeue it";
      return new Refused(reason.formatted(transport, shown, hooks.keySet(), transport), null);
    }
    Optional<WebUrl> url = WebUrl.parse(address);
    if (url.isEmpty()) {
      String reason =
          "%s:%s: no address of a web hook (expected after %s: %s); send it anew to another one";
      return new Refused(reason.formatted(transport, shown, transport, WebUrl.FORM), null);
    }
    String reason =
        "%s:%s: the host %s is not allowed (expected: one of allowed-hosts); add it to allowed-hosts, then requeue it";
    return new Refused(reason.formatted(transport, shown, url.get().hostAndPort()), null);
  }
}
