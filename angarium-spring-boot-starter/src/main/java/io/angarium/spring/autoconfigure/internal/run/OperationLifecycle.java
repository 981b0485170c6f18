package io.angarium.spring.autoconfigure.internal.run;

import io.angarium.ConfigurationException;
import io.angarium.background.BackgroundWork;
import io.angarium.operation.OperationRunner;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Carries out operations of persons while the application runs, if its database has tables for
 * them. A context that starts again gets a new runner. Thread-safe.
 */
public final class OperationLifecycle implements SmartLifecycle, BackgroundWork {
  private static final Logger LOG = LoggerFactory.getLogger(OperationLifecycle.class);

  private final Supplier<Optional<OperationRunner>> runners;
  private volatile @Nullable OperationRunner running;
  private volatile boolean started;

  /**
   * Creates a lifecycle; starts nothing.
   *
   * @param runners makes one, at each start; empty if there is nothing to carry out
   */
  public OperationLifecycle(Supplier<Optional<OperationRunner>> runners) {
    this.runners = runners;
  }

  @Override
  public synchronized void start() {
    if (!started) {
      Optional<OperationRunner> runner = runner();
      runner.ifPresent(OperationRunner::start);
      running = runner.orElse(null);
      started = true;
    }
  }

  /** An account that has only the rights of a relay leaves operations to others. */
  private Optional<OperationRunner> runner() {
    try {
      return runners.get();
    } catch (ConfigurationException e) {
      LOG.warn(
          "This node carries out no operations of the console: {}", String.join("; ", e.faults()));
      return Optional.empty();
    }
  }

  @Override
  public synchronized void stop() {
    OperationRunner runner = running;
    if (runner != null) {
      runner.close();
      running = null;
    }
    started = false;
  }

  @Override
  public boolean isRunning() {
    return started;
  }

  @Override
  public Optional<String> fault() {
    OperationRunner runner = running;
    return runner == null ? Optional.empty() : runner.fault();
  }
}
