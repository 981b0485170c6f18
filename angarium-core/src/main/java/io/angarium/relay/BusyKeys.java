package io.angarium.relay;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The keys of which something is in flight. One that has nothing in flight any more stays in its
 * place for a while: most keys come again, and to find, remove and insert it anew would be a way to
 * memory each. Not thread-safe: one thread at a time.
 */
final class BusyKeys {
  static final int KEPT_MAX = 20_000;

  private LongTable<KeyState> keys = new LongTable<>();
  private int sweepAt = KEPT_MAX;

  /** The key if something of it is in flight, else null. */
  @Nullable KeyState get(long hash) {
    KeyState key = keys.get(hash);
    return key == null || key.idle ? null : key;
  }

  /**
   * A key that nothing is in flight of until now.
   *
   * @param parkedGroup see {@link KeyState#parkedGroup}
   */
  KeyState begin(long hash, int partition, boolean parkedGroup) {
    KeyState kept = keys.get(hash);
    if (kept != null && kept.idle && kept.partition == partition && !parkedGroup) {
      kept.idle = false;
      return kept;
    }
    if (keys.size() >= sweepAt) {
      sweep();
    }
    KeyState key = new KeyState(hash, partition, parkedGroup);
    keys.put(hash, key);
    return key;
  }

  /** Nothing of the key is in flight any more, or its partition is gone. */
  void end(KeyState key) {
    if (!key.dropped && !key.parkedGroup) {
      key.idle = true;
    } else if (isKnown(key)) {
      keys.remove(key.hash);
    }
  }

  @SuppressWarnings("ReferenceEquality") // the partition may have come back, and the key with it
  private boolean isKnown(KeyState key) {
    return keys.get(key.hash) == key;
  }

  /** The keys of a partition. */
  List<KeyState> of(int partition) {
    return keys.values().stream().filter(key -> key.partition == partition).toList();
  }

  /** How many are remembered, busy or not. */
  int size() {
    return keys.size();
  }

  private void sweep() {
    LongTable<KeyState> busy = new LongTable<>();
    for (KeyState key : keys.values()) {
      if (!key.idle) {
        busy.put(key.hash, key);
      }
    }
    keys = busy;
    sweepAt = Math.max(KEPT_MAX, 2 * busy.size()); // else each new key would look at all again
  }
}
