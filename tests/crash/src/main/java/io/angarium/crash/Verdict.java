package io.angarium.crash;

import io.angarium.testtopics.Arrived;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What an independent consumer found, against what was committed. Immutable.
 *
 * @param kills how many services were killed
 * @param lost committed messages that did not arrive
 * @param unknown messages that arrived though nothing of the kind was committed
 * @param disorder first appearances that came after a later one of their key
 * @param duplicates records beyond the first of a message
 */
record Verdict(
    int kills,
    int committed,
    List<String> lost,
    List<String> unknown,
    List<String> disorder,
    int duplicates) {
  static Verdict of(int kills, Map<String, String> committed, List<Arrived> arrived) {
    Set<String> seen = new HashSet<>();
    Map<String, Integer> last = new HashMap<>();
    List<String> unknown = new ArrayList<>();
    List<String> disorder = new ArrayList<>();
    int duplicates = 0;
    for (Arrived copy : arrived) {
      String text = copy.text();
      if (!text.equals(committed.get(copy.id())) || !Ledger.isOfKey(text, copy.key())) {
        unknown.add(copy.id() + " " + text + " with the key " + copy.key());
      } else if (!seen.add(copy.id())) {
        duplicates++;
      } else if (copy.key() != null) {
        int seq = Ledger.number(text);
        Integer before = last.merge(copy.key(), seq, Math::max);
        if (before != seq) {
          disorder.add(text + " after " + before);
        }
      }
    }
    List<String> lost =
        committed.entrySet().stream()
            .filter(entry -> !seen.contains(entry.getKey()))
            .map(entry -> entry.getKey() + " " + entry.getValue())
            .toList();
    return new Verdict(kills, committed.size(), lost, unknown, disorder, duplicates);
  }

  /** The stated bound: each kill repeats what was in flight at most. */
  long duplicatesMax() {
    return (long) kills * Service.WINDOW;
  }
}
