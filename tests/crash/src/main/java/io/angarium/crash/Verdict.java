package io.angarium.crash;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * What an independent consumer found, against what was committed. Immutable.
 *
 * @param kills how many services were killed
 * @param lost committed messages that did not arrive
 * @param unknown messages that arrived though nothing of the kind was committed
 * @param disorder first appearances that came after a later one of their key
 * @param duplicates records beyond the first of a message
 */
record Verdict(
    int kills,
    int committed,
    List<String> lost,
    List<String> unknown,
    List<String> disorder,
    int duplicates) {
  static Verdict of(
      int kills,
      Map<String, String> committed,
      String bootstrapServers,
      String topic,
      int partitions) {
    Set<String> seen = new HashSet<>();
    Map<String, Integer> last = new HashMap<>();
    List<String> unknown = new ArrayList<>();
    List<String> disorder = new ArrayList<>();
    int duplicates = 0;
    for (ConsumerRecord<byte[], byte[]> record : records(bootstrapServers, topic, partitions)) {
      String id = text(record.headers().lastHeader("angarium-id"));
      String payload = new String(record.value(), StandardCharsets.UTF_8);
      if (!payload.equals(committed.get(id))) {
        unknown.add(id + " " + payload);
      } else if (!seen.add(id)) {
        duplicates++;
      } else if (record.key() != null) {
        String key = new String(record.key(), StandardCharsets.UTF_8);
        int seq = Integer.parseInt(payload.substring(payload.indexOf(':') + 1));
        Integer before = last.merge(key, seq, Math::max);
        if (before != seq) {
          disorder.add(payload + " after " + before);
        }
      }
    }
    List<String> lost =
        committed.entrySet().stream()
            .filter(entry -> !seen.contains(entry.getKey()))
            .map(entry -> entry.getKey() + " " + entry.getValue())
            .toList();
    return new Verdict(kills, committed.size(), lost, unknown, disorder, duplicates);
  }

  /** The stated bound: each kill repeats what was in flight at most. */
  long duplicatesMax() {
    return (long) kills * Service.WINDOW;
  }

  private static String text(Header header) {
    return header == null ? "" : new String(header.value(), StandardCharsets.UTF_8);
  }

  private static List<ConsumerRecord<byte[], byte[]>> records(
      String bootstrapServers, String topic, int partitions) {
    List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", bootstrapServers, "auto.offset.reset", "earliest"),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      List<TopicPartition> all =
          IntStream.range(0, partitions).mapToObj(p -> new TopicPartition(topic, p)).toList();
      consumer.assign(all);
      Map<TopicPartition, Long> ends = consumer.endOffsets(all);
      while (ends.entrySet().stream().anyMatch(e -> consumer.position(e.getKey()) < e.getValue())) {
        consumer.poll(Duration.ofSeconds(1)).forEach(records::add);
      }
    }
    return records;
  }
}
