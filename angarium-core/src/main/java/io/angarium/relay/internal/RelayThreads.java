package io.angarium.relay.internal;

import io.angarium.StoreException;
import io.angarium.TimeSource;
import io.angarium.relay.internal.settings.RelayContext;
import io.angarium.relay.internal.write.DeleteQueue;
import io.angarium.store.lease.NodeIdInUseException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads of a relay: heartbeat, sender, deletes and reads ahead. Each runs until {@link
 * #stop}, which joins them. Thread-safe.
 */
public final class RelayThreads {
  private static final Logger LOG = LoggerFactory.getLogger(RelayThreads.class);
  private static final Duration FAILURE_PAUSE = Duration.ofMillis(500);
  private static final Duration REMINDER = Duration.ofMinutes(1);
  private static final Duration REST_MAX = Duration.ofSeconds(1);

  private final String node;
  private final List<Thread> threads = new ArrayList<>();
  private final BlockingQueue<Runnable> reads = new ArrayBlockingQueue<>(8);
  private final CountDownLatch senderStopped = new CountDownLatch(1);
  private final CountDownLatch stopped = new CountDownLatch(1);
  private volatile @Nullable Thread sender;
  private volatile @Nullable Thread deletes;
  private volatile boolean senderRests;
  private volatile boolean deletesRest;
  private volatile boolean signalled;
  private volatile boolean deletesSignalled;
  private volatile long lastRoundsUntilNanos;
  private boolean deletesFail;
  private long toldNanos;

  public RelayThreads(String node) {
    this.node = node;
  }

  /**
   * Starts the threads.
   *
   * @param beat sends a heartbeat if one is due and tells the nanoseconds until the next
   * @return false if they were started before
   */
  public synchronized boolean start(
      LongSupplier beat, SendLoop sendLoop, DeleteQueue deletes, RelayContext context) {
    if (!threads.isEmpty()) {
      return false;
    }
    add("leases", () -> loop(stopped, () -> beat(beat, context)));
    this.sender = add("send", () -> send(sendLoop));
    this.deletes = add("deletes", () -> loop(stopped, () -> delete(deletes, context)));
    add("reads", () -> loop(stopped, this::read));
    threads.forEach(Thread::start);
    return true;
  }

  /** Runs a read on a thread of its own, or at once if there is none or it lags. */
  public void readAhead(Runnable read) {
    if (!running() || !reads.offer(read)) {
      read.run();
    }
  }

  private void read() {
    try {
      Runnable next = reads.poll(REST_MAX.toMillis(), TimeUnit.MILLISECONDS);
      if (next != null) {
        next.run();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Thread add(String duty, Runnable body) {
    Thread thread = new Thread(body, "angarium-" + duty + "-" + node);
    thread.setDaemon(true);
    threads.add(thread);
    return thread;
  }

  private void loop(CountDownLatch end, Runnable step) {
    while (end.getCount() > 0) {
      try {
        step.run();
      } catch (Throwable e) { // the outermost loop: a thread must not die silently
        LOG.error("Thread {} failed; it goes on.", Thread.currentThread().getName(), e);
        await(FAILURE_PAUSE);
      }
    }
  }

  private void beat(LongSupplier beat, RelayContext context) {
    try {
      long pauseNanos = beat.getAsLong();
      await(Duration.ofNanos(Math.max(0, Math.min(pauseNanos, REST_MAX.toNanos()))));
    } catch (NodeIdInUseException e) {
      LOG.error(
          "{} If it is a restart after a crash, this ends with the old lease.", e.getMessage());
      await(REST_MAX);
    } catch (StoreException e) {
      LOG.warn("Heartbeat of {} failed; trying again. {}", node, e.getMessage());
      context.listener().storeFailed("heartbeat", e);
      await(FAILURE_PAUSE);
    }
  }

  private void send(SendLoop sendLoop) {
    loop(senderStopped, () -> round(sendLoop));
    sendLoop.lastRounds(lastRoundsUntilNanos); // what was committed before the stop goes out, too
  }

  private void round(SendLoop sendLoop) {
    signalled = false;
    if (sendLoop.round()) {
      return;
    }
    long nanos = Math.min(sendLoop.nanosToDue(), REST_MAX.toNanos());
    senderRests = true;
    if (!signalled && nanos > 0 && senderStopped.getCount() > 0) {
      LockSupport.parkNanos(this, nanos);
    }
    senderRests = false;
  }

  private void delete(DeleteQueue deletes, RelayContext context) {
    deletesSignalled = false;
    long nanos = deletes.nanosToDue();
    if (nanos > 0) {
      deletesRest = true;
      if (!deletesSignalled && stopped.getCount() > 0) {
        LockSupport.parkNanos(this, Math.min(nanos, REST_MAX.toNanos()));
      }
      deletesRest = false;
      return;
    }
    try {
      deletes.run();
      deletesFail = false;
    } catch (StoreException e) {
      tell(e, context.time().nanoTime());
      context.listener().storeFailed("delete", e);
      await(FAILURE_PAUSE);
    }
  }

  /** At most once a minute, as it is tried twice a second. By the thread of the deletes alone. */
  private void tell(StoreException failure, long now) {
    if (deletesFail && now - toldNanos < REMINDER.toNanos()) {
      LOG.debug("Sent messages could not be deleted either", failure);
      return;
    }
    LOG.warn("Sent messages could not be deleted yet; trying again. {}", failure.getMessage());
    deletesFail = true;
    toldNanos = now;
  }

  /** Wakes the sender if it rests. */
  public void signalSender() {
    signalled = true;
    if (senderRests) {
      senderRests = false; // results come by the hundred, and the first one wakes it
      LockSupport.unpark(sender);
    }
  }

  /** Wakes the sender and the deletes if they rest. */
  public void signalAll() {
    signalSender();
    deletesSignalled = true;
    if (deletesRest) {
      deletesRest = false;
      LockSupport.unpark(deletes);
    }
  }

  /** The method of ours that the sending thread is in. */
  public String senderIsIn() {
    Thread thread = sender;
    return Stream.of(thread == null ? new StackTraceElement[0] : thread.getStackTrace())
        .filter(frame -> frame.getClassName().startsWith("io.angarium."))
        .map(frame -> frame.getClassName() + "." + frame.getMethodName())
        .findFirst()
        .orElse("no method");
  }

  public boolean running() {
    return started() && senderStopped.getCount() > 0;
  }

  /** False while a caller lends its thread, round by round. */
  public boolean started() {
    return sender != null;
  }

  /** Waits a little for something to come in; false if there is no time left. */
  public boolean await(Duration timeout) {
    long nanos = Math.min(timeout.toNanos(), TimeUnit.MILLISECONDS.toNanos(500));
    if (nanos <= 0) {
      return false;
    }
    try {
      if (stopped.getCount() == 0) {
        Thread.onSpinWait();
        LockSupport.parkNanos(this, Math.min(nanos, TimeUnit.MILLISECONDS.toNanos(2)));
      } else {
        stopped.await(nanos, TimeUnit.NANOSECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
    return true;
  }

  /**
   * Stops the threads and waits for them: the sender first, which needs the others to the end.
   *
   * @param lastRounds how long the sender may go on sending what was committed before
   * @param endNanos when the wait ends
   * @return false if one of them did not end in time, or this thread was interrupted
   */
  public boolean stop(TimeSource time, Duration lastRounds, long endNanos) {
    lastRoundsUntilNanos = time.nanoTime() + lastRounds.toNanos();
    senderStopped.countDown();
    signalSender();
    boolean ended = sender == null || join(sender, time, endNanos);
    stopped.countDown();
    reads.offer(() -> {}); // wakes its thread
    threads.forEach(LockSupport::unpark);
    for (Thread thread : threads) {
      ended &= thread == sender || join(thread, time, endNanos);
    }
    return ended;
  }

  private static boolean join(@Nullable Thread thread, TimeSource time, long endNanos) {
    try {
      if (thread != null) {
        long millis = TimeUnit.NANOSECONDS.toMillis(endNanos - time.nanoTime());
        thread.join(Math.max(1, millis)); // 0 would be for ever
      }
      return thread == null || !thread.isAlive();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
