package io.angarium.testtopics;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.StringDeserializer;

/** A topic of Kafka, which exists. Immutable. */
public record KafkaTopic(String bootstrapServers, String name) implements Topic {
  private static final Duration POLL = Duration.ofMillis(100);

  @Override
  public List<Arrived> read() {
    List<Arrived> all = new ArrayList<>();
    Patience patience = new Patience(name);
    try (KafkaConsumer<String, String> consumer =
        new KafkaConsumer<>(
            Map.of(
                ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                bootstrapServers,
                ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
                "earliest"),
            new StringDeserializer(),
            new StringDeserializer())) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(name).stream()
              .map(partition -> new TopicPartition(name, partition.partition()))
              .toList();
      consumer.assign(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      while (ends.entrySet().stream().anyMatch(e -> consumer.position(e.getKey()) < e.getValue())) {
        patience.check(all.size());
        consumer.poll(POLL).forEach(record -> all.add(arrived(record)));
      }
    }
    return all;
  }

  private static Arrived arrived(ConsumerRecord<String, String> record) {
    Header id = record.headers().lastHeader("angarium-id");
    return new Arrived(
        id == null ? "" : new String(id.value(), UTF_8), record.key(), record.value());
  }
}
