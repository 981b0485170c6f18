package io.angarium.recipes.testcontainers.kafka;

import io.angarium.Message;
import io.angarium.testkit.PublishedMessages;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.springframework.boot.test.context.TestComponent;
import org.springframework.kafka.annotation.KafkaListener;

@TestComponent
class Arrivals {
  private final PublishedMessages messages = new PublishedMessages();

  @KafkaListener(topics = "orders", groupId = "arrivals")
  void receive(ConsumerRecord<String, String> found) {
    messages.record(List.of(Message.of("kafka:" + found.topic(), found.value()).key(found.key())));
  }

  PublishedMessages messages() {
    return messages;
  }
}
