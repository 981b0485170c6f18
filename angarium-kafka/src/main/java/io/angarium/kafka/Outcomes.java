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

  /** Gives the results; no lock may be held. */
  void deliver() {
    for (Outcome outcome : found) {
      outcome.attempt().decide(outcome.result());
    }
    found.clear();
  }
}
