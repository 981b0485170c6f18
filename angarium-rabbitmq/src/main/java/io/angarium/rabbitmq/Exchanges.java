package io.angarium.rabbitmq;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The exchanges that messages were handed over for. Guarded by the lock of {@link ChannelQueues}.
 *
 * <p>Forgets those that nothing waits for when there are too many: they are looked up again.
 */
final class Exchanges {
  private static final int MAX = 10_000;

  private final Map<String, RabbitExchange> byName = new HashMap<>();

  RabbitExchange get(String name) {
    if (byName.size() >= MAX) {
      byName.values().removeIf(RabbitExchange::isForgettable);
    }
    return byName.computeIfAbsent(name, RabbitExchange::new);
  }

  void forEach(Consumer<RabbitExchange> work) {
    byName.values().forEach(work);
  }

  /** The names of those that messages are held back for. */
  List<String> wanted() {
    return byName.values().stream()
        .filter(exchange -> !exchange.held.isEmpty())
        .map(exchange -> exchange.name)
        .toList();
  }

  boolean isHolding() {
    return byName.values().stream().anyMatch(exchange -> !exchange.held.isEmpty());
  }

  /** Takes out all that is held back. */
  List<RabbitAttempt> takeHeld() {
    List<RabbitAttempt> all = new ArrayList<>();
    forEach(exchange -> all.addAll(exchange.takeHeld()));
    return all;
  }
}
