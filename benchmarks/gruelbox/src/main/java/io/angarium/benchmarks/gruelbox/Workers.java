package io.angarium.benchmarks.gruelbox;

import com.gruelbox.transactionoutbox.Submitter;
import com.gruelbox.transactionoutbox.TransactionOutboxEntry;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The threads that send. What is submitted while they do not run is dropped, as if the process had
 * ended right after the commit.
 */
final class Workers implements Submitter {
  private final int threads;
  private final int queue;
  private volatile @Nullable Submitter submitter;
  private @Nullable ThreadPoolExecutor executor;

  Workers(int threads, int queue) {
    this.threads = threads;
    this.queue = queue;
  }

  @Override
  public void submit(TransactionOutboxEntry entry, Consumer<TransactionOutboxEntry> localExecutor) {
    Submitter running = submitter;
    if (running != null) {
      running.submit(entry, localExecutor);
    }
  }

  void start() {
    executor =
        new ThreadPoolExecutor(
            threads, threads, 0, TimeUnit.SECONDS, new ArrayBlockingQueue<>(queue));
    submitter = Submitter.withExecutor(executor);
  }

  /** Returns when what is being sent is settled; drops what waits in the queue. */
  void stop() throws InterruptedException {
    submitter = null;
    if (executor != null) {
      executor.getQueue().clear();
      executor.shutdown();
      if (!executor.awaitTermination(30, TimeUnit.SECONDS)) {
        throw new IllegalStateException("not everything was sent within 30 s");
      }
    }
  }
}
