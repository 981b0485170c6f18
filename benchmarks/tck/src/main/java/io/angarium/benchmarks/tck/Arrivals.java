package io.angarium.benchmarks.tck;

import io.angarium.benchmarks.brokers.Broker;
import io.angarium.benchmarks.brokers.TopicReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a topic got, seen by a reader of its own. */
final class Arrivals {
  static final Duration WITHIN = Duration.ofMinutes(3);

  private static final Duration AFTER_THE_LAST = Duration.ofMillis(200);

  /**
   * A message of the topic.
   *
   * @param text the payload, without the quotes that a library may have put around it
   */
  record Arrival(@Nullable String key, String text) {}

  private Arrivals() {}

  /** Waits for so many that differ, and takes any that follow at once; copies are among them. */
  static List<Arrival> take(Broker broker, String topic, int count) throws Exception {
    List<Arrival> arrivals = new ArrayList<>();
    TopicReader.Taker taker = (key, payload) -> arrivals.add(new Arrival(key, text(payload)));
    try (TopicReader reader = broker.read(topic)) {
      long end = System.nanoTime() + WITHIN.toNanos();
      while (new HashSet<>(arrivals).size() < count && System.nanoTime() < end) {
        reader.poll(Duration.ofMillis(100), taker);
      }
      reader.poll(AFTER_THE_LAST, taker);
    }
    return arrivals;
  }

  private static String text(byte[] payload) {
    String text = new String(payload, StandardCharsets.UTF_8);
    return text.startsWith("\"") ? text.substring(1, text.length() - 1) : text;
  }
}
