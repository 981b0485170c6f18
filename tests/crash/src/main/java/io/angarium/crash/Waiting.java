package io.angarium.crash;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** Waits for what other processes do. */
final class Waiting {
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private Waiting() {}

  /** A question that may fail. */
  interface Condition {
    boolean holds() throws Exception;
  }

  /**
   * Returns when the condition holds.
   *
   * @throws AssertionError with the complaint, if it does not in that time
   */
  static void until(Duration limit, Condition condition, Supplier<String> complaint) {
    if (!comesTrue(limit, condition)) {
      throw new AssertionError(complaint.get() + " within " + limit);
    }
  }

  /** Returns when the condition holds, or false if it does not in that time. */
  static boolean comesTrue(Duration limit, Condition condition) {
    long deadline = System.nanoTime() + limit.toNanos();
    while (!holds(condition)) {
      if (System.nanoTime() - deadline > 0) {
        return false;
      }
      LockSupport.parkNanos(LOOK_NANOS);
    }
    return true;
  }

  private static boolean holds(Condition condition) {
    try {
      return condition.holds();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }
}
