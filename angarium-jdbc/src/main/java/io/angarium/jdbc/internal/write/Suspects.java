package io.angarium.jdbc.internal.write;

import io.angarium.store.internal.Halving;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Predicate;

/**
 * Receipts that were refused when nothing else was recorded either: the cause may be the receipt or
 * the whole table. A receipt that is refused again after others were recorded is the cause.
 * Thread-safe.
 */
public final class Suspects {
  /** More than that are forgotten, the oldest first. */
  private static final int IDS_MAX = 10_000;

  /** With how many times something was recorded before. */
  private final Map<UUID, Long> refused = new LinkedHashMap<>();

  private long recorded;

  /**
   * Takes note of what came of some receipts; gives those refused that are to blame themselves.
   *
   * @param known tells which were to blame before
   */
  public synchronized List<UUID> blamed(Halving<UUID> outcome, Predicate<UUID> known) {
    if (!outcome.written().isEmpty()) {
      recorded++;
      refused.keySet().removeAll(outcome.written());
      refused.keySet().removeAll(outcome.refused());
      return List.copyOf(outcome.refused());
    }
    List<UUID> blamed =
        outcome.refused().stream()
            .filter(id -> known.test(id) || refused.getOrDefault(id, recorded) < recorded)
            .toList();
    refused.keySet().removeAll(blamed);
    outcome.refused().stream()
        .filter(id -> !blamed.contains(id))
        .forEach(id -> refused.putIfAbsent(id, recorded));
    while (refused.size() > IDS_MAX) {
      refused.remove(refused.keySet().iterator().next());
    }
    return blamed;
  }
}
