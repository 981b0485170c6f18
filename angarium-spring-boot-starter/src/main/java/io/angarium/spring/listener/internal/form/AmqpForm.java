package io.angarium.spring.listener.internal.form;

import org.jspecify.annotations.Nullable;
import org.springframework.amqp.core.Message;

/** Messages of Spring AMQP. */
final class AmqpForm implements MessageForm {
  @Override
  public Class<?> type() {
    return Message.class;
  }

  @Override
  public @Nullable String id(Object message) {
    return ((Message) message).getMessageProperties().getMessageId();
  }

  @Override
  public @Nullable String header(Object message, String name) {
    return MessageForm.text(((Message) message).getMessageProperties().getHeaders().get(name));
  }

  @Override
  public String idPlace() {
    return "the property message_id";
  }

  @Override
  public String where(Object message) {
    return "queue " + ((Message) message).getMessageProperties().getConsumerQueue();
  }
}
