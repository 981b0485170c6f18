package io.angarium.spring.listener.internal.form;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;

/** What listeners of Kafka are given and throw; loaded only where there is one. */
final class KafkaArguments {
  private KafkaArguments() {}

  static List<?> list(Object polled) {
    List<ConsumerRecord<?, ?>> records = new ArrayList<>();
    ((ConsumerRecords<?, ?>) polled).forEach(records::add);
    return records;
  }

  @SuppressWarnings("deprecation") // clients before 4.0 have no other constructor
  static Object polled(List<?> records) {
    Map<TopicPartition, List<ConsumerRecord<Object, Object>>> partitions = new LinkedHashMap<>();
    for (Object each : records) {
      @SuppressWarnings("unchecked") // nobody looks into keys and values here
      ConsumerRecord<Object, Object> record = (ConsumerRecord<Object, Object>) each;
      partitions
          .computeIfAbsent(
              new TopicPartition(record.topic(), record.partition()), key -> new ArrayList<>())
          .add(record);
    }
    return new ConsumerRecords<>(partitions);
  }
}
