package io.angarium.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.store.StoredMessage;
import io.angarium.transport.SendResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

/** Gathers results. A second result for a message fails the next look at them. */
final class Results implements BiConsumer<StoredMessage, SendResult> {
  static final Duration LIMIT = Duration.ofSeconds(30);

  /** A message and what became of it. */
  record Result(StoredMessage message, SendResult result) {}

  private final LinkedBlockingQueue<Result> queue = new LinkedBlockingQueue<>();
  private final Map<StoredMessage, SendResult> all = new ConcurrentHashMap<>();
  private final List<StoredMessage> twice = new ArrayList<>();

  @Override
  public void accept(StoredMessage message, SendResult result) {
    if (all.putIfAbsent(message, result) != null) {
      synchronized (twice) {
        twice.add(message);
      }
    }
    queue.add(new Result(message, result));
  }

  Result next() {
    try {
      Result next = queue.poll(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
      assertThat(next).as("a result within %s", LIMIT).isNotNull();
      synchronized (twice) {
        assertThat(twice).as("messages with two results").isEmpty();
      }
      return next;
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Waits for the results of this many messages. */
  List<SendResult> next(int count) {
    List<SendResult> results = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      results.add(next().result());
    }
    return results;
  }

  /** The result of a message so far, if any. */
  boolean has(StoredMessage message) {
    return all.containsKey(message);
  }

  SendResult of(StoredMessage message) {
    SendResult result = all.get(message);
    assertThat(result).as("result of %s", message).isNotNull();
    return result;
  }
}
