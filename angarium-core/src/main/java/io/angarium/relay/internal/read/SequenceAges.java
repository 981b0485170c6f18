package io.angarium.relay.internal.read;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Knows the sequence that had been reached a grace ago: rows up to it are at least that old. Not
 * thread-safe: one thread at a time.
 */
final class SequenceAges {
  private static final int SAMPLES_MAX = 1_000;

  private final long graceNanos;
  private final Deque<Sample> samples = new ArrayDeque<>();
  private long aged;

  private record Sample(long nanos, long sequence) {}

  SequenceAges(Duration grace) {
    this.graceNanos = grace.toNanos();
  }

  /** Notes the last sequence at a time. */
  void sample(long nanos, long sequence) {
    Sample last = samples.peekLast();
    boolean dense = last != null && nanos - last.nanos() < graceNanos / SAMPLES_MAX;
    if (!dense && (last == null || last.sequence() < sequence)) {
      samples.addLast(new Sample(nanos, sequence));
    }
  }

  /** The highest sequence known to have been reached at least a grace before {@code nanos}. */
  long aged(long nanos) {
    for (Sample first = samples.peekFirst();
        first != null && nanos - first.nanos() >= graceNanos;
        first = samples.peekFirst()) {
      aged = Math.max(aged, first.sequence());
      samples.removeFirst();
    }
    return aged;
  }
}
