package io.angarium.jdbc.internal.inbox;

import io.angarium.inbox.WhenBusy;
import io.angarium.jdbc.settings.InboxConfig;
import java.time.Duration;

/**
 * How long a statement waits for another delivery, on a connection that may have a shorter limit of
 * its own. Immutable.
 *
 * @param max counts with {@link WhenBusy#WAIT} only
 */
public record InboxWait(WhenBusy whenBusy, Duration max) {
  public static InboxWait of(InboxConfig config) {
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
