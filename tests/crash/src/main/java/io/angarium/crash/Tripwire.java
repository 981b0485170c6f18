package io.angarium.crash;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Stops the process at a named point: says so on standard output and holds the thread until the
 * parent kills the process. Thread-safe.
 */
final class Tripwire {
  /** What the process prints when it has reached its point. */
  static final String SIGN = "AT POINT ";

  private final CrashPoint point;
  private final AtomicInteger passes;

  /**
   * @param passes how often the point is passed unharmed before
   */
  Tripwire(CrashPoint point, int passes) {
    this.point = point;
    this.passes = new AtomicInteger(passes);
  }

  void pass(CrashPoint here) {
    if (here != point || passes.getAndDecrement() != 0) {
      return;
    }
    System.out.println(SIGN + here);
    System.out.flush();
    while (true) {
      LockSupport.park(this);
    }
  }
}
