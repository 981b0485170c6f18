package io.angarium.store;

import java.util.Collection;

/**
 * A stretch of one partition: sequences above {@code after} up to and including {@code upTo}.
 * Immutable.
 *
 * @param after exclusive lower end; 0 for the beginning
 * @param upTo inclusive upper end; {@link Long#MAX_VALUE} for no end
 */
public record SequenceRange(int partition, long after, long upTo) {
  /** Everything above {@code after}. */
  public static SequenceRange after(int partition, long after) {
    return new SequenceRange(partition, after, Long.MAX_VALUE);
  }

  /**
   * Sequences from the lowest lower end to the highest upper end; the spans hold no more rows, as
   * no two have the same one.
   *
   * @param spans not empty
   */
  public static long reach(Collection<SequenceRange> spans) {
    long lowest = Long.MAX_VALUE;
    long highest = 0;
    for (SequenceRange span : spans) {
      lowest = Math.min(lowest, span.after);
      highest = Math.max(highest, span.upTo);
    }
    return Math.max(0, highest - lowest);
  }
}
