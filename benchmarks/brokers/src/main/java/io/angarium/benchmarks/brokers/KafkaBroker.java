package io.angarium.benchmarks.brokers;

import io.angarium.testservers.KafkaServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Kafka. */
record KafkaBroker(KafkaServer server) implements Broker {
  @Override
  public String address() {
    return server.bootstrapServers();
  }

  @Override
  public void createTopic(String topic, int parts) {
    server.createTopic(topic, parts);
  }

  @Override
  public void deleteTopic(String topic) {
    server.deleteTopic(topic);
  }

  @Override
  public TopicReader read(String topic) {
    return new Reader(address(), topic);
  }

  /** Knows the end of the topic by the offsets of its partitions. */
  private static final class Reader implements TopicReader {
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final List<TopicPartition> partitions;
    private Map<TopicPartition, Long> ends = Map.of();

    Reader(String bootstrapServers, String topic) {
      this.consumer =
          new KafkaConsumer<>(
              Map.of(
                  ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                  bootstrapServers,
                  ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
                  "earliest",
                  ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
                  5_000),
              new ByteArrayDeserializer(),
              new ByteArrayDeserializer());
      this.partitions =
          consumer.partitionsFor(topic).stream()
              .map(partition -> new TopicPartition(topic, partition.partition()))
              .toList();
      consumer.assign(partitions);
    }

    @Override
    public void poll(Duration max, Taker taker) {
      for (ConsumerRecord<byte[], byte[]> found : consumer.poll(max)) {
        byte[] key = found.key();
        taker.take(key == null ? null : new String(key, StandardCharsets.UTF_8), found.value());
      }
    }

    @Override
    public void noteEnd() {
      ends = consumer.endOffsets(partitions);
    }

    @Override
    public boolean isAtEnd() {
      return ends.entrySet().stream().allMatch(e -> consumer.position(e.getKey()) >= e.getValue());
    }

    @Override
    public void close() {
      consumer.close();
    }
  }
}
