package io.angarium.testkit.tck;

import io.angarium.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;

/**
 * The clocks of a relay's host whose wall clock is wrong, and that alone. Immutable.
 *
 * @param truth the right time
 * @param ahead of the right time; negative for one that is behind
 */
record HostClock(Supplier<Instant> truth, Duration ahead) implements TimeSource {
  static final Duration HOURS = Duration.ofHours(5);

  @Override
  public Instant instant() {
    return truth.get().plus(ahead);
  }

  @Override
  public long nanoTime() {
    return SYSTEM.nanoTime();
  }
}
