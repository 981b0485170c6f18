package io.angarium.testkit;

import io.angarium.TimeSource;
import io.angarium.internal.DurationText;
import java.time.Duration;
import java.time.Instant;

/**
 * A clock that stands still until a test moves it. Wall time and monotonic time can be moved apart,
 * as happens when somebody sets a machine's clock. Thread-safe.
 */
public final class ManualClock implements TimeSource {
  private Instant wall;
  private long nanos;

  /** Creates a clock that shows {@code start}; its monotonic time starts at zero. */
  public ManualClock(Instant start) {
    this.wall = start;
  }

  /** A clock that shows midnight of 1 January 2026, UTC. */
  public static ManualClock create() {
    return new ManualClock(Instant.parse("2026-01-01T00:00:00Z"));
  }

  /**
   * Lets time pass: both clocks go on.
   *
   * @throws IllegalArgumentException if the duration is negative
   */
  public synchronized ManualClock advance(Duration duration) {
    advanceMonotonic(duration);
    wall = wall.plus(duration);
    return this;
  }

  /** Sets the wall clock forward, or back by a negative duration; no time passes. */
  public synchronized ManualClock jumpWall(Duration duration) {
    wall = wall.plus(duration);
    return this;
  }

  /**
   * Lets time pass that the wall clock misses.
   *
   * @throws IllegalArgumentException if the duration is negative
   */
  public synchronized ManualClock advanceMonotonic(Duration duration) {
    if (duration.isNegative()) {
      throw new IllegalArgumentException(
          "duration: "
              + DurationText.of(duration)
              + " (expected: not negative; use jumpWall to set a clock back)");
    }
    nanos += duration.toNanos();
    return this;
  }

  /** A clock that moves with this one, but whose wall time differs by {@code skew}. */
  public TimeSource skewed(Duration skew) {
    ManualClock origin = this;
    return new TimeSource() {
      @Override
      public Instant instant() {
        return origin.instant().plus(skew);
      }

      @Override
      public long nanoTime() {
        return origin.nanoTime();
      }
    };
  }

  @Override
  public synchronized Instant instant() {
    return wall;
  }

  @Override
  public synchronized long nanoTime() {
    return nanos;
  }

  /** Both times, for failure messages. */
  @Override
  public synchronized String toString() {
    return "ManualClock[" + wall + ", " + nanos + " ns]";
  }
}
