package io.angarium.server.dtm;

import io.angarium.half.HalfCall;
import io.angarium.half.HalfMessage;
import io.angarium.half.HalfMessages;
import io.angarium.half.WhenUnknown;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Stores the steps of dtm that come next, each prepared and committed at once. Thread-safe. */
public final class DtmStores implements AutoCloseable {
  private static final int THREADS = 4;
  private static final int QUEUE_MAX = 1_000;

  private final HalfMessages half;
  private final Duration partMax;
  private final AtomicInteger number = new AtomicInteger();
  private final AtomicLong given = new AtomicLong();
  private final Map<Long, CompletableFuture<Void>> underWay = new ConcurrentHashMap<>();
  private final ThreadPoolExecutor threads;

  /**
   * @param partMax how long one waits for its turn, and how long it may take from then on
   */
  public DtmStores(HalfMessages half, Duration partMax) {
    this(half, partMax, QUEUE_MAX);
  }

  /**
   * Creates it with a limit for the messages that wait.
   *
   * @param partMax how long one waits for its turn, and how long it may take from then on
   * @param queueMax how many wait at most
   */
  public DtmStores(HalfMessages half, Duration partMax, int queueMax) {
    this.half = half;
    this.partMax = partMax;
    this.threads =
        new ThreadPoolExecutor(
            THREADS,
            THREADS,
            partMax.toMillis(),
            TimeUnit.MILLISECONDS,
            new LinkedBlockingQueue<>(queueMax),
            this::thread);
    threads.allowCoreThreadTimeOut(true);
  }

  private Thread thread(Runnable work) {
    Thread thread = new Thread(work, "angarium-dtm-" + number.incrementAndGet());
    thread.setDaemon(true);
    return thread;
  }

  /**
   * Stores one. What has not begun in its time is not begun any more; what does not end in its time
   * may be stored nevertheless.
   *
   * @return ends exceptionally if it is not known to be stored
   * @throws java.util.concurrent.RejectedExecutionException if too many wait already
   */
  CompletableFuture<Void> store(HalfMessage next) {
    CompletableFuture<Void> turn = new CompletableFuture<>();
    CompletableFuture<Void> stored = new CompletableFuture<>();
    threads.execute(
        () -> {
          if (turn.complete(null)) {
            store(next, stored);
          }
        });
    CompletableFuture<Void> ended = within(turn).thenCompose(begun -> within(stored));
    long each = given.incrementAndGet();
    underWay.put(each, ended);
    return ended.whenComplete((done, failure) -> underWay.remove(each));
  }

  private CompletableFuture<Void> within(CompletableFuture<Void> part) {
    return part.orTimeout(partMax.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void store(HalfMessage next, CompletableFuture<Void> stored) {
    try {
      half.callAll(
              List.of(
                  new HalfCall.Prepare(next), new HalfCall.Commit(next.key(), WhenUnknown.REFUSE)))
          .forEach(answer -> answer.accepted());
      stored.complete(null);
    } catch (Throwable e) { // the caller that waits must get it
      stored.completeExceptionally(e);
    }
  }

  /** The longest that one takes. */
  Duration max() {
    return partMax.multipliedBy(2);
  }

  /** Waits for those under way. */
  void flush(Duration timeout) {
    try {
      CompletableFuture.allOf(underWay.values().toArray(CompletableFuture[]::new))
          .get(timeout.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      // the future of each message reports it to its caller
    }
  }

  /** Takes no more, and waits for those under way as long as they may take. */
  @Override
  public void close() {
    threads.shutdown();
    try {
      boolean unused = threads.awaitTermination(max().toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
