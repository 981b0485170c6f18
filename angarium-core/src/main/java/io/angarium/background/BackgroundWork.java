package io.angarium.background;

import java.util.Optional;

/**
 * Work besides the relay's that goes on in a thread of its own: check-back, the watch of
 * confirmations, retention, reconciliation, operations, the rotation of an inbox. Thread-safe.
 */
public interface BackgroundWork {
  /**
   * Why the work is not done, for a health check. Does not block.
   *
   * @return empty if it is done, or was not started
   */
  Optional<String> fault();
}
