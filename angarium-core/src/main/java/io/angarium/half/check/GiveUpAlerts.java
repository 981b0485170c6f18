package io.angarium.half.check;

import io.angarium.TimeSource;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfListener;
import io.angarium.store.internal.RefusedRows;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells that a half message waits for a person, at least once: what a node gave up before it died
 * is told by another one, or by itself after its restart. One thread.
 */
final class GiveUpAlerts {
  private static final Logger LOG = LoggerFactory.getLogger(GiveUpAlerts.class);

  private final CheckStore store;
  private final HalfListener listener;
  private final TimeSource time;
  private final RefusedRows<HalfKey> refused;

  /** Numbers of those that this node told of and could not note. */
  private final Set<Long> unnoted = new HashSet<>();

  private boolean looked;
  private long lookAtNanos;

  GiveUpAlerts(
      CheckStore store, HalfListener listener, TimeSource time, RefusedRows<HalfKey> refused) {
    this.refused = refused;
    this.store = store;
    this.listener = listener;
    this.time = time;
  }

  /**
   * Tells of one, then notes that.
   *
   * @param unknown how often its producer did not know
   */
  void tell(DueCheck givenUp, int unknown, @Nullable String reason) {
    LOG.error(
        "Half message {} is unresolved: its producer answered {} times that it does not know"
            + " ({}); nothing is guessed: find out what became of its business transaction, then"
            + " commit it, roll it back or resume its check-back",
        givenUp.key(),
        unknown,
        reason == null ? "without a reason" : reason);
    listener.gaveUp(givenUp.key(), unknown);
    unnoted.add(givenUp.number());
    note(givenUp);
  }

  private void note(DueCheck told) {
    refused.write(List.of(told), DueCheck::key, one -> store.told(told));
    if (!refused.has(told.key())) {
      unnoted.remove(told.number());
    }
  }

  /** Tells of those that nobody told of; looks once in a while only. */
  void round() {
    long now = time.nanoTime();
    if (looked && now - lookAtNanos < 0) {
      return;
    }
    looked = true;
    lookAtNanos = now + CheckStore.ALERT_CLAIM.toNanos();
    for (DueCheck givenUp : store.untold()) {
      if (unnoted.contains(givenUp.number())) {
        note(givenUp);
      } else {
        tell(givenUp, givenUp.unknown(), "given up by a node that may not have told it");
      }
    }
  }
}
