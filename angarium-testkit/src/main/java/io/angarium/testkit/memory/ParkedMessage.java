package io.angarium.testkit.memory;

import io.angarium.intake.StoredMessage;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A row of the parked list. Immutable.
 *
 * @param head true if it carries the due time of its key
 * @param dueAt when a head is tried again, by the database's clock; meaningless for a follower
 * @param error why the last attempt failed; null for a follower
 */
public record ParkedMessage(
    StoredMessage message, boolean head, Instant dueAt, @Nullable String error) {

  ParkedMessage asHead(Instant now) {
    return new ParkedMessage(message, true, now, error);
  }

  ParkedMessage asFollower() {
    return new ParkedMessage(message, false, dueAt, error);
  }

  ParkedMessage failed(int attempts, Instant nextAttempt, @Nullable String reason) {
    return new ParkedMessage(withAttempts(message, attempts), true, nextAttempt, reason);
  }

  static StoredMessage withAttempts(StoredMessage row, int attempts) {
    return new StoredMessage(row.position(), row.id(), row.message(), attempts, row.createdAt());
  }
}
