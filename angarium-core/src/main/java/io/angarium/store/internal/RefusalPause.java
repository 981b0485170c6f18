package io.angarium.store.internal;

import java.time.Duration;

/**
 * How long a write rests that the database refuses for good: a second at first, twice as long each
 * time, a minute at most. For Angarium's modules. Not thread-safe: one thread at a time.
 */
public final class RefusalPause {
  private static final Duration MIN = Duration.ofSeconds(1);
  private static final Duration MAX = Duration.ofMinutes(1);

  private Duration next = MIN;
  private long untilNanos;

  /** Creates one; {@link #rest} begins it. */
  public RefusalPause() {}

  /** Begins a pause. */
  public void rest(long nowNanos) {
    untilNanos = nowNanos + next.toNanos();
    Duration twice = next.multipliedBy(2);
    next = twice.compareTo(MAX) < 0 ? twice : MAX;
  }

  /** Ends the pause; the next one is short again. */
  public void reset(long nowNanos) {
    untilNanos = nowNanos;
    next = MIN;
  }

  /** Nanoseconds until the pause is over; not positive if it is. */
  public long nanosLeft(long nowNanos) {
    return untilNanos - nowNanos;
  }
}
