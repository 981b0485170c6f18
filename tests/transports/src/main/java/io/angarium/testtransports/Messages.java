package io.angarium.testtransports;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.angarium.Destination;
import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.intake.Position;
import io.angarium.intake.StoredMessage;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Messages as a store would give them. Thread-safe. */
public final class Messages {
  /** When all of them were written. */
  public static final Instant WRITTEN = Instant.parse("2026-01-01T00:00:00Z");

  /** When all of them were written first: the time in their ids. */
  public static final Instant WRITTEN_FIRST = Instant.ofEpochMilli(0x0190_0000_0000L);

  private static final AtomicLong SEQUENCE = new AtomicLong();

  private Messages() {}

  /** A message with the next id and position. */
  public static StoredMessage of(Message message) {
    long sequence = SEQUENCE.incrementAndGet();
    return new StoredMessage(
        new Position(1, sequence),
        new MessageId(new UUID(0x0190_0000_0000_7000L, sequence)),
        message,
        0,
        WRITTEN);
  }

  /** A message with a text as payload. */
  public static StoredMessage of(Destination destination, @Nullable String key, String payload) {
    return of(Message.of(destination, payload.getBytes(UTF_8)).key(key));
  }
}
