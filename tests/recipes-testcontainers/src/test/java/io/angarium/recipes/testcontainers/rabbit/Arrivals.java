package io.angarium.recipes.testcontainers.rabbit;

import io.angarium.Message;
import io.angarium.testkit.PublishedMessages;
import java.util.List;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.boot.test.context.TestComponent;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.messaging.handler.annotation.Payload;

@TestComponent
class Arrivals {
  private final PublishedMessages messages = new PublishedMessages();

  @RabbitListener(queues = "parcels")
  void receive(@Payload byte[] payload, @Header("angarium-key") String key) {
    messages.record(List.of(Message.of("rabbitmq:/parcels", payload).key(key)));
  }

  PublishedMessages messages() {
    return messages;
  }
}
