package io.angarium.relay;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A map from long numbers to values, in two arrays: linear probing with deletion by shifting back
 * (Knuth, The Art of Computer Programming 3, 6.4 R). Not thread-safe: one thread at a time.
 */
final class LongTable<V> {
  private static final int CAPACITY_MIN = 64;

  private long[] keys = new long[CAPACITY_MIN];
  private @Nullable Object[] values = new Object[CAPACITY_MIN];
  private int size;

  int size() {
    return size;
  }

  @Nullable V get(long key) {
    return value(slot(key));
  }

  /** Puts a value; returns the one before, or null. */
  @Nullable V put(long key, V value) {
    if (size * 2 >= keys.length) {
      grow();
    }
    int slot = slot(key);
    V before = value(slot);
    keys[slot] = key;
    values[slot] = value;
    if (before == null) {
      size++;
    }
    return before;
  }

  /** Removes a value; returns it, or null if there was none. */
  @Nullable V remove(long key) {
    int slot = slot(key);
    V removed = value(slot);
    if (removed != null) {
      size--;
      values[slot] = null;
      closeGap(slot);
    }
    return removed;
  }

  /** A copy of all values, in no order. */
  List<V> values() {
    List<V> all = new ArrayList<>(size);
    for (int slot = 0; slot < values.length; slot++) {
      V value = value(slot);
      if (value != null) {
        all.add(value);
      }
    }
    return all;
  }

  /** Where a key is, or the free slot where it would go. */
  private int slot(long key) {
    int mask = keys.length - 1;
    int slot = home(key, mask);
    while (values[slot] != null && keys[slot] != key) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  /**
   * Eight neighbouring numbers share a cache line, for sequences are looked up in their order; the
   * eights land far apart by Fibonacci hashing, so that no long runs form.
   */
  private static int home(long key, int mask) {
    long line = ((key >>> 3) * 0x9e3779b97f4a7c15L) >>> 32;
    return (int) ((line << 3) | (key & 7)) & mask;
  }

  /** Moves back what probing had pushed over a slot that is free now. */
  private void closeGap(int free) {
    int mask = keys.length - 1;
    int gap = free;
    for (int slot = (gap + 1) & mask; values[slot] != null; slot = (slot + 1) & mask) {
      int home = home(keys[slot], mask);
      boolean movable = ((slot - home) & mask) >= ((slot - gap) & mask);
      if (movable) {
        keys[gap] = keys[slot];
        values[gap] = values[slot];
        values[slot] = null;
        gap = slot;
      }
    }
  }

  private void grow() {
    long[] oldKeys = keys;
    @Nullable Object[] oldValues = values;
    keys = new long[oldKeys.length * 2];
    values = new Object[oldKeys.length * 2];
    for (int slot = 0; slot < oldKeys.length; slot++) {
      if (oldValues[slot] != null) {
        int target = slot(oldKeys[slot]);
        keys[target] = oldKeys[slot];
        values[target] = oldValues[slot];
      }
    }
  }

  @SuppressWarnings("unchecked") // only values of V are put
  private @Nullable V value(int slot) {
    return (V) values[slot];
  }
}
