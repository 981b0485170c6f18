package io.angarium.benchmarks.arm;

import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A message to send. Immutable.
 *
 * @param number unlike that of any other message of the topic; within a key, numbers rise in the
 *     order of the commits
 * @param key messages of one key keep their order; null means none
 * @param payload plain ASCII text, so that no library has to encode it; begins with the number. Not
 *     copied
 * @param poison true for a message that cannot be sent now
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Outgoing(long number, @Nullable String key, byte[] payload, boolean poison) {
  /** An id that rises with the number, as ids that have their time in front do. */
  public UUID id() {
    return new UUID(number << 16 | 0x7000, 0x8000_0000_0000_0000L | number * 0x9E37_79B9_7F4AL);
  }

  /** The payload as a text. */
  public String text() {
    return new String(payload, StandardCharsets.US_ASCII);
  }
}
