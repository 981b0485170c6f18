package io.angarium.half.check;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads of check-backs in this process: daemons, as many as questions are under way, ended
 * when idle. One whose check-back hangs is left to it: to interrupt it could close the file of an
 * embedded database. Thread-safe.
 */
final class LocalThreads implements Executor, AutoCloseable {
  private static final int IDLE_SECONDS_MAX = 30;

  private final AtomicInteger made = new AtomicInteger();
  private final ThreadPoolExecutor threads;

  /**
   * Starts none yet.
   *
   * @param questionsMax of one business at a time; persons may ask besides
   */
  LocalThreads(int businesses, int questionsMax) {
    int threadsMax = businesses * questionsMax + SingleQuestions.UNDER_WAY_MAX;
    this.threads =
        new ThreadPoolExecutor(
            threadsMax,
            threadsMax,
            IDLE_SECONDS_MAX,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            this::thread);
    threads.allowCoreThreadTimeOut(true);
  }

  private Thread thread(Runnable work) {
    Thread thread = new Thread(work, "angarium-check-back-" + made.incrementAndGet());
    thread.setDaemon(true);
    return thread;
  }

  @Override
  public void execute(Runnable work) {
    threads.execute(work);
  }

  /** Takes no more work; what runs goes on. */
  @Override
  public void close() {
    threads.shutdown();
  }
}
