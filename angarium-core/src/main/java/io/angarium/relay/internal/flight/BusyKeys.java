package io.angarium.relay.internal.flight;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The keys that have messages in flight. A key whose last message has left keeps its place for a
 * while. Most keys come again, and finding, removing and inserting a key would each cost an access
 * to memory. Not thread-safe: one thread at a time.
 */
public final class BusyKeys {
  static final int KEPT_MAX = 20_000;

  private LongTable<KeyState> keys = new LongTable<>();
  private int sweepAt = KEPT_MAX;

  /** The key if something of it is in flight, else null. */
  public @Nullable KeyState get(long hash) {
    KeyState key = keys.get(hash);
    return key == null || key.idle ? null : key;
  }

  /**
   * A key that nothing is in flight of until now.
   *
   * @param parkedGroup see {@link KeyState#parkedGroup}
   */
  public KeyState begin(long hash, int partition, boolean parkedGroup) {
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
  public void end(KeyState key) {
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
  public List<KeyState> of(int partition) {
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
