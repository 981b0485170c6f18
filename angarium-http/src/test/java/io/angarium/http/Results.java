package io.angarium.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.store.StoredMessage;
import io.angarium.transport.SendResult;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

/** Gathers results. A second result for a message fails the next look at them. */
final class Results implements BiConsumer<StoredMessage, SendResult> {
  static final Duration LIMIT = Duration.ofSeconds(30);

  private final LinkedBlockingQueue<StoredMessage> arrived = new LinkedBlockingQueue<>();
  private final Map<StoredMessage, SendResult> all = new ConcurrentHashMap<>();
  private final List<StoredMessage> twice = new CopyOnWriteArrayList<>();

  @Override
  public void accept(StoredMessage message, SendResult result) {
    if (all.putIfAbsent(message, result) != null) {
      twice.add(message);
    }
    arrived.add(message);
  }

  /** The message that has the next result. */
  StoredMessage next() {
    try {
      StoredMessage next = arrived.poll(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
      assertThat(next).as("a result within %s", LIMIT).isNotNull();
      assertThat(twice).as("messages with two results").isEmpty();
      return next;
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  boolean has(StoredMessage message) {
    return all.containsKey(message);
  }

  SendResult of(StoredMessage message) {
    SendResult result = all.get(message);
    assertThat(result).as("result of %s", message).isNotNull();
    return result;
  }

  /** Hands a message over and waits for its result. */
  static SendResult of(HttpTransport transport, StoredMessage message) {
    Results results = new Results();
    transport.send(List.of(message), results);
    return results.of(results.next());
  }
}
