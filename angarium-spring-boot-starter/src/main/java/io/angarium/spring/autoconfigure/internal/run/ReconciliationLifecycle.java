package io.angarium.spring.autoconfigure.internal.run;

import io.angarium.background.BackgroundWork;
import io.angarium.reconciliation.ReconciliationTask;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.springframework.context.SmartLifecycle;

/**
 * Compares while the application runs: from the end of its start to the beginning of its stop. A
 * context that starts again gets new tasks. Thread-safe.
 */
public final class ReconciliationLifecycle implements SmartLifecycle, BackgroundWork {
  private final Supplier<List<ReconciliationTask>> tasks;
  private volatile List<ReconciliationTask> running = List.of();

  /**
   * Creates a lifecycle; starts nothing.
   *
   * @param tasks starts them, at each start
   */
  public ReconciliationLifecycle(Supplier<List<ReconciliationTask>> tasks) {
    this.tasks = tasks;
  }

  @Override
  public synchronized void start() {
    if (!isRunning()) {
      running = tasks.get();
    }
  }

  /** Waits for comparisons that run, five seconds at most however many there are. */
  @Override
  public synchronized void stop() {
    CompletableFuture.allOf(
            running.stream()
                .map(task -> CompletableFuture.runAsync(task::close, ReconciliationLifecycle::run))
                .toArray(CompletableFuture<?>[]::new))
        .join();
    running = List.of();
  }

  /** All at a time. */
  private static void run(Runnable closing) {
    new Thread(closing, "close-angarium-reconciliation").start();
  }

  @Override
  public synchronized boolean isRunning() {
    return !running.isEmpty();
  }

  @Override
  public Optional<String> fault() {
    return running.stream().map(ReconciliationTask::fault).flatMap(Optional::stream).findFirst();
  }
}
