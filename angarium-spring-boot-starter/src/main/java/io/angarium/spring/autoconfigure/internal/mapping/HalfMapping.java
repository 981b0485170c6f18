package io.angarium.spring.autoconfigure.internal.mapping;

import static io.angarium.spring.autoconfigure.internal.mapping.PropertyMapping.or;

import io.angarium.half.TokenSource;
import io.angarium.http.check.HttpCheckBackConfig;
import io.angarium.http.half.HttpHalfConfig;
import io.angarium.spring.settings.AngariumProperties;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Maps the properties of half messages over HTTP; apart, as the module need not be present. */
public final class HalfMapping {
  private HalfMapping() {}

  public static HttpHalfConfig server(
      AngariumProperties.HalfHttp given, @Nullable TokenSource token) {
    HttpHalfConfig standard = HttpHalfConfig.of("http://localhost");
    return new HttpHalfConfig(
        or(given.server(), "null"),
        given.apiKey(),
        token,
        standard.connect(),
        or(given.timeout(), standard.answer()),
        standard.limits());
  }

  public static HttpCheckBackConfig producers(AngariumProperties.HalfCheck given) {
    Map<String, Set<String>> hosts = new HashMap<>();
    hosts.put(HttpCheckBackConfig.EVERY_BUSINESS, new HashSet<>(given.allowedHosts()));
    given
        .allowedHostsOf()
        .forEach(
            (business, some) ->
                hosts.computeIfAbsent(business, any -> new HashSet<>()).addAll(some));
    return HttpCheckBackConfig.allowing(hosts)
        .answer(PropertyMapping.checkBack(given).timeout())
        .signed(given.secrets())
        .authorized(given.authorizations());
  }
}
