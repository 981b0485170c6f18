package io.angarium.jdbc;

import io.angarium.store.StoreException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps an inbox small: a thread that asks every five minutes whether it is time for {@link
 * JdbcInbox#rotate}. Every node may have one. Thread-safe.
 */
public final class InboxRotation implements AutoCloseable {
  /** How often it asks. */
  public static final Duration INTERVAL = Duration.ofMinutes(5);

  private static final Duration CLOSE_MAX = Duration.ofSeconds(5);
  private static final Logger LOG = LoggerFactory.getLogger(InboxRotation.class);

  private final JdbcInbox inbox;
  private final Duration interval;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread thread = new Thread(this::run, "angarium-inbox-rotation");

  private InboxRotation(JdbcInbox inbox, Duration interval) {
    this.inbox = inbox;
    this.interval = interval;
  }

  /** Starts the thread, a daemon. */
  public static InboxRotation start(JdbcInbox inbox) {
    return start(inbox, INTERVAL);
  }

  static InboxRotation start(JdbcInbox inbox, Duration interval) {
    InboxRotation rotation = new InboxRotation(inbox, interval);
    rotation.thread.setDaemon(true);
    rotation.thread.start();
    return rotation;
  }

  private void run() {
    try {
      while (!closed.await(interval.toNanos(), TimeUnit.NANOSECONDS)) {
        rotate();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void rotate() {
    try {
      if (inbox.rotate()) {
        LOG.info("The inbox has forgotten what it no longer needs to know");
      }
    } catch (StoreException e) {
      LOG.warn("The inbox cannot be rotated now; it is tried again: {}", e.getMessage());
    } catch (RuntimeException e) {
      LOG.error("The rotation of the inbox failed; it is run again", e);
    }
  }

  /** Ends the thread; waits five seconds at most. May be called twice. */
  @Override
  public void close() {
    closed.countDown();
    try {
      thread.join(CLOSE_MAX.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
