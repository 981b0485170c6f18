package io.angarium.jdbc;

import io.angarium.inbox.InboxKey;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/** The numbers of the consumers in a batch, each computed once. Not thread-safe. */
final class InboxNumbers {
  private final Map<String, Long> numbers = new HashMap<>();
  private final Map<Long, String> consumers = new HashMap<>();

  InboxNumbers(Collection<InboxKey> keys) {
    for (InboxKey key : keys) {
      numbers.computeIfAbsent(
          key.consumer(),
          consumer -> {
            long number = key.consumerNumber();
            consumers.put(number, consumer);
            return number;
          });
    }
  }

  Long of(InboxKey key) {
    return Objects.requireNonNull(numbers.get(key.consumer()));
  }

  /** The key that a row stands for. */
  InboxKey key(long consumer, UUID id) {
    return new InboxKey(Objects.requireNonNull(consumers.get(consumer)), id);
  }
}
