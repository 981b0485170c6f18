package io.angarium.spring.listener;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.MessageId;
import io.angarium.confirmation.Receipts;
import io.angarium.inbox.Inbox;
import io.angarium.testkit.memory.InMemoryInbox;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionSynchronizationUtils;

/** Senders are told by their ids of messages that are known by something else. */
class ListenerReportingTest {
  private static final MessageId ONE = new MessageId(new UUID(0x7000L, 1));
  private static final MessageId TWO = new MessageId(new UUID(0x7000L, 2));

  private final List<MessageId> told = Collections.synchronizedList(new ArrayList<>());
  private final Receipts receipts = Receipts.start(told::addAll);
  private final AnnotationConfigApplicationContext context =
      new AnnotationConfigApplicationContext();
  private final Stock stock = start();

  private Stock start() {
    context.registerBean(
        IdempotentConsumers.class, () -> new IdempotentConsumers(context.getBeanFactory()));
    context.registerBean(Inbox.class, InMemoryInbox::new);
    context.registerBean(Receipts.class, () -> receipts);
    context.registerBean(Stock.class);
    context.refresh();
    return context.getBean(Stock.class);
  }

  @AfterEach
  void close() {
    context.close();
  }

  static class Stock {
    @IdempotentConsumer(consumer = "business", businessKey = true)
    void business(ConsumerRecord<String, String> record) {
      if (record.value().equals("fails")) {
        throw new IllegalStateException("planned");
      }
    }

    @IdempotentConsumer(consumer = "key", key = "value()")
    void batch(List<ConsumerRecord<String, String>> records) {}

    @IdempotentConsumer(consumer = "header", key = "#p0")
    void header(String order, @Header("angarium-id") String id) {}

    @IdempotentConsumer(consumer = "id")
    void id(ConsumerRecord<String, String> record) {}
  }

  private static ConsumerRecord<String, String> record(MessageId id, String value) {
    ConsumerRecord<String, String> record = new ConsumerRecord<>("orders", 3, 17, "key", value);
    record.headers().add("angarium-id", id.toString().getBytes(UTF_8));
    record.headers().add("angarium-business-type", "paid".getBytes(UTF_8));
    record.headers().add("angarium-business-key", value.getBytes(UTF_8));
    return record;
  }

  /** All that was noted until then. */
  private List<MessageId> told() {
    receipts.close();
    return told;
  }

  @Test
  void senderIsToldOfEachMessageWithTheSameBusinessKey() {
    stock.business(record(ONE, "4711"));
    stock.business(record(TWO, "4711"));

    assertThat(told()).containsExactly(ONE, TWO);
  }

  @Test
  void senderIsToldOfEachMessageOfABatch() {
    stock.batch(List.of(record(ONE, "4711"), record(TWO, "4711")));

    assertThat(told()).containsExactly(ONE, TWO);
  }

  @Test
  void headerBesideAPayloadTellsTheId() {
    stock.header("4711", ONE.toString());

    assertThat(told()).containsExactly(ONE);
  }

  @Test
  void senderIsNotToldOfWhatFailed() {
    assertThatThrownBy(() -> stock.business(record(ONE, "fails"))).hasMessage("planned");

    assertThat(told()).isEmpty();
  }

  @Test
  void theInboxTellsOfWhatItKnowsByItsId() {
    stock.id(record(ONE, "4711"));

    assertThat(told()).isEmpty();
  }

  @Test
  void senderIsToldAfterTheCommitOfATransactionThatWasRunning() {
    TransactionSynchronizationManager.initSynchronization();
    try {
      stock.business(record(ONE, "4711")); // rolled back
    } finally {
      TransactionSynchronizationManager.clearSynchronization();
    }
    TransactionSynchronizationManager.initSynchronization();
    try {
      stock.business(record(TWO, "4711"));
      TransactionSynchronizationUtils.triggerAfterCommit();
    } finally {
      TransactionSynchronizationManager.clearSynchronization();
    }

    assertThat(told()).containsExactly(TWO);
  }
}
