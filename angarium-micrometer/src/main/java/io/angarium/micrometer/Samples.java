package io.angarium.micrometer;

import io.angarium.StoreException;
import io.angarium.TimeSource;
import io.angarium.background.internal.RepeatingTask;
import io.micrometer.core.instrument.Counter;
import java.time.Duration;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at something in the database at an interval, on a thread of its own, and keeps what it saw
 * for gauges: NaN while it cannot be read, and once it is older than {@link
 * BacklogMetrics#INTERVALS_MAX} intervals. Thread-safe.
 */
final class Samples<T> implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Samples.class);

  private final String what;
  private final Supplier<T> look;
  private final Duration interval;
  private final TimeSource time;
  private final Counter failures;
  private final RepeatingTask rounds;
  private volatile @Nullable Seen<T> latest;
  private volatile boolean failing;

  private record Seen<T>(T value, long nanos) {}

  /**
   * Looks at nothing before {@link #start}.
   *
   * @param thread the name of the thread
   * @param what is looked at, as "backlog"
   * @param look blocks for the database
   * @param failures counts looks that failed
   */
  Samples(
      String thread,
      String what,
      Supplier<T> look,
      Duration interval,
      TimeSource time,
      Counter failures) {
    this.what = what;
    this.look = look;
    this.interval = interval;
    this.time = time;
    this.failures = failures;
    this.rounds = new RepeatingTask(thread, "The sampling of the " + what, interval, this::sample);
  }

  /** Begins, at once. */
  void start() {
    rounds.start(Duration.ZERO);
  }

  /** Looks now. */
  void sample() {
    try {
      T value = look.get();
      latest = new Seen<>(value, time.nanoTime());
      failing = false;
    } catch (StoreException e) {
      latest = null;
      failures.increment();
      if (!failing) {
        LOG.warn("The {} cannot be read; its gauges show NaN until it can. {}", what, e.toString());
      }
      failing = true;
    }
  }

  /** A part of what was seen last. */
  double value(ToDoubleFunction<T> part) {
    Seen<T> seen = latest;
    long ageMax = interval.multipliedBy(BacklogMetrics.INTERVALS_MAX).toNanos();
    if (seen == null || time.nanoTime() - seen.nanos() > ageMax) {
      return Double.NaN;
    }
    return part.applyAsDouble(seen.value());
  }

  /** Stops, and waits for the thread. May be called twice. */
  @Override
  public void close() {
    rounds.close();
  }
}
