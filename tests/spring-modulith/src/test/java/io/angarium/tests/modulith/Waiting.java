package io.angarium.tests.modulith;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for what other threads and processes do. */
final class Waiting {
  private static final long LIMIT_NANOS = TimeUnit.MINUTES.toNanos(5);
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private Waiting() {}

  /** Returns when the condition holds, and fails if it does not in five minutes. */
  static void until(BooleanSupplier condition, String what) {
    long start = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - start > LIMIT_NANOS) {
        throw new AssertionError("not in time: " + what);
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }
}
