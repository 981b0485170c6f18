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

  /** True if it is this point where somebody is to stop. */
  boolean isAt(Enum<?> here) {
    return here == point;
  }

  /** Stops one; the others go on. */
  void pass(Enum<?> here) {
    if (armed && isAt(here) && passes.getAndDecrement() == 0) {
      stop(here);
    }
  }

  /** Stops one, and all that come after it. */
  void passUntilOneStops(Enum<?> here) {
    if (armed && isAt(here) && passes.getAndDecrement() <= 0) {
      stop(here);
    }
  }

  private void stop(Enum<?> here) {
    System.out.println(SIGN + here);
    System.out.flush();
    while (armed) {
      LockSupport.parkNanos(this, LOOK_NANOS);
    }
    System.out.println(GOES_ON + here);
  }
}
