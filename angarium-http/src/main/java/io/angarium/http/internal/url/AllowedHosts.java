package io.angarium.http.internal.url;

import io.angarium.ConfigFaults;
import java.util.Collection;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The hosts to which requests may go, by name: as {@code host:port}, or as {@code host} for the
 * usual port of the scheme. Immutable.
 */
public final class AllowedHosts {
  /** What is expected of an entry, in words. */
  static final String FORM = "a host, or host:port; no wildcards";

  private static final Pattern ENTRY =
      Pattern.compile(
          "(?:\\[[0-9a-fA-F:.]+]|[a-zA-Z0-9](?:[a-zA-Z0-9.-]*[a-zA-Z0-9])?)(?::([1-9]\\d{0,4}))?");
  private static final int PORT_MAX = 65_535;

  private final Set<String> entries;

  public AllowedHosts(Collection<String> listed, Collection<WebUrl> hooks) {
    Set<String> all = new HashSet<>();
    listed.forEach(entry -> all.add(entry.toLowerCase(Locale.ROOT)));
    hooks.forEach(url -> all.add(url.hostAndPort()));
    this.entries = Set.copyOf(all);
  }

  public static void check(String name, Collection<String> listed, ConfigFaults faults) {
    for (String entry : listed) {
      faults.require(isWellFormed(entry), name, "'" + entry + "'", FORM);
    }
  }

  private static boolean isWellFormed(String entry) {
    Matcher matcher = ENTRY.matcher(entry);
    if (!matcher.matches()) {
      return false;
    }
    String port = matcher.group(1);
    return port == null || (Integer.parseInt(port) >= 1 && Integer.parseInt(port) <= PORT_MAX);
  }

  public boolean allow(WebUrl url) {
    return entries.contains(url.hostAndPort())
        || (url.hasDefaultPort() && entries.contains(url.host()));
  }
}
