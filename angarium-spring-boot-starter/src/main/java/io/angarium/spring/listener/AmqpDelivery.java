package io.angarium.spring.listener;

import org.jspecify.annotations.Nullable;
import org.springframework.amqp.AmqpRejectAndDontRequeueException;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.Queue;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.util.ClassUtils;

/** How a message came from a queue; needs no class of Spring AMQP. */
final class AmqpDelivery {
  private static final ClassLoader LOADER = AmqpDelivery.class.getClassLoader();
  private static final boolean AMQP =
      ClassUtils.isPresent("org.springframework.amqp.core.Message", LOADER);
  private static final boolean MESSAGING =
      ClassUtils.isPresent("org.springframework.messaging.Message", LOADER);

  private AmqpDelivery() {}

  /** Null if it is unknown. */
  static @Nullable String queue(Object message) {
    if (AMQP && OnAmqp.isOne(message)) {
      return OnAmqp.queue(message);
    }
    return MESSAGING && header(message, "amqp_consumerQueue") instanceof String queue
        ? queue
        : null;
  }

  /** False if it is known to come for the first time. */
  static boolean mayBeRepeated(Object message) {
    if (AMQP && OnAmqp.isOne(message)) {
      return OnAmqp.isRepeated(message);
    }
    return !MESSAGING
        || (!Boolean.FALSE.equals(header(message, "amqp_redelivered"))
            && !Boolean.FALSE.equals(header(message, "jms_redelivered")));
  }

  private static @Nullable Object header(Object message, String name) {
    return message instanceof org.springframework.messaging.Message<?> received
        ? received.getHeaders().get(name)
        : null;
  }

  /** Whether what is rejected is kept, as far as the application declares it. */
  static boolean hasDeadLetters(ListableBeanFactory beans, String queue) {
    return AMQP && OnAmqp.hasDeadLetters(beans, queue);
  }

  static RuntimeException rejected(UnidentifiedMessageException failure) {
    return OnAmqp.rejected(failure);
  }

  /** Loaded only where there is Spring AMQP. */
  private static final class OnAmqp {
    static boolean isOne(Object message) {
      return message instanceof Message;
    }

    static @Nullable String queue(Object message) {
      return ((Message) message).getMessageProperties().getConsumerQueue();
    }

    static boolean isRepeated(Object message) {
      return !Boolean.FALSE.equals(((Message) message).getMessageProperties().isRedelivered());
    }

    static boolean hasDeadLetters(ListableBeanFactory beans, String queue) {
      return beans.getBeanProvider(Queue.class).stream()
          .anyMatch(
              each ->
                  each.getName().equals(queue)
                      && each.getArguments() != null
                      && each.getArguments().containsKey("x-dead-letter-exchange"));
    }

    static RuntimeException rejected(UnidentifiedMessageException failure) {
      return new AmqpRejectAndDontRequeueException(
          "Rejected, to the dead-letter exchange of its queue", failure);
    }
  }
}
