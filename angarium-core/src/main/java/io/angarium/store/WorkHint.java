package io.angarium.store;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What there may be to do, found by one cheap question; see {@link OutboxStore#glance}. Immutable.
 *
 * @param lastSequence see {@link OutboxStore#lastSequence}; it may be the one told before for as
 *     long as no committed row has a higher one
 * @param due true if a parked or a delayed message may be due; false if none is
 * @param untilDue time until the next delayed message is due that is not yet, rounded up; null if
 *     there is none within the time that was asked for, or another one is due already
 */
public record WorkHint(long lastSequence, boolean due, @Nullable Duration untilDue) {
  /** Without a delayed message that will be due soon. */
  public WorkHint(long lastSequence, boolean due) {
    this(lastSequence, due, null);
  }
}
