package io.angarium.http.internal.url;

import io.angarium.ConfigFaults;
import java.net.http.HttpRequest;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** What requests show to some hosts as their header {@code authorization}. Immutable. */
public final class Credentials {
  private static final Pattern FORM = Pattern.compile("[\\x21-\\x7E]+(?: [\\x21-\\x7E]+)*");
  private static final int LENGTH_MAX = 8_192;

  private final Map<String, String> byHost = new TreeMap<>();

  /**
   * @param byHost checked
   */
  public Credentials(Map<String, String> byHost) {
    byHost.forEach((host, shown) -> this.byHost.put(host.toLowerCase(Locale.ROOT), shown));
  }

  public static void check(String name, Map<String, String> byHost, ConfigFaults faults) {
    AllowedHosts.check(name, byHost.keySet(), faults);
    Set<String> hosts = new HashSet<>();
    for (String host : byHost.keySet()) {
      faults.require(
          hosts.add(host.toLowerCase(Locale.ROOT)), name, "'" + host + "' twice", "each host once");
    }
    byHost.forEach(
        (host, shown) ->
            faults.require(
                shown.length() <= LENGTH_MAX && FORM.matcher(shown).matches(),
                name + "." + host,
                "its value",
                "words of printable ASCII characters, at most " + LENGTH_MAX + " in all"));
  }

  /** Adds what the host wants, if anything. */
  public void addTo(HttpRequest.Builder request, WebUrl url) {
    of(url).ifPresent(shown -> request.setHeader("authorization", shown));
  }

  /** Whether anybody on the way could read it. */
  public boolean wouldShow(WebUrl url) {
    return !url.isSecure() && !url.isLoopback() && of(url).isPresent();
  }

  private Optional<String> of(WebUrl url) {
    String exact = byHost.get(url.hostAndPort());
    boolean named = exact != null || !url.hasDefaultPort();
    return Optional.ofNullable(named ? exact : byHost.get(url.host()));
  }
}
