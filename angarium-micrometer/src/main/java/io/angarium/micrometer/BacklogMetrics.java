package io.angarium.micrometer;

import io.angarium.Rounds;
import io.angarium.TimeSource;
import io.angarium.store.Backlog;
import io.angarium.store.OutboxStore;
import io.angarium.store.StoreException;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

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

  private static final Logger LOG = LoggerFactory.getLogger(BacklogMetrics.class);
  private static final String TASK = "backlog";

  private final OutboxStore store;
  private final Duration interval;
  private final TimeSource time;
  private final Registration meters;
  private final Counter failures;
  private final Rounds rounds;
  private volatile @Nullable Sample latest;
  private volatile boolean failing;

  private record Sample(Backlog backlog, long nanos) {}

  /**
   * Creates the gauges; looks at nothing before {@link #start}.
   *
   * @param store asked at every interval; stays open
   */
  public BacklogMetrics(
      MeterRegistry registry, MetricsConfig config, OutboxStore store, TimeSource time) {
    this.store = store;
    this.interval = config.backlogInterval();
    this.time = time;
    this.rounds =
        new Rounds("angarium-backlog", "The sampling of the backlog", interval, this::sample);
    this.meters = new Registration(registry, config);
    this.failures = meters.counter(OutboxMeter.STORE_FAILURES, TASK);
    meters.gauge(OutboxMeter.BACKLOG_DEPTH, this, m -> m.value(Backlog::depth));
    meters.gauge(OutboxMeter.BACKLOG_PARKED, this, m -> m.value(Backlog::parked));
    meters.gauge(OutboxMeter.BACKLOG_DEAD, this, m -> m.value(Backlog::dead));
    meters.secondsGauge(OutboxMeter.BACKLOG_OLDEST_AGE, this, m -> m.value(b -> oldest(b)));
  }

  private static double oldest(Backlog backlog) {
    return backlog.oldestAge().toMillis() / 1_000.0;
  }

  private double value(ToDoubleFunction<Backlog> part) {
    Sample sample = latest;
    long ageMax = interval.multipliedBy(INTERVALS_MAX).toNanos();
    if (sample == null || time.nanoTime() - sample.nanos() > ageMax) {
      return Double.NaN;
    }
    return part.applyAsDouble(sample.backlog());
  }

  /** Starts to look at the backlog, at once and then at every interval. Does not block. */
  public void start() {
    rounds.start(Duration.ZERO);
  }

  /** Looks at the backlog now. Blocks for one call to the database; a failure is counted. */
  public void sample() {
    try {
      Backlog backlog = store.backlog();
      latest = new Sample(backlog, time.nanoTime());
      failing = false;
    } catch (StoreException e) {
      latest = null;
      failures.increment();
      if (!failing) {
        LOG.warn("The backlog cannot be read; its gauges show NaN until it can. {}", e.toString());
      }
      failing = true;
    }
  }

  /** Stops looking, waits for the thread, and removes the gauges. May be called twice. */
  @Override
  public void close() {
    rounds.close();
    meters.close();
  }
}
