package io.angarium.benchmarks.arm;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** How long each transaction took that was committed. Thread-safe. */
public final class Durations {
  private static final int FIRST_SIZE = 1 << 10;

  private final List<OfThread> threads = new ArrayList<>();

  /** Those of one thread, in nanoseconds. Not thread-safe. */
  static final class OfThread {
    private long[] nanos = new long[FIRST_SIZE];
    private int size;

    void add(long duration) {
      if (size == nanos.length) {
        nanos = Arrays.copyOf(nanos, 2 * size);
      }
      nanos[size++] = duration;
    }
  }

  /** For one more thread. */
  synchronized OfThread begin() {
    OfThread thread = new OfThread();
    threads.add(thread);
    return thread;
  }

  /** All of them, in ascending order; once no thread adds any more. */
  synchronized long[] sorted() {
    return threads.stream()
        .flatMapToLong(thread -> Arrays.stream(thread.nanos, 0, thread.size))
        .sorted()
        .toArray();
  }

  /** The duration within which so many of a hundred ended; 0 if there are none. */
  public static long percentile(long[] sorted, double percent) {
    if (sorted.length == 0) {
      return 0;
    }
    int rank = (int) Math.ceil(percent / 100 * sorted.length) - 1;
    return sorted[Math.max(0, Math.min(rank, sorted.length - 1))];
  }
}
