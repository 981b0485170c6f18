package io.angarium.architecture.planted;

import io.angarium.Rounds;
import java.time.Duration;

/** Works in rounds without telling whether they fail. */
final class HiddenWork {
  private final Rounds rounds = new Rounds("hidden", "The work", Duration.ZERO, () -> {});

  void start() {
    rounds.start(Duration.ZERO);
  }
}
