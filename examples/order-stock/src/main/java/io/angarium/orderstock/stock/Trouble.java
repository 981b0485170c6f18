package io.angarium.orderstock.stock;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;

/** What can happen to a consumer in the middle of its work. Thread-safe. */
@Component
class Trouble {
  /** As of a process that is killed with signal 9. */
  static final int KILLED = 137;

  private static final int HUNDRED = 100;

  /** Below what any of the brokers gives up after. */
  private static final int FAILURES_MAX = 5;

  private final AtomicInteger works = new AtomicInteger();
  private final Map<Long, Integer> failures = new ConcurrentHashMap<>();
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

  void come(long order) {
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(slowMillis));
    if (works.incrementAndGet() == crashAt) {
      Runtime.getRuntime().halt(KILLED); // nothing is closed, committed or rolled back
    }
    if (ThreadLocalRandom.current().nextInt(HUNDRED) < failPercent
        && failures.merge(order, 1, Integer::sum) <= FAILURES_MAX) {
      throw new IllegalStateException("planned: the stock service fails");
    }
  }
}
