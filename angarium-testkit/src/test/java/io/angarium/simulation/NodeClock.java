package io.angarium.simulation;

import io.angarium.TimeSource;
import io.angarium.testkit.ManualClock;
import java.time.Duration;
import java.time.Instant;

/**
 * The clock of one node: set wrong, faster or slower than the true one, and blind to pauses in
 * which the whole machine stood still. Not thread-safe: one thread at a time.
 */
final class NodeClock implements TimeSource {
  private static final int PERCENT = 100;

  private final ManualClock truth;
  private final Duration skew;
  private final int percentFaster;
  private long hiddenNanos;

  NodeClock(ManualClock truth, Duration skew, int percentFaster) {
    this.truth = truth;
    this.skew = skew;
    this.percentFaster = percentFaster;
  }

  /** Lets it stand behind by what it did not see. */
  void missed(long nanos) {
    hiddenNanos += nanos;
  }

  @Override
  public Instant instant() {
    return truth.instant().plus(skew).minusNanos(hiddenNanos);
  }

  @Override
  public long nanoTime() {
    long seen = truth.nanoTime() - hiddenNanos;
    return seen + seen / PERCENT * percentFaster;
  }
}
