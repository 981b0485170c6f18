package io.angarium.transport;

import java.time.Duration;

/**
 * For how long a destination has been missing whenever it was looked up. A transport refuses the
 * messages of one that was there only when it has been missing for a while: it may be created anew.
 * Not thread-safe: one thread at a time.
 */
public final class Absence {
  private boolean missing;
  private long sinceNanos;

  /**
   * The destination has been looked up.
   *
   * @param isMissing true if the broker does not know it; false also if there was no answer
   * @param nowNanos elapsed time, see {@link io.angarium.TimeSource#nanoTime}
   */
  public void lookedUp(boolean isMissing, long nowNanos) {
    if (isMissing && !missing) {
      sinceNanos = nowNanos;
    }
    missing = isMissing;
  }

  /** True if it was missing whenever it was looked up, for so long. */
  public boolean isMissingFor(Duration max, long nowNanos) {
    return missing && nowNanos - sinceNanos >= max.toNanos();
  }
}
