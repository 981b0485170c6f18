package io.angarium.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.angarium.Destination;
import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.store.Position;
import io.angarium.store.StoredMessage;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/** Messages as a store would give them. */
final class Messages {
  static final Instant WRITTEN = Instant.parse("2026-01-01T00:00:00Z");

  private static final AtomicLong SEQUENCE = new AtomicLong();

  private Messages() {}

  static StoredMessage of(Message message) {
    long sequence = SEQUENCE.incrementAndGet();
    return new StoredMessage(
        new Position(1, sequence),
        new MessageId(new UUID(0x0190_0000_0000_7000L, Long.MIN_VALUE | sequence)),
        message,
        0,
        WRITTEN);
  }

  static StoredMessage to(String address) {
    return of(Message.of(new Destination("http", address), "{}".getBytes(UTF_8)));
  }
}
