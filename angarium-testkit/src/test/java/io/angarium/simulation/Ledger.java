package io.angarium.simulation;

import io.angarium.MessageId;
import io.angarium.intake.StoredMessage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What producers committed and operators decided, against which the broker's content is judged. */
final class Ledger {
  private final Map<MessageId, String> committed = new LinkedHashMap<>();
  private final Map<String, List<MessageId>> byKey = new LinkedHashMap<>();
  private final Set<MessageId> outOfOrder = new HashSet<>();
  private final Set<MessageId> discarded = new HashSet<>();
  private final List<String> faults = new ArrayList<>();
  private long duplicatesMax;
  private int replicated;

  /** A message is committed; those of one key are told in the order of their transactions. */
  void committed(MessageId id, String key, boolean ordered) {
    committed.put(id, key);
    if (ordered) {
      byKey.computeIfAbsent(key, k -> new ArrayList<>()).add(id);
    }
  }

  /** A message lost its place: it was given up, and later ones may pass it. */
  void lostItsPlace(MessageId id) {
    outOfOrder.add(id);
  }

  /** All that is committed so far is at the replica. */
  void replicated() {
    replicated = committed.size();
  }

  /**
   * The replica took over: what was committed since is lost, unless it was sent in time; and what
   * was discarded since may be there again.
   */
  void tookOver() {
    discarded.forEach(this::lostItsPlace);
    committed.keySet().stream()
        .skip(replicated)
        .forEach(
            id -> {
              discarded(id);
              lostItsPlace(id);
            });
  }

  void discarded(MessageId id) {
    discarded.add(id);
  }

  /** Something happened after which up to {@code n} messages may be sent twice. */
  void allowDuplicates(int n) {
    duplicatesMax += n;
  }

  /** Something happened that must never happen. */
  void fault(String what) {
    faults.add(what);
  }

  int size() {
    return committed.size();
  }

  /** What is wrong with the broker's content, given that nothing is on its way any more. */
  List<String> faults(List<StoredMessage> stored) {
    List<String> faults = new ArrayList<>(this.faults);
    Map<MessageId, Integer> first = new HashMap<>();
    for (int i = 0; i < stored.size(); i++) {
      MessageId id = stored.get(i).id();
      first.putIfAbsent(id, i);
      if (!committed.containsKey(id)) {
        faults.add("sent but not committed: " + stored.get(i));
      }
    }
    committed.forEach(
        (id, key) -> {
          if (!first.containsKey(id) && !discarded.contains(id)) {
            faults.add("lost: " + id + " of " + key);
          }
        });
    byKey.forEach((key, ids) -> faults.addAll(disorder(key, ids, first)));
    int duplicates = stored.size() - first.size();
    if (duplicates > duplicatesMax) {
      faults.add(duplicates + " duplicates (expected: at most " + duplicatesMax + ")");
    }
    return faults;
  }

  private List<String> disorder(String key, List<MessageId> ids, Map<MessageId, Integer> first) {
    List<String> faults = new ArrayList<>();
    int last = -1;
    for (MessageId id : ids) {
      Integer place = first.get(id);
      if (place != null && !outOfOrder.contains(id)) {
        if (place < last) {
          faults.add("overtaken: " + id + " of " + key);
        }
        last = Math.max(last, place);
      }
    }
    return faults;
  }
}
