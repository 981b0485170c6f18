package io.angarium.micrometer;

import io.angarium.background.BackgroundWork;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Tells whether the work of the background is done, see {@link OutboxMeter#BACKGROUND_HEALTHY}.
 * Does not block. Thread-safe.
 */
public final class BackgroundMetrics implements AutoCloseable {
  private final Registration meters;
  private final Supplier<Stream<BackgroundWork>> work;

  /**
   * Creates the metrics and registers them.
   *
   * @param registry where the meter is registered; two of these that share one need different
   *     {@link MetricsConfig#tags}
   * @param work all that there is, asked anew each time
   */
  public BackgroundMetrics(
      MeterRegistry registry, MetricsConfig config, Supplier<Stream<BackgroundWork>> work) {
    this.work = work;
    this.meters = new Registration(registry, config);
    meters.gauge(OutboxMeter.BACKGROUND_HEALTHY, this, BackgroundMetrics::healthy);
  }

  private double healthy() {
    return work.get().allMatch(each -> each.fault().isEmpty()) ? 1 : 0;
  }

  /** Removes the meter from the registry. May be called twice. */
  @Override
  public void close() {
    meters.close();
  }
}
