package io.angarium.desk;

import io.angarium.MessageId;
import io.angarium.intake.Position;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A message without its payload and headers, as lists show it. Immutable.
 *
 * @param stage where it is
 * @param position its partition and its sequence within the stage
 * @param destination in its text form
 * @param key the message key; null if the message has none
 * @param type the logical type name; null if the message has none
 * @param businessType what the message is about; null if the message does not say
 * @param businessKey the key of that business object; null if the message does not say
 * @param createdBy which application wrote it; null if the message does not say
 * @param updatedBy who changed it last; null if it was never changed
 * @param payloadBytes size of the payload
 * @param attempts finished attempts
 * @param createdAt when it was written, by the database's clock
 * @param at the time that its stage is ordered by, see {@link Stage}
 * @param dueAt when it is sent, tried again or sent anew; null if that is not planned
 * @param error why the last attempt failed, or why it was discarded; null if nothing did
 * @param blocksKey true if later messages of its key wait for it until it is sent or decided: a
 *     dead letter that blocks its key, or a retrying message with a key
 */
public record MessageRow(
    Stage stage,
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
    Instant at,
    @Nullable Instant dueAt,
    @Nullable String error,
    boolean blocksKey) {
  /** The same message with the size of its payload, where it was not known yet. */
  public MessageRow payloadBytes(long bytes) {
    return new MessageRow(
        stage,
        position,
        id,
        destination,
        key,
        type,
        businessType,
        businessKey,
        createdBy,
        updatedBy,
        bytes,
        attempts,
        createdAt,
        at,
        dueAt,
        error,
        blocksKey);
  }

  /** Returns id, stage and destination, which is what a log line needs. */
  @Override
  public String toString() {
    return id + " (" + stage + ", destination=" + destination + ")";
  }
}
