package io.angarium.kafka;

import io.angarium.Destination;
import io.angarium.Message;
import io.angarium.intake.StoredMessage;
import org.jspecify.annotations.Nullable;

/** Messages as a store would give them, for a topic. */
final class Messages {
  private Messages() {}

  static StoredMessage of(Message message) {
    return io.angarium.testtransports.Messages.of(message);
  }

  static StoredMessage of(String topic, @Nullable String key, String payload) {
    Destination destination = new Destination("kafka", topic);
    return io.angarium.testtransports.Messages.of(destination, key, payload);
  }
}
