package io.angarium.micrometer;

import io.angarium.TimeSource;
import io.angarium.confirmation.Confirmations;
import io.micrometer.core.instrument.MeterRegistry;

/**
 * Shows how many sent messages wait for the receipt of their consumer. Looks at it as {@link
 * BacklogMetrics} does: on a thread of its own, never while a scrape waits; NaN where nothing is
 * known. Every node of a database shows the same number: take the maximum over nodes, not the sum.
 * {@link RelayMetrics} counts those that were sent again, if the confirmations tell it.
 * Thread-safe.
 */
public final class ConfirmationMetrics implements AutoCloseable {
  private final Registration meters;
  private final Samples<Long> samples;

  /**
   * Creates the gauge; looks at nothing before {@link #start}.
   *
   * @param confirmations asked at every interval
   */
  public ConfirmationMetrics(
      MeterRegistry registry, MetricsConfig config, Confirmations confirmations, TimeSource time) {
    this.meters = new Registration(registry, config);
    this.samples =
        new Samples<>(
            "angarium-unconfirmed",
            "unconfirmed messages",
            confirmations::unconfirmed,
            config.backlogInterval(),
            time,
            meters.counter(OutboxMeter.STORE_FAILURES, "unconfirmed"));
    meters.gauge(OutboxMeter.UNCONFIRMED, this, ConfirmationMetrics::unconfirmed);
  }

  private double unconfirmed() {
    return samples.value(Long::doubleValue);
  }

  /** Starts to look, at once and then at every interval. Does not block. */
  public void start() {
    samples.start();
  }

  /** Looks now. Blocks for one call to the database; a failure is counted. */
  public void sample() {
    samples.sample();
  }

  /** Stops looking, waits for the thread, and removes the gauge. May be called twice. */
  @Override
  public void close() {
    samples.close();
    meters.close();
  }
}
