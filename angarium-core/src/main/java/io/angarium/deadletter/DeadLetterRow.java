package io.angarium.deadletter;

import io.angarium.MessageId;
import io.angarium.intake.Position;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A dead letter without its payload and headers, as lists show it. Immutable.
 *
 * @param position where it was written
 * @param destination in its text form
 * @param key the message key; null if the message has none
 * @param type the logical type name; null if the message has none
 * @param businessType what the message is about; null if the message does not say
 * @param businessKey likewise
 * @param createdBy which application wrote it; null if the message does not say
 * @param updatedBy who requeued it last; null if nobody did
 * @param payloadBytes size of the payload
 * @param attempts finished attempts
 * @param createdAt when it was written, by the database's clock
 * @param deadSince when it was given up, by the database's clock
 * @param reason why the last attempt failed
 * @param blocksKey true if later messages of its key wait for a decision
 */
public record DeadLetterRow(
    Position position,
    MessageId id,
    String destination,
    @Nullable String key,
    @Nullable String type,
    @Nullable String businessType,
    @Nullable String businessKey,
    @Nullable String createdBy,
    @Nullable String updatedBy,
    long payloadBytes,
    int attempts,
    Instant createdAt,
    Instant deadSince,
    String reason,
    boolean blocksKey) {
  /** Id, destination and key: what a log line needs. */
  @Override
  public String toString() {
    return id + " (destination=" + destination + ", key=" + key + ")";
  }
}
