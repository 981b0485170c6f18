package io.angarium.micrometer;

import io.angarium.TimeSource;
import io.angarium.half.decide.HalfBacklog;
import io.angarium.half.decide.HalfMessageDesk;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.ToDoubleFunction;

/**
 * Shows how many half messages are open for too long in the database. Looks at it as {@link
 * BacklogMetrics} does: on a thread of its own, never while a scrape waits; NaN where nothing is
 * known. Every node of a database shows the same numbers: take the maximum over nodes, not the sum.
 * Thread-safe.
 */
public final class HalfBacklogMetrics implements AutoCloseable {
  private final Registration meters;
  private final Samples<HalfBacklog> samples;

  /**
   * Creates the gauges; looks at nothing before {@link #start}.
   *
   * @param desk asked at every interval
   */
  public HalfBacklogMetrics(
      MeterRegistry registry, MetricsConfig config, HalfMessageDesk desk, TimeSource time) {
    this.meters = new Registration(registry, config);
    this.samples =
        new Samples<>(
            "angarium-half-backlog",
            "backlog of half messages",
            desk::backlog,
            config.backlogInterval(),
            time,
            meters.counter(OutboxMeter.STORE_FAILURES, "half-backlog"));
    meters.gauge(OutboxMeter.HALF_BACKLOG_UNDECIDED, this, m -> m.value(HalfBacklog::asked));
    meters.gauge(OutboxMeter.HALF_BACKLOG_OVERDUE, this, m -> m.value(HalfBacklog::overdue));
    meters.gauge(OutboxMeter.HALF_BACKLOG_UNRESOLVED, this, m -> m.value(HalfBacklog::unresolved));
  }

  private double value(ToDoubleFunction<HalfBacklog> part) {
    return samples.value(part);
  }

  /** Starts to look, at once and then at every interval. Does not block. */
  public void start() {
    samples.start();
  }

  /** Looks now. Blocks for one call to the database; a failure is counted. */
  public void sample() {
    samples.sample();
  }

  /** Stops looking, waits for the thread, and removes the gauges. May be called twice. */
  @Override
  public void close() {
    samples.close();
    meters.close();
  }
}
