package io.angarium.intake;

import io.angarium.Message;
import io.angarium.MessageId;
import java.time.Instant;

/**
 * A committed message as it stands in the database. Immutable.
 *
 * @param attempts finished attempts that failed; 0 for one that was never parked
 * @param createdAt when it was written to where it stands, by the database's clock: a delayed
 *     message counts as written when it became due, one that is sent again when that was decided
 */
public record StoredMessage(
    Position position, MessageId id, Message message, int attempts, Instant createdAt) {
  /** The version of UUIDs that hold the time. */
  private static final int TIMED = 7;

  /**
   * When it was written first, to the millisecond: the time in its id, by the clock of the host
   * that wrote it, but never later than {@link #createdAt}. What transports tell consumers.
   */
  public Instant writtenAt() {
    Instant made = id.time();
    return id.value().version() == TIMED && made.isBefore(createdAt) ? made : createdAt;
  }

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
