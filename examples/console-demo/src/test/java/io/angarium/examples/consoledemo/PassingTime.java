package io.angarium.examples.consoledemo;

import io.angarium.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;

/** The clocks of this JVM, which a test can move on. Thread-safe. */
final class PassingTime implements TimeSource {
  private final AtomicLong aheadNanos = new AtomicLong();

  void pass(Duration time) {
    aheadNanos.addAndGet(time.toNanos());
  }

  @Override
  public Instant instant() {
    return SYSTEM.instant().plusNanos(aheadNanos.get());
  }

  @Override
  public long nanoTime() {
    return SYSTEM.nanoTime() + aheadNanos.get();
  }
}
