package io.angarium.benchmarks;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * What an independent consumer found in a topic. Immutable.
 *
 * @param lost messages of the workload that are not there
 * @param duplicates records beyond the first of a message
 * @param disorder first records of messages that came after a later one of their key
 */
record TopicCheck(int lost, int duplicates, int disorder) {
  static TopicCheck of(String bootstrapServers, String topic, int partitions, Workload workload) {
    Map<String, Object> settings =
        Map.of("bootstrap.servers", bootstrapServers, "auto.offset.reset", "earliest");
    Map<String, Integer> last = new HashMap<>();
    int first = 0;
    int duplicates = 0;
    int disorder = 0;
    Map<String, BitSet> seen = new HashMap<>();
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      List<TopicPartition> all =
          IntStream.range(0, partitions).mapToObj(p -> new TopicPartition(topic, p)).toList();
      consumer.assign(all);
      Map<TopicPartition, Long> ends = consumer.endOffsets(all);
      while (ends.entrySet().stream().anyMatch(e -> consumer.position(e.getKey()) < e.getValue())) {
        ConsumerRecords<byte[], byte[]> records = consumer.poll(Duration.ofSeconds(1));
        for (ConsumerRecord<byte[], byte[]> record : records) {
          String key = new String(record.key(), StandardCharsets.UTF_8);
          int number = Workload.number(record.value());
          BitSet numbers = seen.computeIfAbsent(key, k -> new BitSet());
          if (numbers.get(number)) {
            duplicates++;
            continue;
          }
          numbers.set(number);
          first++;
          if (last.merge(key, number, Math::max) != number) {
            disorder++;
          }
        }
      }
    }
    return new TopicCheck(workload.messages() - first, duplicates, disorder);
  }

  boolean clean() {
    return lost == 0 && disorder == 0;
  }
}
