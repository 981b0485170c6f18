package io.angarium.store;

/**
 * A stretch of one partition: sequences above {@code after} up to and including {@code upTo}.
 * Immutable.
 *
 * @param after exclusive lower end; 0 for the beginning
 * @param upTo inclusive upper end; {@link Long#MAX_VALUE} for no end
 */
public record Span(int partition, long after, long upTo) {
  /** Everything above {@code after}. */
  public static Span after(int partition, long after) {
    return new Span(partition, after, Long.MAX_VALUE);
  }
}
