package io.angarium.relay.internal.flight;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A map from sequences to values, in pages of neighbours: most that are in flight were written one
 * after the other, so that few pages hold them all, close together in memory, and the next one
 * looked up is mostly on the page of the last. Not thread-safe: one thread at a time.
 */
final class SequenceTable<V> {
  private static final int PAGE_BITS = 5;
  private static final int PAGE = 1 << PAGE_BITS;

  private final LongTable<Page<V>> pages = new LongTable<>();
  private @Nullable Page<V> last;
  private int size;

  private static final class Page<V> {
    final long number;
    final @Nullable Object[] values = new Object[PAGE];
    int size;

    Page(long number) {
      this.number = number;
    }

    @SuppressWarnings("unchecked") // only values of V are put
    @Nullable V get(long sequence) {
      return (V) values[index(sequence)];
    }

    void set(long sequence, @Nullable V value) {
      values[index(sequence)] = value;
    }

    private static int index(long sequence) {
      return (int) sequence & (PAGE - 1);
    }
  }

  int size() {
    return size;
  }

  @Nullable V get(long sequence) {
    Page<V> page = page(sequence);
    return page == null ? null : page.get(sequence);
  }

  /** Puts a value; returns the one before, or null. */
  @Nullable V put(long sequence, V value) {
    Page<V> page = page(sequence);
    if (page == null) {
      page = new Page<>(sequence >> PAGE_BITS);
      pages.put(page.number, page);
      last = page;
    }
    V before = page.get(sequence);
    page.set(sequence, value);
    if (before == null) {
      page.size++;
      size++;
    }
    return before;
  }

  /** Removes a value; returns it, or null if there was none. */
  @Nullable V remove(long sequence) {
    Page<V> page = page(sequence);
    V removed = page == null ? null : page.get(sequence);
    if (page != null && removed != null) {
      page.set(sequence, null);
      size--;
      if (--page.size == 0) {
        pages.remove(page.number);
        last = null;
      }
    }
    return removed;
  }

  /** A copy of all values, in no order. */
  List<V> values() {
    List<V> all = new ArrayList<>(size);
    for (Page<V> page : pages.values()) {
      for (int i = 0; i < PAGE; i++) {
        V value = page.get(i);
        if (value != null) {
          all.add(value);
        }
      }
    }
    return all;
  }

  private @Nullable Page<V> page(long sequence) {
    long number = sequence >> PAGE_BITS;
    Page<V> page = last;
    if (page == null || page.number != number) {
      page = pages.get(number);
      last = page;
    }
    return page;
  }
}
