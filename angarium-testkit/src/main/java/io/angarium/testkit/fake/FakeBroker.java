package io.angarium.testkit.fake;

import io.angarium.Destination;
import io.angarium.intake.StoredMessage;
import java.util.ArrayList;
import java.util.List;

/** What a broker in memory stored, in order; shared by any number of transports. Thread-safe. */
public final class FakeBroker {
  private final List<StoredMessage> stored = new ArrayList<>();

  /** Creates an empty broker. */
  public FakeBroker() {}

  /** Everything stored, in order, repeats included. */
  public synchronized List<StoredMessage> stored() {
    return List.copyOf(stored);
  }

  /** What was stored for one destination, in order, repeats included. */
  public synchronized List<StoredMessage> stored(Destination destination) {
    return stored.stream()
        .filter(message -> message.message().destination().equals(destination))
        .toList();
  }

  synchronized void store(StoredMessage message) {
    stored.add(message);
  }
}
