package io.angarium.testtransports;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.intake.StoredMessage;
import io.angarium.transport.SendResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

/** Gathers results. A second result for a message fails the next look at them. Thread-safe. */
public final class Results implements BiConsumer<StoredMessage, SendResult> {
  /** How long a result may take before a test fails. */
  public static final Duration LIMIT = Duration.ofSeconds(60);

  /** A message and what became of it. */
  public record Result(StoredMessage message, SendResult result) {}

  private final LinkedBlockingQueue<Result> queue = new LinkedBlockingQueue<>();
  private final Map<StoredMessage, SendResult> all = new ConcurrentHashMap<>();
  private final List<StoredMessage> twice = new ArrayList<>();

  /** Without results. */
  public Results() {}

  @Override
  public void accept(StoredMessage message, SendResult result) {
    if (all.putIfAbsent(message, result) != null) {
      synchronized (twice) {
        twice.add(message);
      }
    }
    queue.add(new Result(message, result));
  }

  /** The next result; waits for it, and fails without one after half a minute. */
  public Result next() {
    try {
      Result next = queue.poll(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
      if (next == null) {
        throw new AssertionError("no result within " + LIMIT);
      }
      synchronized (twice) {
        assertThat(twice).as("messages with two results").isEmpty();
      }
      return next;
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Waits for the results of this many messages. */
  public List<SendResult> next(int count) {
    List<SendResult> results = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      results.add(next().result());
    }
    return results;
  }

  /** The result of a message so far, if any. */
  public boolean has(StoredMessage message) {
    return all.containsKey(message);
  }

  /** The last result of a message; fails if it has none. */
  public SendResult of(StoredMessage message) {
    SendResult result = all.get(message);
    if (result == null) {
      throw new AssertionError("no result for " + message);
    }
    return result;
  }
}
