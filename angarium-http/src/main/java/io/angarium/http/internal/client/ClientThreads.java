package io.angarium.http.internal.client;

import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The threads of a transport; all of them daemons. */
public final class ClientThreads {
  private static final Duration KEPT_IDLE = Duration.ofSeconds(10);
  private static final String NAME = "angarium-http-";

  private ClientThreads() {}

  /**
   * Returns threads for work that is short unless the name service is slow. They are so few that
   * they hardly count, and one more starts while others are blocked. After the shutdown the
   * submitting thread runs its own tasks, because the client must see them done to free its
   * connections.
   *
   * @param max maximum number of threads; when all are busy, the submitting thread runs its own
   *     task
   */
  public static ExecutorService work(int max) {
    AtomicInteger last = new AtomicInteger();
    return new ThreadPoolExecutor(
        0,
        max,
        KEPT_IDLE.toMillis(),
        TimeUnit.MILLISECONDS,
        new SynchronousQueue<>(),
        daemons(() -> NAME + last.incrementAndGet()),
        (task, executor) -> task.run());
  }

  /** One thread for what is due later. */
  static ScheduledExecutorService timer() {
    ScheduledThreadPoolExecutor timer =
        new ScheduledThreadPoolExecutor(1, daemons(() -> NAME + "timer"));
    timer.setRemoveOnCancelPolicy(true);
    return timer;
  }

  private interface Names {
    String next();
  }

  private static ThreadFactory daemons(Names names) {
    return work -> {
      Thread thread = new Thread(work, names.next());
      thread.setDaemon(true);
      return thread;
    };
  }
}
