package io.angarium.confirmation;

import io.angarium.MessageId;
import io.angarium.inbox.InboxKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The consumer's side: gathers the ids of messages that were processed, and sends them in batches
 * from a thread of its own. Keeps the ids in memory only: receipts are lost in a crash, or if too
 * many wait. Their messages come again, are found processed, and are reported again. Thread-safe.
 */
public final class Receipts implements AutoCloseable {
  /** The most that wait; more are dropped. */
  public static final int WAITING_MAX = 100_000;

  /** What {@link MessageId}s are. */
  private static final int VERSION_OF_IDS = 7;

  /** The most that are sent at once. */
  static final int BATCH_MAX = 1_000;

  private static final Duration GATHERING = Duration.ofMillis(50);
  private static final Duration RETRY_PAUSE = Duration.ofSeconds(1);
  private static final Duration CLOSE_MAX = Duration.ofSeconds(10);
  private static final Logger LOG = LoggerFactory.getLogger(Receipts.class);

  private final ReceiptSender sender;
  private final BlockingQueue<MessageId> waiting = new LinkedBlockingQueue<>(WAITING_MAX);
  private final AtomicLong dropped = new AtomicLong();
  private final AtomicBoolean dropping = new AtomicBoolean();
  private final CountDownLatch closed = new CountDownLatch(1);
  private boolean failing; // known to the thread only, as is how many are sent at once
  private int atOnce = BATCH_MAX;
  private final Thread thread = new Thread(this::run, "angarium-receipts");

  private Receipts(ReceiptSender sender) {
    this.sender = sender;
  }

  /** Starts the thread, a daemon. */
  public static Receipts start(ReceiptSender sender) {
    Receipts receipts = new Receipts(sender);
    receipts.thread.setDaemon(true);
    receipts.thread.start();
    return receipts;
  }

  /**
   * Notes that a message was processed; call it after the commit, for repeats as well. Does not
   * block.
   */
  public void processed(MessageId id) {
    if (!waiting.offer(id)) {
      dropped.incrementAndGet();
      if (dropping.compareAndSet(false, true)) {
        LOG.warn(
            "Receipts are dropped, as {} wait to be sent; their messages come again", WAITING_MAX);
      }
    }
  }

  /**
   * Notes what an inbox has processed. Keys that were made from texts have no message id and are
   * left out; {@code @IdempotentConsumer} tells of their messages itself.
   */
  public void processed(Collection<InboxKey> keys) {
    for (InboxKey key : keys) {
      if (key.id().version() == VERSION_OF_IDS) {
        processed(new MessageId(key.id()));
      }
    }
  }

  private void run() {
    List<MessageId> batch = new ArrayList<>();
    try {
      while (!closed.await(GATHERING.toNanos(), TimeUnit.NANOSECONDS)) {
        while (!waiting.isEmpty() && closed.getCount() > 0) {
          sendBatch(batch);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    sendRest(batch);
  }

  /** What could not be sent stays in the batch. */
  private void sendBatch(List<MessageId> batch) throws InterruptedException {
    waiting.drainTo(batch, BATCH_MAX - batch.size());
    while (!batch.isEmpty()) {
      if (!sentFirst(batch) && closed.await(RETRY_PAUSE.toNanos(), TimeUnit.NANOSECONDS)) {
        return;
      }
    }
  }

  private void sendRest(List<MessageId> batch) {
    waiting.drainTo(batch, BATCH_MAX - batch.size());
    while (!batch.isEmpty() && sentFirst(batch)) {
      waiting.drainTo(batch, BATCH_MAX - batch.size());
    }
    int lost = batch.size() + waiting.size();
    if (lost > 0) {
      LOG.warn("{} receipts are lost at the end; their messages come again", lost);
    }
  }

  /**
   * Sends the first of a batch, and takes them out of it. Half as many at once after a failure, as
   * the broker may refuse a message for its size, and one more after each success: additive
   * increase, multiplicative decrease (Chiu and Jain, 1989).
   */
  private boolean sentFirst(List<MessageId> batch) {
    List<MessageId> first = batch.subList(0, Math.min(atOnce, batch.size()));
    boolean sent = sent(List.copyOf(first));
    if (sent) {
      first.clear();
      atOnce = Math.min(BATCH_MAX, atOnce + 1);
    } else {
      atOnce = Math.max(1, first.size() / 2);
    }
    return sent;
  }

  private boolean sent(List<MessageId> receipts) {
    try {
      sender.send(receipts);
      worked();
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } catch (Throwable e) { // the outermost loop: a thread must not die silently
      failed(receipts.size(), e);
      return false;
    }
  }

  private void worked() {
    if (failing) {
      failing = false;
      LOG.info("Receipts can be sent again");
    }
    if (dropping.compareAndSet(true, false)) {
      LOG.info("Receipts are no longer dropped; {} were so far", dropped());
    }
  }

  private void failed(int count, Throwable reason) {
    if (failing) {
      LOG.debug("{} receipts cannot be sent yet", count, reason);
    } else {
      failing = true;
      LOG.warn("{} receipts cannot be sent now; it is tried again: {}", count, reason.toString());
    }
  }

  /** How many were dropped, as too many waited. */
  long dropped() {
    return dropped.get();
  }

  /** Sends what waits, and ends the thread; waits ten seconds at most. May be called twice. */
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
