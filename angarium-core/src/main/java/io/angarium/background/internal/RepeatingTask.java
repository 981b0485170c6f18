package io.angarium.background.internal;

import io.angarium.TimeSource;
import io.angarium.background.BackgroundWork;
import io.angarium.internal.DurationText;
import io.angarium.store.WriteRefusedException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does the same again and again, with pauses, on a thread of its own. Whatever a round throws, the
 * next one comes, at first within a minute; the first failure is logged with its stack trace, those
 * that follow at DEBUG but for one an hour, and that it works again. For Angarium's modules.
 * Thread-safe.
 */
public final class RepeatingTask implements BackgroundWork, AutoCloseable {
  private static final Duration CLOSE_MAX = Duration.ofSeconds(5);

  /** A round that makes no progress for so long is a fault. */
  private static final Duration STALLED = Duration.ofMinutes(1);

  /** After the first failure; twice as long after each further one, eight times at most. */
  private static final Duration RETRY = Duration.ofMinutes(1);

  private static final int DOUBLINGS_MAX = 3;
  private static final Duration REMINDER = Duration.ofHours(1);
  private static final Logger LOG = LoggerFactory.getLogger(RepeatingTask.class);

  private final String name;
  private final String what;
  private final Duration pause;
  private final Duration retry;
  private final Duration reminder;
  private final Duration stalled;
  private final Round round;
  private final CountDownLatch closed = new CountDownLatch(1);
  private @Nullable Thread thread;
  private final AtomicInteger failures = new AtomicInteger(); // in a row
  private volatile boolean unfinished;
  private volatile boolean inRound;
  private volatile long progressNanos;
  private volatile String lastFailure = "";
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
  public RepeatingTask(String name, String what, Duration pause, Round round) {
    this(name, what, pause, RETRY, REMINDER, STALLED, round);
  }

  /**
   * Creates them with other times; nothing runs before {@link #start}.
   *
   * @param retry at most so long until the round after a first failure
   * @param reminder how long an outage lasts until it is logged once more
   * @param stalled how long a round may make no progress
   */
  RepeatingTask(
      String name,
      String what,
      Duration pause,
      Duration retry,
      Duration reminder,
      Duration stalled,
      Round round) {
    this.retry = retry;
    this.stalled = stalled;
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
        over = rest(next());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Duration next() {
    int failed = failures.get();
    if (failed == 0 && !unfinished) {
      return pause;
    }
    unfinished = false;
    Duration sooner = retry.multipliedBy(1L << Math.min(Math.max(failed - 1, 0), DOUBLINGS_MAX));
    return sooner.compareTo(pause) < 0 ? sooner : pause;
  }

  private void runOnce() throws InterruptedException {
    progressed();
    inRound = true;
    try {
      round.run();
      worked();
    } catch (InterruptedException e) {
      throw e;
    } catch (Throwable e) { // the outermost loop: a thread must not die silently
      failed(e);
    } finally {
      inRound = false;
    }
  }

  private void failed(Throwable reason) {
    long now = TimeSource.SYSTEM.nanoTime();
    lastFailure = reason.toString();
    if (failures.get() > 0 && now - warnedNanos < reminder.toNanos()) {
      LOG.debug("{} failed again; it is tried again", what, reason);
    } else if (reason instanceof WriteRefusedException) {
      LOG.error(
          "{} is refused by the database and tried again. Mend what the error names, a privilege, a"
              + " constraint, a trigger or an encoding",
          what,
          reason);
      warnedNanos = now;
    } else {
      LOG.warn("{} failed; it is tried again", what, reason);
      warnedNanos = now;
    }
    failures.incrementAndGet();
  }

  /**
   * Why the work is not done, for a health check: the last two rounds failed, or one has made no
   * progress for a minute. Does not block.
   *
   * @return empty if it is done, or was not started
   */
  @Override
  public Optional<String> fault() {
    boolean runs = inRound; // read first: a round notes progress before it begins
    Duration still = Duration.ofNanos(TimeSource.SYSTEM.nanoTime() - progressNanos);
    if (runs && still.compareTo(stalled) >= 0) {
      return Optional.of(
          "%s has made no progress for %s"
              .formatted(what, DurationText.of(still.truncatedTo(ChronoUnit.SECONDS))));
    }
    return failures.get() > 1 ? Optional.of(what + " fails: " + lastFailure) : Optional.empty();
  }

  /** For rounds that last: notes that this one makes progress, for {@link #fault}. */
  public void progressed() {
    progressNanos = TimeSource.SYSTEM.nanoTime();
  }

  /** For rounds that last: says that this one works, before it ends. */
  public void worked() {
    progressed();
    if (failures.getAndSet(0) > 0) {
      LOG.info("{} works again", what);
    }
  }

  /** For the round that runs: something is left, so that the next one comes within a minute. */
  public void leftSomething() {
    unfinished = true;
  }

  /** For rounds that last: pauses within one, until {@link #close} at most. */
  public void rest() throws InterruptedException {
    if (rest(pause)) {
      LOG.debug("{} ends", what);
    }
  }

  /**
   * Pauses within a round that lasts, until {@link #close} at most.
   *
   * @return true if it is closed
   */
  public boolean rest(Duration time) throws InterruptedException {
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
