package io.angarium.rabbitmq;

import io.angarium.transport.SendResult;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Results found while a lock is held, to be given when it no longer is. Not thread-safe: one thread
 * at a time.
 */
final class Outcomes {
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

  /**
   * Gives the results; no lock may be held. An Error of a receiver comes out when all are given:
   * the others would wait for theirs for ever.
   */
  void deliver() {
    Error first = null;
    for (Outcome outcome : found) {
      try {
        outcome.attempt().give(outcome.result());
      } catch (Error e) {
        first = first == null ? e : first;
      } finally {
        ungiven.decrementAndGet();
      }
    }
    found.clear();
    if (first != null) {
      throw first;
    }
  }
}
