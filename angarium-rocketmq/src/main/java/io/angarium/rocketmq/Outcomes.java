package io.angarium.rocketmq;

import io.angarium.transport.SendResult;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Results found while a lock is held, to be given when it no longer is. Not thread-safe: one thread
 * at a time.
 */
final class Outcomes {
  private static final Logger LOG = LoggerFactory.getLogger(Outcomes.class);

  private record Outcome(Attempt attempt, SendResult result) {}

  private final AtomicInteger ungiven;
  private final List<Outcome> found = new ArrayList<>(0);

  /**
   * @param ungiven counts the results of all that were found and not given yet
   */
  Outcomes(AtomicInteger ungiven) {
    this.ungiven = ungiven;
  }

  /** Called while the lock is held that the attempt was guarded by. */
  void add(Attempt attempt, SendResult result) {
    ungiven.incrementAndGet();
    found.add(new Outcome(attempt, result));
  }

  /** Gives the results; no lock may be held. */
  void deliver() {
    for (Outcome outcome : found) {
      try {
        outcome.attempt().give(outcome.result());
      } catch (RuntimeException e) { // breaks its contract, but must not stop the client's thread
        LOG.error("The receiver of results failed on message {}.", outcome.attempt().message, e);
      } finally {
        ungiven.decrementAndGet();
      }
    }
    found.clear();
  }
}
