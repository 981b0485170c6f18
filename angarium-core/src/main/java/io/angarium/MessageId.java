package io.angarium;

import java.time.Instant;
import java.util.UUID;

/**
 * The identity of a message: the same in the row, in the broker's header and in every resend, so
 * that a consumer can drop repeats. Unique over all databases. Immutable.
 *
 * @param value a version 7 UUID, ordered by creation time to the millisecond
 */
public record MessageId(UUID value) {
  /**
   * Reads the text form.
   *
   * @throws IllegalArgumentException if the text is not a UUID
   */
  public static MessageId parse(String text) {
    return new MessageId(UUID.fromString(text));
  }

  /**
   * When the id was made, to the millisecond, by the clock of the host that made it. Has a meaning
   * only for a version 7 UUID.
   */
  public Instant time() {
    return Instant.ofEpochMilli(value.getMostSignificantBits() >>> 16);
  }

  /** The usual 36 characters of a UUID. */
  @Override
  public String toString() {
    return value.toString();
  }
}
