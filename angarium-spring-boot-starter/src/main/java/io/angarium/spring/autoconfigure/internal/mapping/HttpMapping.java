package io.angarium.spring.autoconfigure.internal.mapping;

import static io.angarium.spring.autoconfigure.internal.mapping.PropertyMapping.or;

import io.angarium.http.HttpConfig;
import io.angarium.http.HttpConfig.Limits;
import io.angarium.http.HttpConfig.Timing;
import io.angarium.http.HttpHook;
import io.angarium.spring.settings.AngariumProperties;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Maps the properties of web hooks; apart, because the HTTP module need not be present. */
public final class HttpMapping {
  private HttpMapping() {}

  /** Whether there is anything to post to. */
  public static boolean isWanted(AngariumProperties.Http given) {
    return given.enabled() && !(given.hooks().isEmpty() && given.allowedHosts().isEmpty());
  }

  public static HttpConfig http(AngariumProperties.Http given) {
    List<HttpHook> hooks = new ArrayList<>();
    given.hooks().forEach((name, hook) -> hooks.add(hook(name, hook)));
    return own(given, hooks).timing(timing(given)).limits(limits(given));
  }

  /** Returns mappings as checks; each mapping checks different properties. */
  public static List<Runnable> checks(AngariumProperties.Http given) {
    List<Runnable> checks = new ArrayList<>();
    given.hooks().forEach((name, hook) -> checks.add(() -> hook(name, hook)));
    // Wrong hooks have faults of their own.
    checks.add(() -> own(given, List.of(HttpHook.of("any", "https://any.example/"))));
    checks.add(() -> timing(given));
    checks.add(() -> limits(given));
    return checks;
  }

  private static HttpConfig own(AngariumProperties.Http given, List<HttpHook> hooks) {
    // The defaults do not depend on the hosts.
    HttpConfig standard = HttpConfig.allowing("localhost");
    return new HttpConfig(
        or(given.source(), standard.source()),
        or(given.type(), standard.type()),
        or(given.contentType(), standard.contentType()),
        hooks,
        Set.copyOf(given.allowedHosts()),
        standard.timing(),
        standard.limits());
  }

  private static HttpHook hook(String name, AngariumProperties.Hook given) {
    return new HttpHook(
        name,
        or(given.url(), ""),
        given.secrets(),
        given.headers(),
        given.timeout(),
        given.retryRefused());
  }

  private static Timing timing(AngariumProperties.Http given) {
    Timing standard = Timing.DEFAULTS;
    return new Timing(
        or(given.connectTimeout(), standard.connect()),
        or(given.timeout(), standard.answer()),
        standard.hold(),
        or(given.retryAfterMax(), standard.pauseMax()));
  }

  private static Limits limits(AngariumProperties.Http given) {
    Limits standard = Limits.DEFAULTS;
    return new Limits(
        or(given.inFlightPerHook(), standard.inFlightPerHook()),
        or(given.inFlight(), standard.inFlight()),
        standard.waiting());
  }
}
