package io.angarium.store;

import io.angarium.intake.Position;
import io.angarium.intake.StoredMessage;
import io.angarium.store.lease.Lease;
import java.util.List;

/**
 * What became of parked messages of one key that were sent again, or of any number of keyless ones
 * of a partition. Immutable.
 *
 * @param lease of their partition
 * @param keyHash see {@link StoredMessage#keyHash}; 0 for keyless messages
 * @param acknowledged may be empty
 * @param failed may be empty; at most one of a key
 */
public record ParkedOutcome(
    Lease lease, long keyHash, List<Position> acknowledged, List<ParkedEntry> failed) {
  /**
   * Takes copies of the lists.
   *
   * @throws IllegalArgumentException if a message is of another partition than the lease, or more
   *     than one of a key failed
   */
  public ParkedOutcome {
    acknowledged = List.copyOf(acknowledged);
    failed = List.copyOf(failed);
    acknowledged.forEach(position -> requirePartition(lease, position));
    failed.forEach(parking -> requirePartition(lease, parking.position()));
    if (keyHash != 0 && failed.size() > 1) {
      throw new IllegalArgumentException(
          failed.size() + " failed messages of a key (expected: at most one): " + failed);
    }
  }

  /** True for the messages of a key. */
  public boolean keyed() {
    return keyHash != 0;
  }

  private static void requirePartition(Lease lease, Position position) {
    if (position.partition() != lease.partition()) {
      throw new IllegalArgumentException(
          position + " (expected: a position of partition " + lease.partition() + ")");
    }
  }
}
