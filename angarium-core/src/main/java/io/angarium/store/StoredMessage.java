package io.angarium.store;

import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.Partitioning;
import java.time.Instant;

/**
 * A committed message as it stands in the database. Immutable.
 *
 * @param attempts finished attempts that failed; 0 for one that was never parked
 * @param createdAt when it was written, by the database's clock
 */
public record StoredMessage(
    Position position, MessageId id, Message message, int attempts, Instant createdAt) {
  /** True if its order within the key matters. */
  public boolean isKeyed() {
    return message.key() != null;
  }

  /** The hash of destination and key, or 0 without a key. */
  public long keyHash() {
    String key = message.key();
    return key == null ? 0 : Partitioning.keyHash(message.destination(), key);
  }

  /** Id, destination, key, position: what a log line needs; never payload or header values. */
  @Override
  public String toString() {
    return id
        + " (destination="
        + message.destination()
        + ", key="
        + message.key()
        + ", partition="
        + position.partition()
        + ", sequence="
        + position.sequence()
        + ")";
  }
}
