package io.angarium.grpc;

import io.angarium.ConfigFaults;
import io.grpc.Context;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

/**
 * Runs what blocks away from the threads of the network, up to so many at a time: what waits for a
 * thread counts, so that no queue grows. Thread-safe.
 */
final class BoundedExecution {
  /** Maximum requests at a time of a service that is created without a number of its own. */
  static final int REQUESTS_DEFAULT = 64;

  private final Executor executor;
  private final Semaphore free;

  BoundedExecution(Executor executor, int requestsMax) {
    new ConfigFaults().range("grpc.requests", requestsMax, 1, 10_000).throwIfAny();
    this.executor = executor;
    this.free = new Semaphore(requestsMax);
  }

  /**
   * Runs a task soon, in the context of the call that is served now.
   *
   * @param task gives what answers the call: it is run when the place is free again, for who has
   *     the answer may call at once
   * @return false if it will not run, since too many are under way or the executor refuses
   */
  boolean tryRun(Supplier<Runnable> task) {
    if (!free.tryAcquire()) {
      return false;
    }
    try {
      executor.execute(Context.current().wrap(() -> runAndRelease(task)));
      return true;
    } catch (RejectedExecutionException e) {
      free.release();
      return false;
    }
  }

  private void runAndRelease(Supplier<Runnable> task) {
    Runnable answer;
    try {
      answer = task.get();
    } finally {
      free.release();
    }
    answer.run();
  }
}
