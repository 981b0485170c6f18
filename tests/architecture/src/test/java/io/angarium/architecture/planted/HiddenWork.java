package io.angarium.architecture.planted;

import io.angarium.background.internal.RepeatingTask;
import java.time.Duration;

/** Works in rounds without telling whether they fail. */
final class HiddenWork {
  private final RepeatingTask rounds =
      new RepeatingTask("hidden", "The work", Duration.ZERO, () -> {});

  void start() {
    rounds.start(Duration.ZERO);
  }
}
