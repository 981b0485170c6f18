package io.angarium.spring.autoconfigure.internal.run;

import io.angarium.alert.AlertEngine;
import io.angarium.background.BackgroundWork;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;

/**
 * Looks for trouble while the application runs. A context that starts again gets a new engine.
 * Thread-safe.
 */
public final class AlertLifecycle implements SmartLifecycle, BackgroundWork {
  private final Supplier<AlertEngine> engines;
  private volatile @Nullable AlertEngine running;

  /**
   * Creates a lifecycle; starts nothing.
   *
   * @param engines makes one, at each start
   */
  public AlertLifecycle(Supplier<AlertEngine> engines) {
    this.engines = engines;
  }

  @Override
  public synchronized void start() {
    if (running == null) {
      AlertEngine engine = engines.get();
      engine.start();
      running = engine;
    }
  }

  @Override
  public synchronized void stop() {
    AlertEngine engine = running;
    if (engine != null) {
      engine.close();
      running = null;
    }
  }

  @Override
  public boolean isRunning() {
    return running != null;
  }

  /** The engine that runs. */
  public Optional<AlertEngine> engine() {
    return Optional.ofNullable(running);
  }

  @Override
  public Optional<String> fault() {
    return engine().flatMap(AlertEngine::fault);
  }
}
