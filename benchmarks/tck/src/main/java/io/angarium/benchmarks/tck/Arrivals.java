package io.angarium.benchmarks.tck;

import io.angarium.testservers.KafkaServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.jspecify.annotations.Nullable;

/** What a topic got, seen by a consumer of its own. */
final class Arrivals {
  private static final Duration WITHIN = Duration.ofSeconds(60);
  private static final Duration AFTER_THE_LAST = Duration.ofMillis(200);

  /**
   * A record of the topic.
   *
   * @param text the payload, without the quotes that a library may have put around it
   */
  record Arrival(@Nullable String key, String text) {}

  private Arrivals() {}

  /** Waits for so many, and takes any that follow at once. */
  static List<Arrival> take(KafkaServer kafka, String topic, int count) {
    try (KafkaConsumer<String, String> consumer =
        new KafkaConsumer<>(
            Map.of(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, kafka.bootstrapServers()),
            new StringDeserializer(),
            new StringDeserializer())) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(topic).stream()
              .map(partition -> new TopicPartition(topic, partition.partition()))
              .toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      List<Arrival> arrivals = new ArrayList<>();
      long end = System.nanoTime() + WITHIN.toNanos();
      while (arrivals.size() < count && System.nanoTime() < end) {
        poll(consumer, Duration.ofMillis(100), arrivals);
      }
      poll(consumer, AFTER_THE_LAST, arrivals);
      return arrivals;
    }
  }

  private static void poll(
      KafkaConsumer<String, String> consumer, Duration timeout, List<Arrival> arrivals) {
    consumer
        .poll(timeout)
        .forEach(found -> arrivals.add(new Arrival(found.key(), unquoted(found.value()))));
  }

  private static String unquoted(String text) {
    return text.startsWith("\"") ? text.substring(1, text.length() - 1) : text;
  }
}
