package io.angarium.kafka;

import io.angarium.transport.SendResult;
import java.util.ArrayList;
import java.util.List;

/**
 * Results found while a lock is held, to be given when it no longer is. Not thread-safe: one thread
 * at a time.
 */
final class Outcomes {
  private record Outcome(Attempt attempt, SendResult result) {}

  private final KeyGuard guard;
  private final List<Outcome> found = new ArrayList<>(0);

  Outcomes(KeyGuard guard) {
    this.guard = guard;
  }

  void add(Attempt attempt, SendResult result) {
    if (!(result instanceof SendResult.Refused)) {
      guard.failed(attempt);
    }
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
        outcome.attempt().decide(outcome.result());
      } catch (Error e) {
        first = first == null ? e : first;
      }
    }
    found.clear();
    if (first != null) {
      throw first;
    }
  }
}
