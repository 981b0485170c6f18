package io.angarium.benchmarks.harness;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * Looks at a number of a database again and again until it is where it shall be, for a bounded
 * time. Not thread-safe.
 */
final class Rest {
  private static final long LOOK_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final LongSupplier nanoTime;
  private final Runnable pause;
  private final long end;

  /** The time that all looks together may take. */
  Rest(Duration patience) {
    this(patience, System::nanoTime, () -> LockSupport.parkNanos(LOOK_PAUSE_NANOS));
  }

  /**
   * Likewise, by another clock.
   *
   * @param pause between two looks
   */
  Rest(Duration patience, LongSupplier nanoTime, Runnable pause) {
    this.nanoTime = nanoTime;
    this.pause = pause;
    this.end = nanoTime.getAsLong() + patience.toNanos();
  }

  /** Takes the number. */
  interface Look<E extends Exception> {
    /** As it is now. */
    long now() throws E;
  }

  /** Until it is no more than this; returns the last number. */
  <E extends Exception> long untilAtMost(long enough, Look<E> look) throws E {
    long now = look.now();
    while (now > enough && pause()) {
      now = look.now();
    }
    return now;
  }

  /** Until it has not fallen for so long; returns the last number. */
  <E extends Exception> long untilNotFalling(Duration quiet, Look<E> look) throws E {
    return untilQuiet(quiet, look, -1);
  }

  /** Until it has not risen for so long; returns the last number. */
  <E extends Exception> long untilNotRising(Duration quiet, Look<E> look) throws E {
    return untilQuiet(quiet, look, 1);
  }

  private <E extends Exception> long untilQuiet(Duration quiet, Look<E> look, int way) throws E {
    long now = look.now();
    long furthest = now;
    long since = nanoTime.getAsLong();
    long begun = since; // a look, which may take long: it shows nothing of what came later
    while (begun - since < quiet.toNanos() && pause()) {
      begun = nanoTime.getAsLong();
      now = look.now();
      if (Long.compare(now, furthest) == way) {
        furthest = now;
        since = nanoTime.getAsLong();
      }
    }
    return now;
  }

  /** False if the time is up. */
  private boolean pause() {
    pause.run();
    return !isOver();
  }

  boolean isOver() {
    return nanoTime.getAsLong() >= end;
  }
}
