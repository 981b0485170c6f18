package io.angarium.handler;

import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.intake.StoredMessage;
import java.time.Instant;

/**
 * A message on its way to a handler. Immutable, provided the payload is left alone.
 *
 * @param id the same at every delivery of the message
 * @param message as it was sent: payload, key, type, headers, business key
 * @param failures earlier attempts that failed; 0 at the first
 * @param createdAt when it was written, see {@link StoredMessage#writtenAt}
 */
public record Delivery(MessageId id, Message message, int failures, Instant createdAt) {
  /** The next delivery of a message as it stands in the database. */
  public static Delivery of(StoredMessage stored) {
    return new Delivery(stored.id(), stored.message(), stored.attempts(), stored.writtenAt());
  }
}
