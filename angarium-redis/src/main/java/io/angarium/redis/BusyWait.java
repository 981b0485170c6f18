package io.angarium.redis;

import io.angarium.TimeSource;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** The pauses of one delivery that waits for another: longer and longer. One thread. */
final class BusyWait {
  private static final Duration PAUSE_MIN = Duration.ofMillis(5);
  private static final Duration PAUSE_MAX = Duration.ofMillis(250);

  private final TimeSource time;
  private final long deadlineNanos;
  private long pauseNanos = PAUSE_MIN.toNanos();

  BusyWait(RedisInboxConfig config, TimeSource time) {
    this.time = time;
    this.deadlineNanos = time.nanoTime() + config.waitMax().toNanos();
  }

  /** Pauses; returns false at once if the time is up or the thread is interrupted. */
  boolean again() {
    long left = deadlineNanos - time.nanoTime();
    if (left <= 0 || Thread.currentThread().isInterrupted()) {
      return false;
    }
    LockSupport.parkNanos(this, Math.min(pauseNanos, left));
    pauseNanos = Math.min(2 * pauseNanos, PAUSE_MAX.toNanos());
    return true;
  }
}
