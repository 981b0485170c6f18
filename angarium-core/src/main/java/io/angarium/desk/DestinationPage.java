package io.angarium.desk;

import java.time.Instant;
import java.util.List;

/**
 * The destinations that have messages. Immutable.
 *
 * @param destinations those with most messages first
 * @param complete false if a stage has more than {@link #ROWS_MAX} messages, so that counts are of
 *     that many
 * @param now the database's clock
 */
public record DestinationPage(List<DestinationView> destinations, boolean complete, Instant now) {
  /** The most messages of a stage that are read: the oldest waiting, the newest of the others. */
  public static final int ROWS_MAX = 10_000;

  /** The most destinations of a page. */
  public static final int DESTINATIONS_MAX = 500;

  /** Copies the list. */
  public DestinationPage {
    destinations = List.copyOf(destinations);
  }
}
