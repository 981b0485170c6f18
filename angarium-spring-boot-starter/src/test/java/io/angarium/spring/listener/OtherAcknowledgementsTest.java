package io.angarium.spring.listener;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.angarium.ConfigurationException;
import io.angarium.StoreException;
import io.angarium.inbox.Inbox;
import io.angarium.testkit.memory.InMemoryInbox;
import io.awspring.cloud.sqs.listener.acknowledgement.AcknowledgementCallback;
import io.awspring.cloud.sqs.listener.acknowledgement.BatchAcknowledgement;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.apache.pulsar.client.api.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.messaging.Message;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.messaging.support.MessageBuilder;
import org.springframework.pulsar.listener.Acknowledgement;

/**
 * Acknowledgements of JMS, Pulsar and SQS, by the types of their libraries. Those of Pulsar are
 * only read, since a class that they name needs its whole client.
 */
class OtherAcknowledgementsTest {
  private static final String ID = new UUID(1, 1).toString();

  private final InMemoryInbox inbox = new InMemoryInbox();
  private final AnnotationConfigApplicationContext context =
      new AnnotationConfigApplicationContext();
  private final List<String> told = new ArrayList<>();
  private Stock stock;

  @BeforeEach
  void start() {
    stock = refreshed(context, Stock.class).getBean(Stock.class);
  }

  private AnnotationConfigApplicationContext refreshed(
      AnnotationConfigApplicationContext fresh, Class<?> listeners) {
    fresh.registerBean(
        IdempotentConsumers.class, () -> new IdempotentConsumers(fresh.getBeanFactory()));
    fresh.registerBean(Inbox.class, () -> inbox);
    fresh.registerBean(listeners);
    fresh.refresh();
    return fresh;
  }

  @AfterEach
  void close() {
    context.close();
  }

  static class Stock {
    private final InMemoryInbox inbox;
    private boolean failing;

    Stock(InMemoryInbox inbox) {
      this.inbox = inbox;
    }

    void failing(boolean failing) {
      this.failing = failing;
    }

    @IdempotentConsumer(consumer = "jms")
    void jms(TextMessage message, @Header("angarium-id") String id) throws JMSException {
      message.acknowledge();
      assertThat(message.getText()).isEqualTo("text");
      inbox.unreachable(failing);
    }

    @IdempotentConsumer(consumer = "sqs")
    void sqs(
        Message<String> message,
        io.awspring.cloud.sqs.listener.acknowledgement.Acknowledgement acknowledgement) {
      acknowledgement.acknowledge();
      inbox.unreachable(failing);
    }

    @IdempotentConsumer(consumer = "sqs async")
    void sqsAsync(
        Message<String> message,
        io.awspring.cloud.sqs.listener.acknowledgement.Acknowledgement acknowledgement) {
      acknowledgement.acknowledgeAsync().join();
    }

    @IdempotentConsumer(consumer = "headers")
    void headers(Message<String> message) {
      assertThat(message.getHeaders())
          .doesNotContainKeys("Sqs_AcknowledgmentCallback", "jms_session")
          .containsKey("other");
    }
  }

  /** Notes what it is told. */
  private <T> T fake(Class<T> type) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              if (method.getName().equals("getText")) {
                return "text";
              }
              told.add(method.getName());
              return null;
            }));
  }

  private static MessageBuilder<String> message() {
    return MessageBuilder.withPayload("a").setHeader("angarium-id", ID).setHeader("other", 1);
  }

  private interface Delivery {
    void run() throws Exception;
  }

  private void waitsForTheCommit(Delivery delivery) throws Exception {
    stock.failing(true);
    assertThatThrownBy(delivery::run).isInstanceOf(StoreException.class);
    assertThat(told).isEmpty();

    inbox.unreachable(false);
    stock.failing(false);
    delivery.run();
    assertThat(told).containsExactly("acknowledge");
    delivery.run();
    assertThat(told).as("a repeat is acknowledged").containsExactly("acknowledge", "acknowledge");
  }

  @Test
  void messageOfJmsIsAcknowledgedAfterTheCommit() throws Exception {
    waitsForTheCommit(() -> stock.jms(fake(TextMessage.class), ID));
  }

  @Test
  void messageOfSqsIsAcknowledgedAfterTheCommit() throws Exception {
    waitsForTheCommit(
        () ->
            stock.sqs(
                message().build(),
                fake(io.awspring.cloud.sqs.listener.acknowledgement.Acknowledgement.class)));
  }

  @Test
  void whatCannotBeKeptBackRollsBack() {
    assertThatThrownBy(
            () ->
                stock.sqsAsync(
                    message().build(),
                    fake(io.awspring.cloud.sqs.listener.acknowledgement.Acknowledgement.class)))
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining("acknowledgeAsync of Acknowledgement");
    assertThat(told).isEmpty();
  }

  @Test
  void headersThatAcknowledgeAreTakenOut() {
    stock.headers(
        message()
            .setHeader("Sqs_AcknowledgmentCallback", fake(AcknowledgementCallback.class))
            .setHeader("jms_session", fake(Session.class))
            .build());

    assertThat(told).isEmpty();
  }

  static class Refused {
    @IdempotentConsumer(consumer = "a")
    void session(@Header("angarium-id") String id, Session session) {}

    @IdempotentConsumer(consumer = "b")
    void jmsContext(@Header("angarium-id") String id, JMSContext jms) {}

    @IdempotentConsumer(consumer = "c")
    void consumer(Message<String> message, Consumer<String> consumer) {}

    @IdempotentConsumer(consumer = "d")
    void several(Message<String> message, List<Acknowledgement> acknowledgements) {}

    @IdempotentConsumer(consumer = "e")
    void batch(List<Message<String>> messages, BatchAcknowledgement<String> acknowledgement) {}

    @IdempotentConsumer(consumer = "f")
    void callback(Message<String> message, AcknowledgementCallback<String> callback) {}
  }

  @Test
  void kindsThatCannotBeKeptBackAreRefusedAtTheStartByName() {
    try (AnnotationConfigApplicationContext fresh = new AnnotationConfigApplicationContext()) {
      List<String> faults =
          catchThrowableOfType(ConfigurationException.class, () -> refreshed(fresh, Refused.class))
              .faults();

      for (String[] expected :
          new String[][] {
            {"Refused.session", "a Session"},
            {"Refused.jmsContext", "jakarta.jms.JMSContext"},
            {"Refused.consumer", "org.apache.pulsar.client.api.Consumer"},
            {"Refused.several", "several Acknowledgement"},
            {"Refused.batch", "BatchAcknowledgement"},
            {"Refused.callback", "AcknowledgementCallback"}
          }) {
        assertThat(faults)
            .as(String.join(", ", expected))
            .anySatisfy(fault -> assertThat(fault).contains(expected).contains("commit"));
      }
      assertThat(faults).hasSize(6);
    }
  }
}
