package io.angarium.testkit.fake;

import io.angarium.Destination;
import io.angarium.intake.StoredMessage;
import io.angarium.testkit.fake.FakeTransport.Outcome;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Function;

/** What a {@link FakeTransport} was told to do with the attempts to come. Thread-safe. */
final class PlannedOutcomes {
  private final Deque<Outcome> next = new ArrayDeque<>();
  private final Set<Destination> down = new HashSet<>();
  private Function<StoredMessage, Outcome> otherwise = message -> Outcome.ACKNOWLEDGE;

  synchronized void next(int n, Outcome outcome) {
    for (int i = 0; i < n; i++) {
      next.add(outcome);
    }
  }

  synchronized void unavailable(Destination destination, boolean isDown) {
    if (isDown) {
      down.add(destination);
    } else {
      down.remove(destination);
    }
  }

  synchronized void otherwise(Function<StoredMessage, Outcome> outcomes) {
    otherwise = outcomes;
  }

  synchronized void clear() {
    next.clear();
    down.clear();
    otherwise = message -> Outcome.ACKNOWLEDGE;
  }

  synchronized Outcome of(StoredMessage message) {
    if (down.contains(message.message().destination())) {
      return Outcome.UNAVAILABLE;
    }
    return next.isEmpty() ? otherwise.apply(message) : next.remove();
  }
}
