package io.angarium.spring.listener;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.amqp.AmqpRejectAndDontRequeueException;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageProperties;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.core.QueueBuilder;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;

/** What becomes of messages that can never be processed. */
class UnidentifiedMessagesTest {
  private static final Duration PAUSE = Duration.ofMillis(200);
  private final UnidentifiedMessageException failure =
      new UnidentifiedMessageException("there is none", null);

  private final DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
  private final UnidentifiedMessages messages = new UnidentifiedMessages(beans, true, PAUSE);

  private static Message from(String queue, boolean redelivered) {
    MessageProperties properties = new MessageProperties();
    properties.setConsumerQueue(queue);
    properties.setRedelivered(redelivered);
    return new Message(new byte[0], properties);
  }

  /** A pause that is too short is the fault; none that is too long. */
  private Duration paused(UnidentifiedMessages which, Message message) {
    long begin = System.nanoTime();
    assertThat(which.failure(failure, message, true)).isSameAs(failure);
    return Duration.ofNanos(System.nanoTime() - begin);
  }

  @Test
  void messageThatComesAgainIsGivenBackAfterAPause() {
    assertThat(messages.failure(failure, from("orders", false), true)).isSameAs(failure);
    assertThat(paused(messages, from("orders", true))).isGreaterThanOrEqualTo(PAUSE);
    assertThat(paused(messages, from("orders", true))).isGreaterThanOrEqualTo(PAUSE);
  }

  @Test
  void messageOfAQueueWithADeadLetterExchangeIsRejected() {
    beans.registerSingleton(
        "queue", QueueBuilder.durable("orders").deadLetterExchange("dead").build());
    beans.registerSingleton("other", new Queue("others"));

    assertThat(messages.failure(failure, from("orders", false), true))
        .isInstanceOf(AmqpRejectAndDontRequeueException.class)
        .hasCause(failure);
    assertThat(messages.failure(failure, from("others", false), true)).isSameAs(failure);
    assertThat(messages.failure(failure, from("orders", false), false))
        .as("a batch, of which the others would be rejected as well")
        .isSameAs(failure);
  }
}
