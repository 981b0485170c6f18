package io.angarium.relay.internal.send;

import io.angarium.Destination;
import io.angarium.internal.Wildcard;
import java.util.List;

/** Which destinations nothing is sent to. Immutable. */
public final class PausedDestinations {
  /** Nothing is paused. */
  public static final PausedDestinations NONE = new PausedDestinations(List.of());

  private final List<Wildcard> patterns;

  private PausedDestinations(List<Wildcard> patterns) {
    this.patterns = patterns;
  }

  public static PausedDestinations of(List<String> patterns) {
    return patterns.isEmpty()
        ? NONE
        : new PausedDestinations(patterns.stream().map(Wildcard::of).toList());
  }

  public boolean contains(Destination destination) {
    String text = destination.toString();
    for (Wildcard pattern : patterns) {
      if (pattern.fits(text)) {
        return true;
      }
    }
    return false;
  }

  public boolean isEmpty() {
    return patterns.isEmpty();
  }
}
