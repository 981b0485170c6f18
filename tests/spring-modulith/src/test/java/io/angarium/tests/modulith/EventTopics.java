package io.angarium.tests.modulith;

import io.angarium.testservers.KafkaServer;
import io.angarium.testservers.SharedServers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import tools.jackson.databind.json.JsonMapper;

/** The topics of the application's events, and what is in them. */
final class EventTopics {
  static final String ORDERS = "shop-orders";
  static final String STOCK = "shop-stock";

  private static final int PARTITIONS = 3;
  private static final JsonMapper JSON = new JsonMapper();

  private EventTopics() {}

  /** The Kafka of this JVM, where the topics are there from the first call on. */
  static KafkaServer kafka() {
    return Ready.KAFKA;
  }

  private static final class Ready {
    static final KafkaServer KAFKA = withTopics();

    private static KafkaServer withTopics() {
      KafkaServer kafka = SharedServers.kafka();
      kafka.createTopic(ORDERS, PARTITIONS);
      kafka.createTopic(STOCK, PARTITIONS);
      return kafka;
    }
  }

  /**
   * The order numbers of one key in a topic, up to its end as it is now. A number that came again,
   * as after a crash, stands where it came first.
   */
  static List<Long> numbers(String topic, String key) {
    return records(topic).stream()
        .filter(record -> record.key().equals(key))
        .map(record -> JSON.readTree(record.value()).get("number").asLong())
        .distinct()
        .toList();
  }

  static List<ConsumerRecord<String, String>> records(String topic) {
    List<TopicPartition> partitions =
        IntStream.range(0, PARTITIONS).mapToObj(each -> new TopicPartition(topic, each)).toList();
    List<ConsumerRecord<String, String>> records = new ArrayList<>();
    try (KafkaConsumer<String, String> consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", kafka().bootstrapServers()),
            new StringDeserializer(),
            new StringDeserializer())) {
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      while (partitions.stream().anyMatch(each -> consumer.position(each) < ends.get(each))) {
        consumer.poll(Duration.ofSeconds(1)).forEach(records::add);
      }
    }
    return records;
  }
}
