package io.angarium.spring.listener.internal.form;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/** Records of Kafka's client. */
final class KafkaForm implements MessageForm {
  @Override
  public Class<?> type() {
    return ConsumerRecord.class;
  }

  @Override
  public @Nullable String id(Object message) {
    return header(message, ID);
  }

  @Override
  public @Nullable String header(Object message, String name) {
    Header header = ((ConsumerRecord<?, ?>) message).headers().lastHeader(name);
    return header == null ? null : MessageForm.text(header.value());
  }

  @Override
  public String idPlace() {
    return "the header " + ID;
  }

  @Override
  public String where(Object message) {
    ConsumerRecord<?, ?> record = (ConsumerRecord<?, ?>) message;
    return "topic " + record.topic() + "-" + record.partition() + ", offset " + record.offset();
  }
}
