package io.angarium.spring.listener.internal.form;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.messaging.Message;

/** Messages of spring-messaging, whatever broker they come from. */
public final class SpringForm implements MessageForm {
  /** The header in which Spring AMQP puts the property {@code message_id}. */
  public static final String AMQP_ID = "amqp_messageId";

  @Override
  public Class<?> type() {
    return Message.class;
  }

  @Override
  public @Nullable String id(Object message) {
    String id = header(message, ID);
    return id == null ? header(message, AMQP_ID) : id;
  }

  @Override
  public @Nullable String header(Object message, String name) {
    return MessageForm.text(headers(message).get(name));
  }

  @Override
  public String idPlace() {
    return "the header " + ID + " or " + AMQP_ID;
  }

  @Override
  public String where(Object message) {
    Object topic = headers(message).get("kafka_receivedTopic");
    if (topic != null) {
      return "topic "
          + topic
          + "-"
          + headers(message).get("kafka_receivedPartitionId")
          + ", offset "
          + headers(message).get("kafka_offset");
    }
    Object queue = headers(message).get("amqp_consumerQueue");
    return queue == null ? "a message of Spring" : "queue " + queue;
  }

  private static Map<String, Object> headers(Object message) {
    return ((Message<?>) message).getHeaders();
  }
}
