package io.angarium.relay.internal.read;

import java.time.Duration;

/**
 * Spaces looks that follow each other: after each one passes as long again as it took. On a busy
 * machine, where looks take long, database and broker are then asked less often, for more at once;
 * on an idle one looks are short, and the pause is, too. A look behind a pause is made at once. Not
 * thread-safe: one thread at a time.
 */
final class ReadPacing {
  private final long pauseMaxNanos;
  private long nextNanos;

  /**
   * @param pauseMax the longest pause; zero for none
   */
  ReadPacing(Duration pauseMax, long nowNanos) {
    this.pauseMaxNanos = pauseMax.toNanos();
    this.nextNanos = nowNanos;
  }

  /** Notes a look. */
  void looked(long beginNanos, long endNanos) {
    nextNanos = endNanos + Math.min(pauseMaxNanos, endNanos - beginNanos);
  }

  /** Nanoseconds until the next look may begin; zero or less if it may. */
  long nanosToDue(long nowNanos) {
    return nextNanos - nowNanos;
  }
}
