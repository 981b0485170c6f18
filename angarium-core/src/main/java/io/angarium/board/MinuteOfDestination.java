package io.angarium.board;

import io.angarium.Destination;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * What one node did for one destination within a minute. Immutable.
 *
 * @param minute when the minute began, by the clock of the node
 * @param destination in its text form; {@link #OTHER} for all further ones of the minute
 * @param counts what became of its messages
 */
public record MinuteOfDestination(Instant minute, String destination, Throughput counts) {
  /** Stands for the destinations beyond {@link #DESTINATIONS_MAX}. */
  public static final String OTHER = "";

  /** The most destinations that a node names in a minute. */
  public static final int DESTINATIONS_MAX = 20;

  /**
   * Cuts the time to the minute.
   *
   * @throws IllegalArgumentException if the destination is too long
   */
  public MinuteOfDestination {
    minute = minute.truncatedTo(ChronoUnit.MINUTES);
    if (destination.length() > Destination.LENGTH_MAX) {
      throw new IllegalArgumentException(
          "destination: %d characters (expected: at most %d)"
              .formatted(destination.length(), Destination.LENGTH_MAX));
    }
  }
}
