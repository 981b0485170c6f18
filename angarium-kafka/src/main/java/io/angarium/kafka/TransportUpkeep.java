package io.angarium.kafka;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs a task from time to time on a thread of its own, and soon when asked. Thread-safe. */
final class TransportUpkeep implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TransportUpkeep.class);
  private static final Duration PERIOD = Duration.ofMillis(250);
  private static final Duration SOON = Duration.ofMillis(5);

  private final BooleanSupplier task;
  private final ScheduledThreadPoolExecutor thread;
  private final AtomicBoolean hurried = new AtomicBoolean();

  /**
   * @param task returns true if it should be run again soon
   */
  TransportUpkeep(String name, BooleanSupplier task) {
    this.task = task;
    this.thread =
        new ScheduledThreadPoolExecutor(
            1,
            work -> {
              Thread created = new Thread(work, name);
              created.setDaemon(true);
              return created;
            });
  }

  void start() {
    // Runs until the thread is closed, and run() catches all.
    Future<?> unused =
        thread.scheduleWithFixedDelay(this::hurry, 0, PERIOD.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Makes the task run within some milliseconds. */
  void hurry() {
    if (!hurried.compareAndSet(false, true)) {
      return;
    }
    try {
      Future<?> unused = thread.schedule(this::run, SOON.toMillis(), TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      LOG.trace("Closed meanwhile");
    }
  }

  private void run() {
    hurried.set(false);
    try {
      if (task.getAsBoolean()) {
        hurry();
      }
    } catch (Throwable e) { // the outermost loop: must go on
      LOG.error("The upkeep of the Kafka transport failed; it is run again", e);
    }
  }

  /** Ends the thread without waiting for the task. */
  @Override
  public void close() {
    thread.shutdownNow();
  }
}
