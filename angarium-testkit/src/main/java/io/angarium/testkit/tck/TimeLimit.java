package io.angarium.testkit.tck;

import io.angarium.internal.DurationText;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Runs what might hang or throw, so that a test fails by name instead.
 *
 * @param max the longest it may take
 */
record TimeLimit(Duration max) {
  /** Runs work on a thread of its own; it is interrupted if it takes too long. */
  void run(String what, Runnable work) {
    FutureTask<Boolean> task = new FutureTask<>(work, true);
    Thread thread = new Thread(task, "tck-" + what);
    thread.setDaemon(true);
    thread.start();
    try {
      task.get(max.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      task.cancel(true);
      throw new AssertionError(what + " has not returned within " + DurationText.of(max), e);
    } catch (ExecutionException e) {
      throw new AssertionError(what + " threw " + e.getCause(), e.getCause());
    } catch (InterruptedException e) {
      task.cancel(true);
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted in " + what, e);
    }
  }
}
