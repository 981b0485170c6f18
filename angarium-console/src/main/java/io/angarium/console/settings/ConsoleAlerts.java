package io.angarium.console.settings;

import io.angarium.alert.AlertDesk;
import io.angarium.alert.AlertEngine;
import java.util.List;
import java.util.Optional;

/** The alerts of one database, as the console shows them. Implementations are thread-safe. */
public interface ConsoleAlerts {
  /** Returns the alerts and silences of the database. */
  AlertDesk desk();

  /** Returns the names of the channels of this process; see {@link AlertEngine#channels}. */
  List<String> channels();

  /**
   * Sends a test notice by one channel; see {@link AlertEngine#test}. Blocks until the channel has
   * answered or given up.
   *
   * @return empty if the channel took the notice, or the reason why it did not
   * @throws IllegalArgumentException if there is no channel of that name
   */
  Optional<String> test(String channel);
}
