package io.angarium.board;

import io.angarium.internal.DurationText;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/**
 * Which minutes are meant, and how many of them are one point. Immutable.
 *
 * @param from when the first minute begins; cut to the minute
 * @param to when the last one ends, exclusive; cut to the minute
 * @param step whole minutes, at least 1; points begin at multiples of it since 1970-01-01 UTC
 * @param destinations text forms; all if it is empty
 */
public record MinuteQuery(Instant from, Instant to, Duration step, List<String> destinations) {
  /** The most points. */
  public static final int POINTS_MAX = 400;

  /** The most destinations. */
  public static final int DESTINATIONS_MAX = 200;

  /**
   * Checks the parts.
   *
   * @throws IllegalArgumentException if the step is none, there would be too many points, or there
   *     are too many destinations
   */
  public MinuteQuery {
    from = from.truncatedTo(ChronoUnit.MINUTES);
    to = to.truncatedTo(ChronoUnit.MINUTES);
    destinations = List.copyOf(destinations);
    long minutes = step.toMinutes();
    if (minutes < 1 || !step.equals(Duration.ofMinutes(minutes))) {
      throw new IllegalArgumentException(
          "step: " + DurationText.of(step) + " (expected: whole minutes)");
    }
    if (from.isAfter(to) || Duration.between(from, to).toMinutes() / minutes > POINTS_MAX - 2) {
      throw new IllegalArgumentException(
          "from, to: %s, %s with a step of %s (expected: in this order, at most %d points)"
              .formatted(from, to, DurationText.of(step), POINTS_MAX));
    }
    if (destinations.size() > DESTINATIONS_MAX) {
      throw new IllegalArgumentException(
          "destinations: %d (expected: at most %d)"
              .formatted(destinations.size(), DESTINATIONS_MAX));
    }
  }

  /** Returns the shortest step with which a time has not too many points. */
  public static Duration stepOf(Instant from, Instant to) {
    long minutes = Math.max(0, Duration.between(from, to).toMinutes());
    return Duration.ofMinutes(minutes / (POINTS_MAX - 1) + 1);
  }
}
