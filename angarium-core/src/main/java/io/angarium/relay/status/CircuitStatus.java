package io.angarium.relay.status;

import io.angarium.Destination;
import io.angarium.internal.OneLine;
import io.angarium.relay.settings.CircuitState;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A destination that does not take messages as usual, not for a pause. Immutable.
 *
 * @param destination which one
 * @param state open, or tried with few messages
 * @param reason why it was unavailable, as its transport says; one line, cut to {@link
 *     #REASON_LENGTH_MAX} characters
 * @param since when it stopped taking messages as usual, by the clock of the node
 * @param nextProbe when it is tried with one message, by the clock of the node; null unless it is
 *     open
 */
public record CircuitStatus(
    Destination destination,
    CircuitState state,
    String reason,
    Instant since,
    @Nullable Instant nextProbe) {
  /** The longest reason. */
  public static final int REASON_LENGTH_MAX = 200;

  /** Cuts the reason. */
  public CircuitStatus {
    reason = line(reason, REASON_LENGTH_MAX);
  }

  /** The first line of a text, cut. */
  static String line(String text, int lengthMax) {
    String first = OneLine.of(text.lines().findFirst().orElse(""));
    if (first.length() <= lengthMax) {
      return first;
    }
    boolean pair = Character.isHighSurrogate(first.charAt(lengthMax - 1));
    return first.substring(0, pair ? lengthMax - 1 : lengthMax);
  }
}
