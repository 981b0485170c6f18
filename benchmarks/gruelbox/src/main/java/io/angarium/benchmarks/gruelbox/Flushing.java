package io.angarium.benchmarks.gruelbox;

import com.gruelbox.transactionoutbox.TransactionOutbox;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** The thread that takes up what is due: flushes until nothing is left, pauses, and so on. */
final class Flushing {
  private final TransactionOutbox outbox;
  private final Duration pause;
  private final CountDownLatch stop = new CountDownLatch(1);
  private final Thread thread = new Thread(this::run, "gruelbox-flush");

  Flushing(TransactionOutbox outbox, Duration pause) {
    this.outbox = outbox;
    this.pause = pause;
  }

  void start() {
    thread.start();
  }

  void stop() throws InterruptedException {
    stop.countDown();
    thread.join();
  }

  private void run() {
    try {
      do {
        flushAll();
      } while (!stop.await(pause.toMillis(), TimeUnit.MILLISECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void flushAll() {
    boolean more = true;
    while (more && stop.getCount() > 0) {
      more = outbox.flush();
    }
  }
}
