package io.angarium.relay.internal.flight;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A map from long numbers to values, in two arrays: Fibonacci hashing and linear probing, with
 * deletion by shifting back (Knuth, The Art of Computer Programming 3, 6.4 and 6.4 R). Not
 * thread-safe: one thread at a time.
 */
final class LongTable<V> {
  private static final int CAPACITY_MIN = 64;

  private long[] keys = new long[CAPACITY_MIN];
  private @Nullable Object[] values = new Object[CAPACITY_MIN];
  private int shift = shift(CAPACITY_MIN);
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
    if (before == null) {
      keys[slot] = key;
      size++;
    }
    values[slot] = value;
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
    int slot = home(key);
    while (values[slot] != null && keys[slot] != key) {
      slot = next(slot);
    }
    return slot;
  }

  private int home(long key) {
    return (int) ((key * 0x9e3779b97f4a7c15L) >>> shift);
  }

  private int next(int slot) {
    return (slot + 1) & (keys.length - 1);
  }

  /** Moves back what probing had pushed over a slot that is free now. */
  private void closeGap(int free) {
    int mask = keys.length - 1;
    int gap = free;
    for (int slot = next(gap); values[slot] != null; slot = next(slot)) {
      int home = home(keys[slot]);
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
    shift = shift(keys.length);
    for (int old = 0; old < oldKeys.length; old++) {
      if (oldValues[old] != null) {
        int slot = slot(oldKeys[old]);
        keys[slot] = oldKeys[old];
        values[slot] = oldValues[old];
      }
    }
  }

  private static int shift(int capacity) {
    return Long.SIZE - Integer.numberOfTrailingZeros(capacity);
  }

  @SuppressWarnings("unchecked") // only values of V are put
  private @Nullable V value(int slot) {
    return (V) values[slot];
  }
}
