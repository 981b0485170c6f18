package io.angarium.store;

/**
 * Where a row is: its partition and its sequence number, unique within one database. A higher
 * sequence was handed out later, not necessarily committed later. Immutable.
 *
 * @param sequence at least 1
 */
public record Position(int partition, long sequence) implements Comparable<Position> {
  /** By partition, then sequence. */
  @Override
  public int compareTo(Position other) {
    int byPartition = Integer.compare(partition, other.partition);
    return byPartition != 0 ? byPartition : Long.compare(sequence, other.sequence);
  }
}
