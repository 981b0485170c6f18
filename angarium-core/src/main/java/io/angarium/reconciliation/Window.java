package io.angarium.reconciliation;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/**
 * A span of time whose keys are compared. Immutable.
 *
 * @param from inclusive, in whole milliseconds
 * @param to exclusive, in whole milliseconds, after {@code from}
 */
public record Window(Instant from, Instant to) {
  /**
   * Cuts both to milliseconds.
   *
   * @throws IllegalArgumentException if nothing is left
   */
  public Window {
    from = from.truncatedTo(ChronoUnit.MILLIS);
    to = to.truncatedTo(ChronoUnit.MILLIS);
    if (!from.isBefore(to)) {
      throw new IllegalArgumentException(
          "window: " + from + " to " + to + " (expected: at least a millisecond)");
    }
  }

  /** How long it is. */
  public Duration length() {
    return Duration.between(from, to);
  }

  /** False if it is as short as can be. */
  boolean canBeHalved() {
    return length().toMillis() > 1;
  }

  List<Window> halves() {
    Instant middle = from.plusMillis(length().toMillis() / 2);
    return List.of(new Window(from, middle), new Window(middle, to));
  }
}
