package io.angarium.spring.listener.internal.form;

import org.apache.rocketmq.common.message.MessageExt;
import org.jspecify.annotations.Nullable;

/** Messages of RocketMQ's client. */
final class RocketForm implements MessageForm {
  @Override
  public Class<?> type() {
    return MessageExt.class;
  }

  @Override
  public @Nullable String id(Object message) {
    return header(message, ID);
  }

  @Override
  public @Nullable String header(Object message, String name) {
    return ((MessageExt) message).getUserProperty(name);
  }

  @Override
  public String idPlace() {
    return "the user property " + ID;
  }

  @Override
  public String where(Object message) {
    MessageExt received = (MessageExt) message;
    return "topic "
        + received.getTopic()
        + ", queue "
        + received.getQueueId()
        + ", offset "
        + received.getQueueOffset();
  }
}
