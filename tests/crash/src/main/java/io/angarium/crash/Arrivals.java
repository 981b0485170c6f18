package io.angarium.crash;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What consumers got, in the order of its arrival. Thread-safe. */
final class Arrivals {
  /** One delivery of an order. */
  private record Arrival(String order, String messageId) {}

  private final List<Arrival> all = new ArrayList<>();

  synchronized void add(String order, String messageId) {
    all.add(new Arrival(order, messageId));
  }

  /** How many deliveries there were, repeats included. */
  synchronized int count() {
    return all.size();
  }

  /** When each order came first: as the how-manieth, by its id. */
  synchronized Map<String, Integer> firsts() {
    Map<String, Integer> firsts = new LinkedHashMap<>();
    for (Arrival arrival : all) {
      firsts.putIfAbsent(arrival.order(), firsts.size());
    }
    return firsts;
  }

  /** The orders that came under more than one message id, which a consumer would do twice. */
  synchronized List<String> underSeveralIds() {
    Map<String, String> ids = new LinkedHashMap<>();
    return all.stream()
        .filter(
            arrival ->
                !ids.computeIfAbsent(arrival.order(), order -> arrival.messageId())
                    .equals(arrival.messageId()))
        .map(Arrival::order)
        .toList();
  }

  synchronized boolean hasAll(Set<String> orders) {
    return firsts().keySet().containsAll(orders);
  }
}
