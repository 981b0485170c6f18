package io.angarium.redis;

import io.angarium.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;

/** The clock of this JVM, set forward by a test. Thread-safe. */
final class JumpingClock implements TimeSource {
  private final AtomicLong aheadNanos = new AtomicLong();
  private volatile long perLookNanos;

  void jump(Duration time) {
    aheadNanos.addAndGet(time.toNanos());
  }

  /** From now on each look finds it later by so much: no wait of that length lasts any more. */
  void jumpAtEachLook(Duration time) {
    perLookNanos = time.toNanos();
  }

  @Override
  public Instant instant() {
    return SYSTEM.instant().plusNanos(aheadNanos.get());
  }

  @Override
  public long nanoTime() {
    return SYSTEM.nanoTime() + aheadNanos.addAndGet(perLookNanos);
  }
}
