package io.angarium.testtransports;

import io.angarium.TimeSource;
import java.time.Duration;
import java.time.Instant;

/**
 * The clocks of a host whose wall clock is wrong, and that alone. Immutable.
 *
 * @param ahead of the true time; negative for one that is behind
 */
public record WrongClock(Duration ahead) implements TimeSource {
  @Override
  public Instant instant() {
    return SYSTEM.instant().plus(ahead);
  }

  @Override
  public long nanoTime() {
    return SYSTEM.nanoTime();
  }
}
