package io.angarium.recipes;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.angarium.testservers.KafkaServer;
import io.angarium.testservers.SharedServers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;

/** A topic of one partition on the shared Kafka. Immutable. */
public record Topic(String name) {
  private static final Duration LIMIT = Duration.ofMinutes(1);
  private static final Duration POLL = Duration.ofMillis(100);

  /** Creates a topic whose name nobody has used in this JVM. */
  public static Topic create(String name) {
    SharedServers.kafka().createTopic(name, 1);
    return new Topic(name);
  }

  /** The bootstrap servers of the shared Kafka. */
  public static String servers() {
    KafkaServer kafka = SharedServers.kafka();
    return kafka.bootstrapServers();
  }

  /**
   * Waits until messages have arrived. Repeats of a message, which may come, count as one.
   *
   * @return the payloads of all messages up to then, in their order
   */
  public List<String> await(int messages) {
    long deadline = System.nanoTime() + LIMIT.toNanos();
    Set<String> ids = new HashSet<>();
    List<String> payloads = new ArrayList<>();
    TopicPartition partition = new TopicPartition(name, 0);
    try (KafkaConsumer<String, String> consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", servers()),
            new StringDeserializer(),
            new StringDeserializer())) {
      consumer.assign(List.of(partition));
      consumer.seekToBeginning(List.of(partition));
      while (payloads.size() < messages) {
        if (System.nanoTime() > deadline) {
          throw new AssertionError(
              "%d messages expected in %s within %s, but got %s"
                  .formatted(messages, name, LIMIT, payloads));
        }
        for (ConsumerRecord<String, String> message : consumer.poll(POLL)) {
          if (ids.add(id(message))) {
            payloads.add(message.value());
          }
        }
      }
    }
    return payloads;
  }

  private static String id(ConsumerRecord<String, String> message) {
    return new String(message.headers().lastHeader("angarium-id").value(), UTF_8);
  }
}
