package io.angarium.relay;

import java.time.Duration;

/**
 * Spaces looks that follow each other: after each one passes a multiple of what it took, so that
 * where commits come faster than looks end, database and broker are asked less often, for more at
 * once. A look behind a pause is made at once. Not thread-safe: one thread at a time.
 */
final class Pace {
  /** Of the time that messages wait for; looks then take at most a quarter of it all. */
  private static final int PAUSE_PER_LOOK = 3;

  private final long pauseMaxNanos;
  private long nextNanos;

  /**
   * @param pauseMax the longest pause; zero for none
   */
  Pace(Duration pauseMax, long nowNanos) {
    this.pauseMaxNanos = pauseMax.toNanos();
    this.nextNanos = nowNanos;
  }

  /** Notes a look. */
  void looked(long beginNanos, long endNanos) {
    nextNanos = endNanos + Math.min(pauseMaxNanos, PAUSE_PER_LOOK * (endNanos - beginNanos));
  }

  /** Nanoseconds until the next look may begin; zero or less if it may. */
  long nanosToDue(long nowNanos) {
    return nextNanos - nowNanos;
  }
}
