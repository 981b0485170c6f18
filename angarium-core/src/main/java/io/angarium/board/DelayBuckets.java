package io.angarium.board;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * How long messages took from their creation to the acknowledgement, in buckets that double from a
 * millisecond: bucket {@code i} counts times of at most {@code 2^i} ms, the last one all others.
 * Immutable.
 */
public final class DelayBuckets {
  /** How many buckets there are. */
  public static final int COUNT = 20;

  /** No messages. */
  public static final DelayBuckets NONE = new DelayBuckets(new long[COUNT]);

  private static final long NANOS_PER_MILLI = 1_000_000;

  private final long[] counts;

  private DelayBuckets(long[] counts) {
    this.counts = counts;
  }

  /**
   * Takes counts.
   *
   * @param counts {@value #COUNT} of them, not negative
   * @throws IllegalArgumentException if it is another number of them, or one is negative
   */
  public static DelayBuckets of(long... counts) {
    if (counts.length != COUNT || Arrays.stream(counts).anyMatch(count -> count < 0)) {
      throw new IllegalArgumentException(
          "delays: %s (expected: %d numbers, not negative)"
              .formatted(Arrays.toString(counts), COUNT));
    }
    return new DelayBuckets(counts.clone());
  }

  /** The bucket of a delay in milliseconds. */
  static int bucket(long millis) {
    return millis <= 1 ? 0 : Math.min(COUNT - 1, Long.SIZE - Long.numberOfLeadingZeros(millis - 1));
  }

  /** All counts, by bucket. */
  public List<Long> counts() {
    return Arrays.stream(counts).boxed().toList();
  }

  /** How many messages there are in all buckets. */
  public long total() {
    return Arrays.stream(counts).sum();
  }

  /** These and others. */
  public DelayBuckets plus(DelayBuckets others) {
    long[] sum = counts.clone();
    Arrays.setAll(sum, i -> sum[i] + others.counts[i]);
    return new DelayBuckets(sum);
  }

  /** Leaves out what earlier ones counted; none of a bucket that had more before. */
  public DelayBuckets minus(DelayBuckets earlier) {
    long[] difference = counts.clone();
    Arrays.setAll(difference, i -> Math.max(0, difference[i] - earlier.counts[i]));
    return new DelayBuckets(difference);
  }

  /**
   * The delay that a part of the messages did not exceed, as if each bucket were spread evenly. One
   * in the last bucket is given as its least delay.
   *
   * @param part more than 0, at most 1
   * @return empty without messages
   * @throws IllegalArgumentException if the part is out of range
   */
  public Optional<Duration> percentile(double part) {
    if (!(part > 0 && part <= 1)) {
      throw new IllegalArgumentException("part: " + part + " (expected: more than 0, at most 1)");
    }
    double wanted = part * total();
    if (wanted == 0) {
      return Optional.empty();
    }
    double below = 0;
    int last = COUNT - 1;
    for (int i = 0; i < last; i++) {
      if (below + counts[i] >= wanted && counts[i] > 0) {
        double from = i == 0 ? 0 : 1L << (i - 1);
        double millis = from + ((1L << i) - from) * (wanted - below) / counts[i];
        return Optional.of(Duration.ofNanos(Math.round(millis * NANOS_PER_MILLI)));
      }
      below += counts[i];
    }
    return Optional.of(Duration.ofMillis(1L << (last - 1)));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof DelayBuckets buckets && Arrays.equals(counts, buckets.counts);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(counts);
  }

  @Override
  public String toString() {
    return Arrays.toString(counts);
  }
}
