package io.angarium.rocketmq;

import io.angarium.TimeSource;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread that gives up what takes too long. Waits for nobody, so that no time-out depends on
 * something that may hang. Thread-safe.
 */
final class Expiry implements AutoCloseable {
  /** How late an answer of the client may be before we step in: it looks for them once a second. */
  static final Duration OVERDUE = Duration.ofMillis(2_500);

  private static final Logger LOG = LoggerFactory.getLogger(Expiry.class);
  private static final Duration BUSY = Duration.ofMillis(100);

  private final Duration requestMax;
  private final Queues queues;
  private final TimeSource time;
  private final Thread thread;
  private volatile boolean resting;
  private volatile boolean closed;

  Expiry(RocketConfig config, Queues queues, TimeSource time) {
    this.requestMax = config.sendTimeout().plus(OVERDUE);
    this.queues = queues;
    this.time = time;
    this.thread = new Thread(this::run, config.producerGroup() + "-rocketmq-expiry");
    this.thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  /**
   * There may be something that can take too long. Costs next to nothing while the thread looks now
   * and then anyway.
   */
  void wake() {
    if (resting) {
      LockSupport.unpark(thread);
    }
  }

  private void run() {
    while (!closed) {
      try {
        queues.expire(time.nanoTime(), requestMax.toNanos());
        rest();
      } catch (Throwable e) { // the outermost loop: must go on
        LOG.error("The upkeep of the RocketMQ transport failed; it is run again", e);
      }
      LockSupport.parkNanos(this, BUSY.toNanos());
    }
  }

  /** While there is nothing at all. Said before it is asked, so that no message falls between. */
  private void rest() {
    resting = true;
    if (queues.isIdle()) {
      LockSupport.park(this);
    }
    resting = false;
  }

  /** Ends the thread, without waiting for it. */
  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(thread);
  }
}
