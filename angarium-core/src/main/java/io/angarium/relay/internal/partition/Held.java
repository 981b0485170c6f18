package io.angarium.relay.internal.partition;

import java.util.Arrays;

/**
 * The rows of one destination that were left in one partition. The lowest ones are known one by
 * one, so that a few of them can be read without all rows behind them. Not thread-safe: one thread
 * at a time.
 */
public final class Held {
  /** Most sequences that are remembered one by one. */
  static final int KNOWN_MAX = 16;

  private static final long NONE = Long.MAX_VALUE;

  private long[] known = new long[1];
  private int size;

  /** From here on there may be more than those known. */
  private long unknownFrom = NONE;

  void add(long sequence) {
    int at = Arrays.binarySearch(known, 0, size, sequence);
    if (at >= 0 || sequence >= unknownFrom) {
      return;
    }
    insert(-at - 1, sequence);
  }

  private void insert(int at, long sequence) {
    if (size == KNOWN_MAX) {
      unknownFrom = at == size ? sequence : known[size - 1];
      if (at == size) {
        return;
      }
      size--;
    }
    if (size == known.length) {
      known = Arrays.copyOf(known, Math.min(KNOWN_MAX, 2 * size));
    }
    System.arraycopy(known, at, known, at + 1, size - at);
    known[at] = sequence;
    size++;
  }

  /** Forgets a row that is no longer held. */
  void remove(long sequence) {
    int at = Arrays.binarySearch(known, 0, size, sequence);
    if (at >= 0) {
      System.arraycopy(known, at + 1, known, at, size - at - 1);
      size--;
    }
  }

  /** The sequence of the first row that is held, or may be. */
  long first() {
    return size > 0 ? known[0] : unknownFrom;
  }

  /** The sequence of the last row that is known; 0 for none. */
  public long last() {
    return size > 0 ? known[size - 1] : 0;
  }

  boolean isEmpty() {
    return first() == NONE;
  }

  /** True if so many rows are known, or all that are held. */
  public boolean knows(int rows) {
    return size >= rows || unknownFrom == NONE;
  }

  /** The sequences of the first rows, of those that are known. */
  public long[] first(int rows) {
    return Arrays.copyOf(known, Math.min(rows, size));
  }
}
