package io.angarium.store;

import io.angarium.intake.Position;
import io.angarium.intake.StoredMessage;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A row that leaves the outbox for a while. Immutable.
 *
 * @param keyHash see {@link StoredMessage#keyHash}
 * @param head true for the failed message itself, false for a later one of its key that waits
 *     behind it
 * @param attempts finished attempts, 0 for a follower
 * @param pause until the next attempt, counted by the database's clock; ignored for a follower
 * @param error why the attempt failed; null for a follower; stores may cut it at 1 000 characters
 */
public record ParkedEntry(
    Position position,
    long keyHash,
    boolean head,
    int attempts,
    Duration pause,
    @Nullable String error) {
  /** A failed message that is tried again after a pause. */
  public static ParkedEntry head(StoredMessage row, int attempts, Duration pause, String error) {
    return new ParkedEntry(row.position(), row.keyHash(), true, attempts, pause, error);
  }

  /** A later message of a blocked key. */
  public static ParkedEntry follower(StoredMessage row) {
    return new ParkedEntry(row.position(), row.keyHash(), false, 0, Duration.ZERO, null);
  }
}
