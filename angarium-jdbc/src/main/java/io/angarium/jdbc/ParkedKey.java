package io.angarium.jdbc;

import io.angarium.store.Parking;
import io.angarium.store.Settlement;

/**
 * A key with messages in the parked list. Immutable.
 *
 * @param head the sequence of the message that is to be its head; 0 if the lowest is
 */
record ParkedKey(int partition, long keyHash, long head) {
  static ParkedKey of(int partition, long keyHash) {
    return new ParkedKey(partition, keyHash, 0);
  }

  static ParkedKey of(Settlement settlement) {
    long failed =
        settlement.failed().stream().mapToLong(p -> p.position().sequence()).findFirst().orElse(0);
    return new ParkedKey(settlement.lease().partition(), settlement.keyHash(), failed);
  }

  static ParkedKey of(Parking parking) {
    return of(parking.position().partition(), parking.keyHash());
  }
}
