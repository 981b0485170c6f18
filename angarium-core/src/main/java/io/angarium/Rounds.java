package io.angarium;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does the same again and again, with pauses, on a thread of its own. Whatever a round throws, the
 * next one comes; the first failure is logged with its stack trace, those that follow at DEBUG but
 * for one an hour, and that it works again. For Angarium's modules. Thread-safe.
 */
public final class Rounds implements AutoCloseable {
  private static final Duration CLOSE_MAX = Duration.ofSeconds(5);
  private static final Duration REMINDER = Duration.ofHours(1);
  private static final Logger LOG = LoggerFactory.getLogger(Rounds.class);

  private final String name;
  private final String what;
  private final Duration pause;
  private final Duration reminder;
  private final Round round;
  private final CountDownLatch closed = new CountDownLatch(1);
  private @Nullable Thread thread;
  private volatile boolean failing;
  private volatile long warnedNanos;

  /** What is done in each round. */
  @FunctionalInterface
  public interface Round {
    /**
     * Does it once.
     *
     * @throws Exception to be called again after the pause
     */
    void run() throws Exception;
  }

  /**
   * Creates them; nothing runs before {@link #start}.
   *
   * @param name of the thread
   * @param what is done, for the log, e.g. "The renewal of leases"
   * @param pause between the end of a round and the next
   */
  public Rounds(String name, String what, Duration pause, Round round) {
    this(name, what, pause, REMINDER, round);
  }

  /**
   * Creates them with another interval between reminders; nothing runs before {@link #start}.
   *
   * @param reminder how long an outage lasts until it is logged once more
   */
  Rounds(String name, String what, Duration pause, Duration reminder, Round round) {
    this.name = name;
    this.what = what;
    this.pause = pause;
    this.reminder = reminder;
    this.round = round;
  }

  /**
   * Starts the thread, a daemon. Does nothing if it was started or closed before.
   *
   * @param first how long until the first round, zero for at once
   */
  public synchronized void start(Duration first) {
    if (thread == null && !isClosed()) {
      thread = new Thread(() -> run(first), name);
      thread.setDaemon(true);
      thread.start();
    }
  }

  private void run(Duration first) {
    try {
      boolean over = rest(first);
      while (!over) {
        runOnce();
        over = rest(pause);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void runOnce() throws InterruptedException {
    try {
      round.run();
      worked();
    } catch (InterruptedException e) {
      throw e;
    } catch (Throwable e) { // the outermost loop: a thread must not die silently
      failed(e);
    }
  }

  private void failed(Throwable reason) {
    long now = TimeSource.SYSTEM.nanoTime();
    if (failing && now - warnedNanos < reminder.toNanos()) {
      LOG.debug("{} failed again; it is tried again", what, reason);
    } else {
      LOG.warn("{} failed; it is tried again", what, reason);
      warnedNanos = now;
    }
    failing = true;
  }

  /** For rounds that last: says that this one works, before it ends. */
  public void worked() {
    if (failing) {
      LOG.info("{} works again", what);
      failing = false;
    }
  }

  /** For rounds that last: pauses within one, until {@link #close} at most. */
  public void rest() throws InterruptedException {
    if (rest(pause)) {
      LOG.debug("{} ends", what);
    }
  }

  private boolean rest(Duration time) throws InterruptedException {
    return closed.await(time.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** True from {@link #close} on: rounds that last shall end. */
  public boolean isClosed() {
    return closed.getCount() == 0;
  }

  /**
   * Ends the thread after the round that runs; waits five seconds at most. It is not interrupted:
   * that could close the file of an embedded database. May be called twice.
   */
  @Override
  public void close() {
    closed.countDown();
    Thread running = started();
    if (running != null) {
      try {
        running.join(CLOSE_MAX.toMillis());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private synchronized @Nullable Thread started() {
    return thread;
  }
}
