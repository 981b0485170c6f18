package io.angarium.quickstart;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What stands in the topic, as read by a consumer that knows nothing of the quickstart. */
final class OrdersTopic {
  private static final Duration LIMIT = Duration.ofMinutes(1);

  private final JsonMapper json = new JsonMapper();
  private final Set<Long> orders = new HashSet<>();
  private final Map<String, Integer> last = new HashMap<>();
  private long outOfOrder;

  private OrdersTopic() {}

  static OrdersTopic read(String bootstrapServers) {
    OrdersTopic topic = new OrdersTopic();
    Map<String, Object> settings = Map.of("bootstrap.servers", bootstrapServers);
    try (KafkaConsumer<String, byte[]> consumer =
        new KafkaConsumer<>(settings, new StringDeserializer(), new ByteArrayDeserializer())) {
      List<TopicPartition> partitions =
          consumer.partitionsFor("orders").stream()
              .map(partition -> new TopicPartition(partition.topic(), partition.partition()))
              .toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      topic.readTo(consumer.endOffsets(partitions), consumer);
    }
    return topic;
  }

  private void readTo(Map<TopicPartition, Long> ends, KafkaConsumer<String, byte[]> consumer) {
    long deadline = System.nanoTime() + LIMIT.toNanos();
    while (ends.entrySet().stream()
        .anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
      consumer.poll(Duration.ofSeconds(1)).forEach(this::take);
      if (System.nanoTime() > deadline) {
        throw new AssertionError("The topic cannot be read to its end: " + ends);
      }
    }
  }

  private void take(ConsumerRecord<String, byte[]> record) {
    JsonNode order = json.readTree(record.value());
    int number = order.get("number").asInt();
    boolean first = orders.add(order.get("id").asLong());
    if (first && last.merge(record.key(), number, Math::max) > number) {
      outOfOrder++;
    }
  }

  /** The ids of the orders found. */
  Set<Long> orders() {
    return orders;
  }

  /** How many orders appear first after a later one of their customer. */
  long outOfOrder() {
    return outOfOrder;
  }
}
