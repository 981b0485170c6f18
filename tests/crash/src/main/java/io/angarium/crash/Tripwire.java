package io.angarium.crash;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Stops the process at a named point: says so on standard output and holds the thread until the
 * parent kills the process, or has it go on. Thread-safe.
 */
final class Tripwire {
  /** What the process prints when it has reached its point. */
  static final String SIGN = "AT POINT ";

  /** What it prints when it is let go there. */
  static final String GOES_ON = "GOES ON ";

  private static final long LOOK_NANOS = 50_000_000;

  private final Enum<?> point;
  private final AtomicInteger passes;
  private volatile boolean armed = true;

  /**
   * @param passes how often the point is passed unharmed before
   */
  Tripwire(Enum<?> point, int passes) {
    this.point = point;
    this.passes = new AtomicInteger(passes);
  }

  /** Lets go whoever is at the point, and all that come later. */
  void disarm() {
    armed = false;
  }

  void pass(Enum<?> here) {
    if (!armed || here != point || passes.getAndDecrement() != 0) {
      return;
    }
    System.out.println(SIGN + here);
    System.out.flush();
    while (armed) {
      LockSupport.parkNanos(this, LOOK_NANOS);
    }
    System.out.println(GOES_ON + here);
  }
}
