package io.angarium.intake;

import io.angarium.MessageId;
import java.time.InstantSource;
import java.util.UUID;
import java.util.function.LongSupplier;

/**
 * Makes message ids: version 7 UUIDs (RFC 9562 §5.7), 48 bits of milliseconds and 74 random bits.
 * Thread-safe if its sources are.
 */
final class MessageIds {
  private final InstantSource time;
  private final LongSupplier random;

  MessageIds(InstantSource time, LongSupplier random) {
    this.time = time;
    this.random = random;
  }

  MessageId next() {
    long millis = time.millis() & 0xFFFF_FFFF_FFFFL;
    long high = (millis << 16) | 0x7000L | (random.getAsLong() & 0x0FFFL);
    long low = (random.getAsLong() >>> 2) | 0x8000_0000_0000_0000L;
    return new MessageId(new UUID(high, low));
  }
}
