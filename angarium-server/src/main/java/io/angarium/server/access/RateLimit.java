package io.angarium.server.access;

import io.angarium.TimeSource;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * So many calls in a second, a second's worth of them at once. A request goes through while
 * anything is left, whatever it has, and is paid off by those after it: so a batch of any size is
 * taken. Thread-safe.
 */
public final class RateLimit {
  private static final double SECOND_NANOS = 1e9;

  private final TimeSource time;
  private final double perSecond;
  private final boolean limited;
  private double left;
  private long sinceNanos;

  /**
   * @param perSecond null for no limit
   */
  RateLimit(@Nullable Integer perSecond, TimeSource time) {
    this.time = time;
    this.limited = perSecond != null;
    this.perSecond = perSecond == null ? 0 : perSecond;
    this.left = this.perSecond;
    this.sinceNanos = time.nanoTime();
  }

  /**
   * Takes calls.
   *
   * @return zero if they are taken; else when to come again
   */
  public synchronized Duration take(int calls) {
    if (!limited) {
      return Duration.ZERO;
    }
    long now = time.nanoTime();
    left = Math.min(perSecond, left + (now - sinceNanos) / SECOND_NANOS * perSecond);
    sinceNanos = now;
    if (left <= 0) {
      return Duration.ofNanos((long) (-left / perSecond * SECOND_NANOS) + 1);
    }
    left -= calls;
    return Duration.ZERO;
  }

  /** Takes calls of a request that went through, whatever is left. */
  synchronized void charge(int calls) {
    left -= limited ? calls : 0;
  }
}
