package io.angarium.benchmarks.harness;

import io.angarium.benchmarks.arm.Durations;
import io.angarium.benchmarks.arm.Times;
import java.util.Arrays;

/**
 * How long messages took from the end of their commit to the consumer, and what is missing.
 * Immutable.
 *
 * @param sorted nanoseconds; those that did not arrive are not among them
 * @param lost committed and not received
 * @param ghosts received and not committed
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Latencies(long[] sorted, long lost, long ghosts) {
  /**
   * Compares commits and arrivals.
   *
   * @param from first message that counts
   * @param to first one that does not any more
   */
  static Latencies of(Times committed, Receiver receiver, long from, long to) {
    long[] took = new long[(int) (to - from)];
    int count = 0;
    long lost = 0;
    long ghosts = 0;
    for (long number = from; number < to; number++) {
      long commit = committed.get(number);
      boolean arrived = receiver.has(number);
      if (commit != 0 && arrived) {
        took[count++] = Math.max(0, receiver.arrival(number) - commit);
      }
      lost += commit != 0 && !arrived ? 1 : 0;
      ghosts += commit == 0 && arrived ? 1 : 0;
    }
    long[] sorted = Arrays.copyOf(took, count);
    Arrays.sort(sorted);
    return new Latencies(sorted, lost, ghosts);
  }

  /** Milliseconds within which so many of a hundred messages arrived. */
  double millis(double percent) {
    if (sorted.length == 0) {
      return Double.NaN;
    }
    return Durations.percentile(sorted, percent) / 1e6;
  }
}
