package io.angarium.spring.autoconfigure.alert;

import io.angarium.alert.AlertDesk;
import io.angarium.alert.AlertEngine;
import io.angarium.console.settings.ConsoleAlerts;
import io.angarium.spring.autoconfigure.internal.run.AlertLifecycle;
import java.util.List;
import java.util.Optional;

/** The alerts that the console shows, and the channels of the engine of this process. */
record ShownAlerts(AlertDesk desk, AlertLifecycle lifecycle) implements ConsoleAlerts {
  @Override
  public List<String> channels() {
    return lifecycle.engine().map(AlertEngine::channels).orElse(List.of());
  }

  @Override
  public Optional<String> test(String channel) {
    AlertEngine engine =
        lifecycle
            .engine()
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "channel: '%s' (expected: none, as this process does not look for alerts)"
                            .formatted(channel)));
    return engine.test(channel);
  }
}
