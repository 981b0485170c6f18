package io.angarium.desk;

import io.angarium.internal.DurationText;
import io.angarium.internal.Wildcard;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A time in which nothing is sent to some destinations: their messages wait, no attempt is used up,
 * and the order of keys stays. Immutable.
 *
 * @param id its number
 * @param destinations in their text form, e.g. {@code kafka:orders}; a star stands for any
 *     characters
 * @param since when it began, by the database's clock
 * @param until when it ends by itself
 * @param by who wanted it
 * @param reason why
 * @param applied how many of the live nodes send nothing to them any more, and have nothing of them
 *     under way
 * @param nodes how many nodes are alive
 */
public record DestinationPause(
    long id,
    String destinations,
    Instant since,
    Instant until,
    String by,
    String reason,
    int applied,
    int nodes) {
  /** The shortest one. */
  public static final Duration MIN = Duration.ofMinutes(1);

  /** The longest one. */
  public static final Duration MAX = Duration.ofDays(30);

  /** The most characters of {@link #destinations}. */
  public static final int DESTINATIONS_LENGTH_MAX = 512;

  /** The most pauses at a time. */
  public static final int PAUSES_MAX = 100;

  /**
   * Checks what a person wants.
   *
   * @throws IllegalArgumentException if the text is empty or too long, or the length out of range
   */
  public static void check(String destinations, Duration length) {
    if (destinations.isBlank() || destinations.length() > DESTINATIONS_LENGTH_MAX) {
      throw new IllegalArgumentException(
          "destinations: %d characters (expected: 1..%d, e.g. kafka:orders, or kafka:* for all of a transport)"
              .formatted(destinations.length(), DESTINATIONS_LENGTH_MAX));
    }
    if (length.compareTo(MIN) < 0 || length.compareTo(MAX) > 0) {
      throw new IllegalArgumentException(
          "length: %s (expected: 1m..30d)".formatted(DurationText.of(length)));
    }
  }

  /** Whether it holds back messages for a destination, which is given in its text form. */
  public boolean covers(String destination) {
    return Wildcard.of(destinations).fits(destination);
  }

  /**
   * Why messages of a destination cannot be taken out of the relays' hands now, for {@link
   * io.angarium.desk.MessageActs#bury}.
   *
   * @param destination in its text form
   * @param now the database's clock
   * @return null if they can: a pause covers them, and every live node has applied it
   */
  public static @Nullable String whyNotHeld(
      List<DestinationPause> pauses, String destination, Instant now) {
    String why = "its destination is not paused; pause " + destination + " first";
    for (DestinationPause pause : pauses) {
      if (!pause.covers(destination)) {
        continue;
      }
      if (pause.applied() < pause.nodes()) {
        why =
            "the pause is applied by %d of %d nodes; try again in a moment"
                .formatted(pause.applied(), pause.nodes());
      } else if (!pause.until().isAfter(now.plus(MessageActs.PAUSE_LEFT_MIN))) {
        why = "the pause ends in a moment; make it longer";
      } else {
        return null;
      }
    }
    return why;
  }

  /** True if no live node sends. */
  public boolean isAppliedEverywhere() {
    return applied >= nodes;
  }
}
