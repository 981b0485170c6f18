package io.angarium.jdbc.internal.sql;

import io.angarium.store.ParkedEntry;
import io.angarium.store.ParkedOutcome;

/**
 * A key with messages in the parked list. Immutable.
 *
 * @param head the sequence of the message that is to be its head; 0 if the lowest is
 */
public record ParkedKey(int partition, long keyHash, long head) {
  public static ParkedKey of(int partition, long keyHash) {
    return new ParkedKey(partition, keyHash, 0);
  }

  public static ParkedKey of(ParkedOutcome settlement) {
    long failed =
        settlement.failed().stream().mapToLong(p -> p.position().sequence()).findFirst().orElse(0);
    return new ParkedKey(settlement.lease().partition(), settlement.keyHash(), failed);
  }

  public static ParkedKey of(ParkedEntry parking) {
    return of(parking.position().partition(), parking.keyHash());
  }
}
