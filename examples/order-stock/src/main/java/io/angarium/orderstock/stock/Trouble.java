package io.angarium.orderstock.stock;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;

/** What can happen to a consumer in the middle of its work. Thread-safe. */
@Component
class Trouble {
  /** As of a process that is killed with signal 9. */
  static final int KILLED = 137;

  private static final int HUNDRED = 100;

  private final RandomGenerator random = RandomGenerator.getDefault();
  private final AtomicInteger works = new AtomicInteger();
  private final int failPercent;
  private final int slowMillis;
  private final int crashAt;

  Trouble(
      @Value("${shop.fail}") int failPercent,
      @Value("${shop.slow}") int slowMillis,
      @Value("${shop.crash-at}") int crashAt) {
    this.failPercent = failPercent;
    this.slowMillis = slowMillis;
    this.crashAt = crashAt;
  }

  void come() {
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(slowMillis));
    if (works.incrementAndGet() == crashAt) {
      Runtime.getRuntime().halt(KILLED); // nothing is closed, committed or rolled back
    }
    if (random.nextInt(HUNDRED) < failPercent) {
      throw new IllegalStateException("planned: the stock service fails");
    }
  }
}
