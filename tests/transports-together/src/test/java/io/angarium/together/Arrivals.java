package io.angarium.together;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The texts that came to each place, in their order. Thread-safe. */
final class Arrivals {
  private final Map<String, List<String>> texts = new HashMap<>();

  synchronized void add(String place, byte[] text) {
    texts.computeIfAbsent(place, p -> new ArrayList<>()).add(new String(text, UTF_8));
  }

  synchronized List<String> of(String place) {
    return List.copyOf(texts.getOrDefault(place, List.of()));
  }
}
