package io.angarium.store;

import io.angarium.intake.Position;
import io.angarium.intake.StoredMessage;

/**
 * A message that becomes a dead letter. Immutable.
 *
 * @param keyHash see {@link StoredMessage#keyHash}
 * @param keyed whether it has a key
 * @param attempts finished attempts, at least 1 unless refused before the first
 * @param reason for a person; stores may cut it at 1 000 characters
 * @param blocksKey true if the later messages of its key wait until a person requeues or discards
 *     it; false if they go on
 */
public record DeadEntry(
    Position position,
    long keyHash,
    boolean keyed,
    int attempts,
    String reason,
    boolean blocksKey) {
  /** A burial of a stored message. */
  public static DeadEntry of(StoredMessage row, int attempts, String reason, boolean blocksKey) {
    return new DeadEntry(
        row.position(), row.keyHash(), row.isKeyed(), attempts, reason, blocksKey && row.isKeyed());
  }
}
