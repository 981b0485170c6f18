package io.angarium.jdbc;

import io.angarium.inbox.WhenBusy;
import java.time.Duration;

/**
 * How long a statement waits for another delivery, on a connection that may have a shorter limit of
 * its own. Immutable.
 *
 * @param max counts with {@link WhenBusy#WAIT} only
 */
record InboxWait(WhenBusy whenBusy, Duration max) {
  static InboxWait of(InboxConfig config) {
    return new InboxWait(config.whenBusy(), config.waitMax());
  }

  boolean tells() {
    return whenBusy == WhenBusy.TELL;
  }

  /** At least 1 unless it is zero: databases take 0 for ever, or not at all. */
  long seconds() {
    return max.plusSeconds(1).minusNanos(1).toSeconds();
  }

  long millis() {
    return max.toMillis();
  }
}
