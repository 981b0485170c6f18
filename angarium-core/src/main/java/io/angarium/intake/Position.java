package io.angarium.intake;

import org.jspecify.annotations.Nullable;

/**
 * Where a row is: its partition and its sequence number, unique within one database. A higher
 * sequence was handed out later, not necessarily committed later. Immutable.
 *
 * @param sequence at least 1
 * @param place where the store that read the row saw it, in a form of that store's own; 0 if it
 *     does not say. A hint that may be out of date, and no part of what makes two positions equal
 */
public record Position(int partition, long sequence, long place) implements Comparable<Position> {
  /** A position without a hint. */
  public Position(int partition, long sequence) {
    this(partition, sequence, 0);
  }

  /** By partition, then sequence. */
  @Override
  public int compareTo(Position other) {
    int byPartition = Integer.compare(partition, other.partition);
    return byPartition != 0 ? byPartition : Long.compare(sequence, other.sequence);
  }

  /** True for the same partition and sequence. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Position position
        && partition == position.partition
        && sequence == position.sequence;
  }

  @Override
  public int hashCode() {
    return 31 * partition + Long.hashCode(sequence);
  }
}
