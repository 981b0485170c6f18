package io.angarium.server.access;

import io.angarium.TimeSource;
import io.angarium.console.access.KeyHash;
import io.angarium.server.settings.ServerProperties;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The API keys that are known, by their hashes. Thread-safe. */
public final class ApiKeys {
  private record Known(KeyHash hash, Caller caller) {}

  private final List<Known> known = new ArrayList<>();

  public ApiKeys(ServerProperties properties, TimeSource time) {
    properties
        .apiKeys()
        .forEach(
            (name, key) -> {
              Caller caller = Caller.of(name, key, time);
              for (String hash : key.hashes()) {
                known.add(new Known(new KeyHash(hash), caller));
              }
            });
  }

  public static boolean isHash(String text) {
    return KeyHash.isHash(text);
  }

  /** False if there are none: then nobody is asked for one. */
  boolean any() {
    return !known.isEmpty();
  }

  /** Whose key this is. Takes as long for a wrong one as for a right one. */
  public Optional<Caller> callerOf(String apiKey) {
    KeyHash shown = KeyHash.of(apiKey);
    Caller found = null;
    for (Known each : known) {
      if (each.hash().isSame(shown)) {
        found = each.caller();
      }
    }
    return Optional.ofNullable(found);
  }

  /** The caller of this name. */
  Optional<Caller> callerNamed(String name) {
    return known.stream().map(Known::caller).filter(each -> each.name().equals(name)).findFirst();
  }
}
