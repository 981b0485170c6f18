package io.angarium.micrometer;

import io.angarium.TimeSource;
import io.angarium.store.Backlog;
import io.angarium.store.OutboxStore;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.ToDoubleFunction;

/**
 * Shows how much waits in the database. Looks at it on a thread of its own at an interval, so that
 * a scrape never waits for the database; between looks the gauges keep their value. While the
 * database cannot be asked, and once a look is older than {@link #INTERVALS_MAX} intervals, they
 * show NaN rather than an old number.
 *
 * <p>Every node of a database shows the same numbers: take the maximum over nodes, not the sum.
 * Thread-safe.
 */
public final class BacklogMetrics implements AutoCloseable {
  /** After so many intervals without a successful look the gauges show NaN. */
  public static final int INTERVALS_MAX = 3;

  private final Registration meters;
  private final Samples<Backlog> samples;

  /**
   * Creates the gauges; looks at nothing before {@link #start}.
   *
   * @param store asked at every interval; stays open
   */
  public BacklogMetrics(
      MeterRegistry registry, MetricsConfig config, OutboxStore store, TimeSource time) {
    this.meters = new Registration(registry, config);
    this.samples =
        new Samples<>(
            "angarium-backlog",
            "backlog",
            store::backlog,
            config.backlogInterval(),
            time,
            meters.counter(OutboxMeter.STORE_FAILURES, "backlog"));
    meters.gauge(OutboxMeter.BACKLOG_DEPTH, this, m -> m.value(Backlog::depth));
    meters.gauge(OutboxMeter.BACKLOG_PARKED, this, m -> m.value(Backlog::parked));
    meters.gauge(OutboxMeter.BACKLOG_DELAYED, this, m -> m.value(Backlog::delayed));
    meters.gauge(OutboxMeter.BACKLOG_RETRYING, this, m -> m.value(Backlog::retrying));
    meters.gauge(OutboxMeter.BACKLOG_DEAD, this, m -> m.value(Backlog::dead));
    meters.gauge(OutboxMeter.BACKLOG_OVERDUE, this, m -> m.value(Backlog::overdue));
    meters.secondsGauge(OutboxMeter.BACKLOG_OLDEST_AGE, this, m -> m.value(b -> oldest(b)));
  }

  private static double oldest(Backlog backlog) {
    return backlog.oldestAge().toMillis() / 1_000.0;
  }

  private double value(ToDoubleFunction<Backlog> part) {
    return samples.value(part);
  }

  /** Starts to look at the backlog, at once and then at every interval. Does not block. */
  public void start() {
    samples.start();
  }

  /** Looks at the backlog now. Blocks for one call to the database; a failure is counted. */
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
