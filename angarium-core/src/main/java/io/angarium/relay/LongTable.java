package io.angarium.relay;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A map from long numbers to values, in two arrays: linear probing with deletion by shifting back
 * (Knuth, The Art of Computer Programming 3, 6.4 R). Not thread-safe: one thread at a time.
 *
 * <p>Sequences are looked up in their order, so eight neighbouring numbers share a cache line.
 * Their places, though, are counted column by column: the place after one is in the next line,
 * because the rest of its own line is full of its neighbours. A removal that has nothing to shift
 * back sees that without a look at the next line: a place knows whether a number was put past it.
 */
final class LongTable<V> {
  private static final int CAPACITY_MIN = 64;
  private static final int COLUMN_BITS = 3;
  private static final int COLUMNS = 1 << COLUMN_BITS;

  private long[] keys = new long[CAPACITY_MIN];
  private @Nullable Object[] values = new Object[CAPACITY_MIN];

  /** Slots of places that a number was put past. */
  private boolean[] passed = new boolean[CAPACITY_MIN];

  private int lineBits = lineBits(CAPACITY_MIN);
  private int size;

  int size() {
    return size;
  }

  @Nullable V get(long key) {
    return value(slot(place(key)));
  }

  /** Puts a value; returns the one before, or null. */
  @Nullable V put(long key, V value) {
    if (size * 2 >= keys.length) {
      grow();
    }
    int slot = slotFor(key);
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
    int place = place(key);
    int slot = slot(place);
    V removed = value(slot);
    if (removed != null) {
      size--;
      values[slot] = null;
      closeGap(place);
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

  /** Where a key is, or the free place where it would go. */
  private int place(long key) {
    int place = home(key);
    int slot = slot(place);
    while (values[slot] != null && keys[slot] != key) {
      place = next(place);
      slot = slot(place);
    }
    return place;
  }

  /** The slot of a key, or the free one where it goes, with those before it marked. */
  private int slotFor(long key) {
    int place = home(key);
    int slot = slot(place);
    while (values[slot] != null && keys[slot] != key) {
      passed[slot] = true;
      place = next(place);
      slot = slot(place);
    }
    return slot;
  }

  /**
   * The lines of neighbouring eights are far apart by Fibonacci hashing, so that no long runs form;
   * so are their columns, for numbers that are all multiples of one.
   */
  private int home(long key) {
    long hash = (key >>> COLUMN_BITS) * 0x9e3779b97f4a7c15L;
    int line = (int) (hash >>> 32) & ((1 << lineBits) - 1);
    int column = (int) (key + (hash >>> 61)) & (COLUMNS - 1);
    return (column << lineBits) | line;
  }

  private int next(int place) {
    return (place + 1) & (keys.length - 1);
  }

  /** The index of a place in the arrays. */
  private int slot(int place) {
    int line = place & ((1 << lineBits) - 1);
    return (line << COLUMN_BITS) | (place >>> lineBits);
  }

  /** Moves back what probing had pushed over a place that is free now. */
  private void closeGap(int free) {
    int mask = keys.length - 1;
    int gap = free;
    for (int place = next(gap); passed[slot(gap)] && isTaken(place); place = next(place)) {
      int slot = slot(place);
      int home = home(keys[slot]);
      boolean movable = ((place - home) & mask) >= ((place - gap) & mask);
      if (movable) {
        keys[slot(gap)] = keys[slot];
        values[slot(gap)] = values[slot];
        values[slot] = null;
        gap = place;
      }
    }
    if (passed[slot(gap)]) {
      passed[slot(gap)] = false;
    }
  }

  private boolean isTaken(int place) {
    return values[slot(place)] != null;
  }

  private void grow() {
    long[] oldKeys = keys;
    @Nullable Object[] oldValues = values;
    keys = new long[oldKeys.length * 2];
    values = new Object[oldKeys.length * 2];
    passed = new boolean[oldKeys.length * 2];
    lineBits = lineBits(keys.length);
    for (int slot = 0; slot < oldKeys.length; slot++) {
      if (oldValues[slot] != null) {
        int target = slotFor(oldKeys[slot]);
        keys[target] = oldKeys[slot];
        values[target] = oldValues[slot];
      }
    }
  }

  private static int lineBits(int capacity) {
    return Integer.numberOfTrailingZeros(capacity) - COLUMN_BITS;
  }

  @SuppressWarnings("unchecked") // only values of V are put
  private @Nullable V value(int slot) {
    return (V) values[slot];
  }
}
