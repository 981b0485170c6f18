package io.angarium.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * What a {@link Redelivery} did. Immutable.
 *
 * @param messages what was delivered, each once
 * @param succeeded deliveries that ended well, repeats included
 * @param failed deliveries that failed, as planned or not, and were made again
 * @param seed of the order
 */
public record Deliveries<T>(List<T> messages, int succeeded, int failed, long seed) {
  /** Copies the list. */
  public Deliveries {
    messages = List.copyOf(messages);
  }

  /**
   * That the effect of each message has happened once.
   *
   * @param effects how often that of a message has happened, e.g. how many rows there are for it
   * @throws AssertionError if not; it names each message whose effect did not happen, or more than
   *     once
   */
  public Deliveries<T> assertOnce(ToLongFunction<T> effects) {
    List<String> faults = new ArrayList<>();
    for (T message : messages) {
      long found = effects.applyAsLong(message);
      if (found != 1) {
        faults.add(found + " times: " + message);
      }
    }
    if (!faults.isEmpty()) {
      throw new AssertionError(
          "The effect of each message must happen once, after "
              + succeeded
              + " deliveries and "
              + failed
              + " failures (seed "
              + seed
              + "), but it happened\n  "
              + String.join("\n  ", faults));
    }
    return this;
  }
}
