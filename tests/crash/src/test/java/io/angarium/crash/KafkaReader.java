package io.angarium.crash;

import io.angarium.kafka.KafkaWireFormat;
import io.angarium.testservers.KafkaServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;

/** Notes what comes to a topic, which it creates. */
final class KafkaReader implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(200);

  private final KafkaConsumer<String, String> consumer;
  private final Arrivals arrivals;
  private final Thread thread = new Thread(this::run, "kafka-reader");
  private volatile boolean closed;

  KafkaReader(KafkaServer kafka, String topic, int partitions, Arrivals arrivals) {
    kafka.createTopic(topic, partitions);
    this.arrivals = arrivals;
    this.consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", kafka.bootstrapServers(), "auto.offset.reset", "earliest"),
            new StringDeserializer(),
            new StringDeserializer());
    List<TopicPartition> all =
        IntStream.range(0, partitions).mapToObj(p -> new TopicPartition(topic, p)).toList();
    consumer.assign(all);
    consumer.seekToBeginning(all);
  }

  void start() {
    thread.start();
  }

  private void run() {
    try (consumer) {
      while (!closed) {
        consumer.poll(POLL).forEach(this::take);
      }
    }
  }

  private void take(ConsumerRecord<String, String> record) {
    byte[] id = record.headers().lastHeader(KafkaWireFormat.ID).value();
    arrivals.add(record.value(), new String(id, StandardCharsets.UTF_8));
  }

  @Override
  public void close() {
    closed = true;
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
