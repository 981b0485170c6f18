package io.angarium.benchmarks.harness;

import io.angarium.benchmarks.arm.Workload;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/**
 * An independent consumer of a topic from its beginning: notes when each message arrived first, and
 * counts those that came twice or before an earlier one of their key. One thread receives; the
 * figures may be read once that has ended.
 */
final class Receiver {
  private final String bootstrapServers;
  private final List<TopicPartition> partitions;
  private final BitSet seen = new BitSet();
  private final Map<String, Long> last = new HashMap<>();
  private final AtomicLong first = new AtomicLong();
  private long[] arrivals = new long[1 << 16];
  private int duplicates;
  private int disorder;
  private volatile boolean stopping;
  private final Thread thread;

  Receiver(String bootstrapServers, String topic, int partitions) {
    this.bootstrapServers = bootstrapServers;
    this.partitions =
        IntStream.range(0, partitions).mapToObj(p -> new TopicPartition(topic, p)).toList();
    this.thread = new Thread(this::receive, "receiver");
  }

  /** Begins to receive as messages arrive. */
  Receiver start() {
    thread.start();
    return this;
  }

  /** Messages that arrived so far, each counted once. Thread-safe. */
  long arrived() {
    return first.get();
  }

  /** Stops when everything the topic has now was received. */
  void stop() throws InterruptedException {
    stopping = true;
    thread.join();
  }

  /** Receives what the topic has now, and no more. */
  Receiver all() throws InterruptedException {
    stopping = true;
    start();
    thread.join();
    return this;
  }

  private void receive() {
    Map<String, Object> settings =
        Map.of(
            "bootstrap.servers",
            bootstrapServers,
            "auto.offset.reset",
            "earliest",
            "max.poll.records",
            5_000);
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      consumer.assign(partitions);
      while (!stopping) {
        poll(consumer);
      }
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      while (ends.entrySet().stream().anyMatch(e -> consumer.position(e.getKey()) < e.getValue())) {
        poll(consumer);
      }
    }
  }

  private void poll(KafkaConsumer<byte[], byte[]> consumer) {
    Iterable<ConsumerRecord<byte[], byte[]>> records = consumer.poll(Duration.ofMillis(100));
    long now = System.nanoTime();
    for (ConsumerRecord<byte[], byte[]> record : records) {
      byte[] key = record.key();
      note(key == null ? null : new String(key, StandardCharsets.UTF_8), record.value(), now);
    }
  }

  /** Notes an arrival. */
  void note(@Nullable String key, byte[] payload, long now) {
    long number = Workload.number(payload);
    if (seen.get((int) number)) {
      duplicates++;
      return;
    }
    seen.set((int) number);
    if (number >= arrivals.length) {
      arrivals = Arrays.copyOf(arrivals, (int) Math.max(number + 1, arrivals.length * 2L));
    }
    arrivals[(int) number] = now;
    first.incrementAndGet();
    if (key != null && last.merge(key, number, Math::max) != number) {
      disorder++;
    }
  }

  int duplicates() {
    return duplicates;
  }

  int disorder() {
    return disorder;
  }

  boolean has(long number) {
    return seen.get((int) number);
  }

  /** When a message arrived, by the machine's clock; 0 if it did not. */
  long arrival(long number) {
    return number < arrivals.length ? arrivals[(int) number] : 0;
  }
}
