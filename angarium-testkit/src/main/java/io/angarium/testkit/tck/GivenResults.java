package io.angarium.testkit.tck;

import io.angarium.MessageId;
import io.angarium.TimeSource;
import io.angarium.intake.StoredMessage;
import io.angarium.internal.DurationText;
import io.angarium.transport.SendResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;

/**
 * The results that a transport gave. Counts them against the messages handed over: any that is one
 * too many fails the next look. Thread-safe.
 */
final class GivenResults implements BiConsumer<StoredMessage, SendResult> {
  /** A message and what became of it. */
  record Given(StoredMessage message, SendResult result) {}

  private final Map<MessageId, StoredMessage> open = new LinkedHashMap<>();
  private final Map<MessageId, SendResult> last = new HashMap<>();
  private final List<String> faults = new ArrayList<>();
  private List<Given> untaken = new ArrayList<>();
  private int failures;

  /** Expects one result more for each; called right before they are handed over. */
  synchronized void expect(Collection<StoredMessage> messages) {
    messages.forEach(message -> open.put(message.id(), message));
  }

  @Override
  public synchronized void accept(StoredMessage message, SendResult result) {
    if (open.remove(message.id()) == null) {
      faults.add(result + " for " + message + ", which has its result or was not handed over");
    }
    if (!(result instanceof SendResult.Acknowledged)) {
      failures++;
    }
    last.put(message.id(), result);
    untaken.add(new Given(message, result));
    notifyAll();
  }

  /** How many were not acknowledged so far. */
  synchronized int failures() {
    return failures;
  }

  /** Takes what was given since the last time. */
  synchronized List<Given> take() {
    check();
    List<Given> taken = untaken;
    untaken = new ArrayList<>();
    return taken;
  }

  /** Waits until there is something to take, or until the time is over. */
  synchronized boolean awaitAny(Duration max) {
    return await(() -> !untaken.isEmpty(), max);
  }

  /** Waits until nothing is without its result; fails loudly if it takes longer than that. */
  synchronized void awaitAll(Duration max) {
    if (!await(open::isEmpty, max)) {
      throw new AssertionError(
          "No result within " + DurationText.of(max) + " for " + open.values());
    }
    check();
  }

  private synchronized boolean await(BooleanSupplier condition, Duration max) {
    long deadline = TimeSource.SYSTEM.nanoTime() + max.toNanos();
    try {
      while (!condition.getAsBoolean()) {
        long millis = (deadline - TimeSource.SYSTEM.nanoTime() + 999_999) / 1_000_000;
        if (millis <= 0) {
          return false;
        }
        wait(millis);
      }
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while waiting for results", e);
    }
  }

  /** Fails if a message had more results than it was handed over. */
  synchronized void check() {
    if (!faults.isEmpty()) {
      throw new AssertionError("Results too many: " + faults);
    }
  }

  /** The last result of a message; fails if it has none. */
  synchronized SendResult of(StoredMessage message) {
    SendResult result = last.get(message.id());
    if (result == null) {
      throw new AssertionError("No result for " + message);
    }
    return result;
  }
}
