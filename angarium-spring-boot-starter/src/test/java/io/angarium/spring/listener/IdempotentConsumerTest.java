package io.angarium.spring.listener;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.inbox.ConcurrentDeliveryException;
import io.angarium.inbox.Inbox;
import io.angarium.inbox.InboxKey;
import io.angarium.testkit.memory.InMemoryInbox;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;
import org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyContext;
import org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyStatus;
import org.apache.rocketmq.client.consumer.listener.ConsumeOrderlyContext;
import org.apache.rocketmq.client.consumer.listener.ConsumeOrderlyStatus;
import org.apache.rocketmq.client.consumer.listener.MessageListenerConcurrently;
import org.apache.rocketmq.client.consumer.listener.MessageListenerOrderly;
import org.apache.rocketmq.common.message.MessageExt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.amqp.core.MessageBuilder;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.kafka.listener.BatchListenerFailedException;
import org.springframework.kafka.support.Acknowledgment;
import org.springframework.messaging.Message;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.messaging.handler.annotation.Payload;

/** What listeners are called with, without a broker. */
class IdempotentConsumerTest {
  private static final UUID ONE = new UUID(1, 1);
  private static final UUID TWO = new UUID(2, 2);
  private static final UUID THREE = new UUID(3, 3);

  private final InMemoryInbox inbox = new InMemoryInbox();
  private final AnnotationConfigApplicationContext context =
      new AnnotationConfigApplicationContext();
  private final Stock stock = start();

  private Stock start() {
    context.registerBean(
        IdempotentConsumers.class, () -> new IdempotentConsumers(context.getBeanFactory()));
    context.registerBean(Inbox.class, () -> inbox);
    context.registerBean(FirstWord.class);
    context.registerBean(Concurrent.class);
    context.registerBean(Orderly.class);
    context.registerBean(Stock.class);
    context.refresh();
    return context.getBean(Stock.class);
  }

  @AfterEach
  void close() {
    context.close();
  }

  static class Stock {
    final List<Object> received = new ArrayList<>();
    RuntimeException failure;
    Runnable later;

    List<Object> received() {
      return received;
    }

    void failNext(RuntimeException next) {
      failure = next;
    }

    void receive(Object what) {
      received.add(what);
      RuntimeException next = failure;
      failure = null;
      if (next != null) {
        throw next;
      }
    }

    @IdempotentConsumer(consumer = "record")
    String record(ConsumerRecord<String, String> record) {
      receive(record.value());
      return "reserved";
    }

    @IdempotentConsumer(consumer = "records")
    void records(List<ConsumerRecord<String, String>> records, Acknowledgment acknowledgment) {
      receive(records.stream().map(ConsumerRecord::value).toList());
      acknowledgment.acknowledge();
      received.add(acknowledgment.isOutOfOrderCommit());
    }

    @IdempotentConsumer(consumer = "polled")
    void polled(ConsumerRecords<String, String> records) {
      List<String> values = new ArrayList<>();
      records.forEach(record -> values.add(record.value()));
      receive(values);
    }

    @IdempotentConsumer(consumer = "acknowledged")
    void acknowledged(ConsumerRecord<String, String> record, Acknowledgment acknowledgment) {
      acknowledgment.acknowledge();
      receive(record.value());
    }

    @IdempotentConsumer(consumer = "later")
    void acknowledgedLater(ConsumerRecord<String, String> record, Acknowledgment acknowledgment) {
      later = acknowledgment::acknowledge;
      receive(record.value());
    }

    void later() {
      later.run();
    }

    @IdempotentConsumer(consumer = "nack")
    void notAcknowledged(ConsumerRecord<String, String> record, Acknowledgment acknowledgment) {
      received.add(record.value());
      acknowledgment.nack(Duration.ZERO);
    }

    @IdempotentConsumer(consumer = "spring")
    void message(Message<String> message) {
      receive(message.getPayload());
    }

    @IdempotentConsumer(consumer = "springs")
    void messages(List<Message<String>> messages) {
      receive(messages.stream().map(Message::getPayload).toList());
    }

    @IdempotentConsumer(consumer = "amqp")
    void amqp(org.springframework.amqp.core.Message message) {
      receive(new String(message.getBody(), UTF_8));
    }

    @IdempotentConsumer(consumer = "header")
    void header(@Payload String order, @Header("angarium-id") byte[] id) {
      receive(order);
    }

    @IdempotentConsumer(consumer = "optional")
    void optional(
        @Payload String order, @Header(name = "angarium-id", required = false) String id) {
      receive(order);
    }

    @IdempotentConsumer(consumer = "business", businessKey = true)
    void business(ConsumerRecord<String, String> record) {
      receive(record.value());
    }

    @IdempotentConsumer(consumer = "expression", key = "value().split(' ')[0]", type = "order")
    void expression(ConsumerRecord<String, String> record) {
      receive(record.value());
    }

    @IdempotentConsumer(consumer = "value", key = "value()")
    void value(ConsumerRecord<String, Object> record) {
      receive(record.value());
    }

    @IdempotentConsumer(consumer = "argument", key = "#p0")
    void argument(String order) {
      receive(order);
    }

    @IdempotentConsumer(consumer = "extracted", extractor = FirstWord.class)
    void extracted(List<ConsumerRecord<String, String>> records) {
      receive(records.stream().map(ConsumerRecord::value).toList());
    }
  }

  static class FirstWord implements KeyExtractor<ConsumerRecord<String, String>> {
    @Override
    public Optional<String> keyOf(ConsumerRecord<String, String> message) {
      String word = message.value().split(" ", 2)[0];
      return word.equals("none") ? Optional.empty() : Optional.of(word);
    }
  }

  private static ConsumerRecord<String, String> record(UUID id, String value) {
    ConsumerRecord<String, String> record = new ConsumerRecord<>("orders", 3, 17, "key", value);
    record.headers().add("angarium-id", id.toString().getBytes(UTF_8));
    return record;
  }

  private static ConsumerRecord<String, String> withoutId(String value) {
    return new ConsumerRecord<>("orders", 3, 17, "key", value);
  }

  @Test
  void repeatIsNotReceivedAndReturnsNothing() {
    assertThat(stock.record(record(ONE, "first"))).isEqualTo("reserved");
    assertThat(stock.record(record(ONE, "repeat"))).isNull();
    assertThat(stock.record(record(TWO, "second"))).isEqualTo("reserved");

    assertThat(stock.received()).containsExactly("first", "second");
  }

  @Test
  void keyIsThatOfPlainJava() {
    stock.record(record(ONE, "first"));

    assertThat(
            inbox.process(InboxKey.of("record", new io.angarium.MessageId(ONE)), transaction -> {}))
        .isFalse();
  }

  @Test
  void failureGoesOnAsItIsAndTheNextDeliveryIsReceived() {
    IllegalStateException failure = new IllegalStateException("planned");
    stock.failNext(failure);

    assertThatThrownBy(() -> stock.record(record(ONE, "first"))).isSameAs(failure);
    stock.record(record(ONE, "again"));

    assertThat(stock.received()).containsExactly("first", "again");
  }

  @Test
  void deliveryThatIsBeingProcessedElsewhereMustComeAgain() {
    assertThatThrownBy(
            () ->
                inbox.process(
                    InboxKey.of("record", new io.angarium.MessageId(ONE)),
                    transaction -> stock.record(record(ONE, "at once"))))
        .isInstanceOf(ConcurrentDeliveryException.class);

    assertThat(stock.received()).isEmpty();
  }

  @Test
  void batchHasTheNewOnesOnly() {
    List<String> acknowledged = new ArrayList<>();
    Acknowledgment acknowledgment = () -> acknowledged.add("all");

    stock.records(List.of(record(ONE, "1")), acknowledgment);
    stock.records(
        List.of(record(TWO, "2"), record(ONE, "1"), record(THREE, "3"), record(TWO, "2")),
        acknowledgment);
    stock.records(List.of(record(THREE, "3"), record(TWO, "2")), acknowledgment);

    assertThat(stock.received()).containsExactly(List.of("1"), false, List.of("2", "3"), false);
    assertThat(acknowledged).hasSize(3);
  }

  @Test
  void whatKafkaPolledHasTheNewOnesOnly() {
    ConsumerRecord<String, String> elsewhere =
        new ConsumerRecord<>("orders", 4, 1, "key", "elsewhere");
    elsewhere.headers().add("angarium-id", THREE.toString().getBytes(UTF_8));

    stock.polled(polled(record(ONE, "1")));
    stock.polled(polled(record(ONE, "1"), record(TWO, "2"), elsewhere));

    assertThat(stock.received()).containsExactly(List.of("1"), List.of("2", "elsewhere"));
  }

  @SafeVarargs
  @SuppressWarnings({"deprecation", "varargs"})
  private static ConsumerRecords<String, String> polled(ConsumerRecord<String, String>... records) {
    Map<TopicPartition, List<ConsumerRecord<String, String>>> partitions =
        new java.util.TreeMap<>(java.util.Comparator.comparing(TopicPartition::partition));
    for (ConsumerRecord<String, String> record : records) {
      partitions
          .computeIfAbsent(
              new TopicPartition("orders", record.partition()), key -> new ArrayList<>())
          .add(record);
    }
    return new ConsumerRecords<>(partitions);
  }

  @Test
  void failureThatNamesOneRecordIsNotShownToTheContainerAsOne() {
    IllegalStateException reason = new IllegalStateException("no stock");
    stock.failNext(new BatchListenerFailedException("second", reason, 1));

    assertThatThrownBy(() -> stock.records(List.of(record(ONE, "1"), record(TWO, "2")), () -> {}))
        .isNotInstanceOf(BatchListenerFailedException.class)
        .hasMessageContainingAll("Stock.records", "second", "rolled back")
        .cause()
        .isSameAs(reason);
    stock.records(List.of(record(ONE, "1"), record(TWO, "2")), () -> {});

    assertThat(stock.received()).containsExactly(List.of("1", "2"), List.of("1", "2"), false);
  }

  @Test
  void acknowledgementWaitsForTheCommit() {
    List<String> acknowledged = new ArrayList<>();
    stock.failNext(new IllegalStateException("planned"));

    assertThatThrownBy(() -> stock.acknowledged(record(ONE, "1"), () -> acknowledged.add("1")))
        .hasMessage("planned");
    assertThat(acknowledged).isEmpty();

    stock.acknowledged(record(ONE, "1"), () -> acknowledged.add("1"));
    stock.acknowledged(record(ONE, "1"), () -> acknowledged.add("repeat"));
    assertThat(acknowledged).containsExactly("1", "repeat");
  }

  @Test
  void anAcknowledgementAfterTheListenerHasReturnedGoesOnIfItsWorkIsCommitted() {
    List<String> acknowledged = new ArrayList<>();
    stock.failNext(new IllegalStateException("planned"));

    assertThatThrownBy(() -> stock.acknowledgedLater(record(ONE, "1"), () -> acknowledged.add("1")))
        .hasMessage("planned");
    stock.later();
    assertThat(acknowledged).isEmpty();

    stock.acknowledgedLater(record(ONE, "1"), () -> acknowledged.add("1"));
    assertThat(acknowledged).isEmpty();
    stock.later();
    stock.later();
    assertThat(acknowledged).containsExactly("1");
  }

  @Test
  void negativeAcknowledgementIsRefusedAndRollsBack() {
    List<String> acknowledged = new ArrayList<>();

    assertThatThrownBy(() -> stock.notAcknowledged(record(ONE, "1"), () -> acknowledged.add("1")))
        .isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> stock.notAcknowledged(record(ONE, "1"), () -> acknowledged.add("1")))
        .isInstanceOf(UnsupportedOperationException.class);

    assertThat(stock.received()).containsExactly("1", "1");
    assertThat(acknowledged).isEmpty();
  }

  private static Message<String> message(String header, Object id, String payload) {
    return org.springframework.messaging.support.MessageBuilder.withPayload(payload)
        .setHeader(header, id)
        .build();
  }

  @Test
  void messagesOfSpringAreKnownByTheirHeaders() {
    stock.message(message("angarium-id", ONE.toString().getBytes(UTF_8), "1"));
    stock.message(message("angarium-id", ONE.toString(), "repeat"));
    stock.message(message("amqp_messageId", ONE.toString(), "repeat"));
    stock.messages(
        List.of(
            message("angarium-id", ONE, "1"),
            message("angarium-id", TWO, "2"),
            message("angarium-id", ONE, "1")));

    assertThat(stock.received()).containsExactly("1", List.of("1", "2"));
  }

  @Test
  void messagesOfSpringAmqpAreKnownByTheirMessageId() {
    stock.amqp(MessageBuilder.withBody(new byte[] {'1'}).setMessageId("of somebody else").build());
    stock.amqp(MessageBuilder.withBody(new byte[] {'2'}).setMessageId("of somebody else").build());

    assertThat(stock.received()).containsExactly("1");
  }

  @Test
  void headerWithTheIdWillDo() {
    stock.header("1", ONE.toString().getBytes(UTF_8));
    stock.header("repeat", ONE.toString().getBytes(UTF_8));

    assertThat(stock.received()).containsExactly("1");
  }

  @Test
  void headerThatIsAbsentIsAnError() {
    assertThatThrownBy(() -> stock.optional("1", null))
        .isInstanceOf(UnidentifiedMessageException.class);
  }

  @Test
  void businessKeyIsThatOfTheSender() {
    stock.business(business(ONE, "paid", "4711"));
    stock.business(business(TWO, "paid", "4711"));
    stock.business(business(THREE, "shipped", "4711"));

    assertThat(stock.received()).containsExactly("paid", "shipped");
    assertThat(inbox.process(InboxKey.ofBusiness("business", "paid", "4711"), t -> {})).isFalse();
  }

  private static ConsumerRecord<String, String> business(UUID id, String type, String key) {
    ConsumerRecord<String, String> record = record(id, type);
    record.headers().add("angarium-business-type", type.getBytes(UTF_8));
    record.headers().add("angarium-business-key", key.getBytes(UTF_8));
    return record;
  }

  @Test
  void keyMayBeAnExpression() {
    stock.expression(withoutId("4711 paid"));
    stock.expression(withoutId("4711 paid again"));
    stock.argument("4712");
    stock.argument("4712");

    assertThat(stock.received()).containsExactly("4711 paid", "4712");
    assertThat(inbox.process(InboxKey.ofBusiness("expression", "order", "4711"), t -> {}))
        .isFalse();
    assertThat(inbox.process(InboxKey.of("argument", "4712"), t -> {})).isFalse();
  }

  @Test
  void keyMayBeAnyValueThatHasTheSameTextAtEachDelivery() {
    List<Object> values =
        List.of(4711, ONE, Thread.State.NEW, LocalDate.EPOCH, 'c', "4712".getBytes(UTF_8));

    for (Object value : values) {
      stock.value(new ConsumerRecord<>("orders", 3, 17, "key", value));
      stock.value(new ConsumerRecord<>("orders", 3, 18, "key", value));
    }

    assertThat(stock.received()).isEqualTo(values);
    assertThat(inbox.process(InboxKey.of("value", "4712"), t -> {})).isFalse();
  }

  /** As of a LongSerializer: read as UTF-8, these two are one text. */
  @Test
  void keysThatAreNoTextAreToldApart() {
    List<byte[]> values =
        List.of(
            new byte[] {0, 0, (byte) 0x80}, new byte[] {0, 0, (byte) 0x81}, new byte[] {0, 0, 1});

    for (byte[] value : values) {
      stock.value(new ConsumerRecord<>("orders", 3, 17, "key", value));
      stock.value(new ConsumerRecord<>("orders", 3, 18, "key", value));
    }

    assertThat(stock.received()).isEqualTo(values);
  }

  @Test
  void keyThatMayHaveAnotherTextAtTheNextDeliveryIsAnError() {
    for (Object value : List.of(new Object(), List.of("1", "2"), new int[] {1}, Map.of())) {
      assertThatThrownBy(() -> stock.value(new ConsumerRecord<>("orders", 3, 17, "key", value)))
          .isInstanceOf(UnidentifiedMessageException.class)
          .hasMessageContaining("(expected: text, a number, a UUID, an enum, a time or bytes)");
    }

    assertThat(stock.received()).isEmpty();
  }

  @Test
  void keyMayComeFromABean() {
    stock.extracted(List.of(withoutId("4711 paid"), withoutId("4711 again")));

    assertThat(stock.received()).containsExactly(List.of("4711 paid"));
  }

  @Test
  void messageWithoutAnIdIsAnErrorThatSaysWhatToDo() {
    assertThatThrownBy(() -> stock.record(withoutId("1")))
        .isInstanceOf(UnidentifiedMessageException.class)
        .hasMessageContainingAll(
            "Stock.record",
            "consumer record",
            "topic orders-3, offset 17",
            "expected: the header angarium-id",
            "extractor");
    assertThatThrownBy(() -> stock.extracted(List.of(withoutId("1"), withoutId("none"))))
        .isInstanceOf(UnidentifiedMessageException.class)
        .hasMessageContaining("FirstWord");
    assertThatThrownBy(() -> stock.expression(withoutId("")))
        .isInstanceOf(UnidentifiedMessageException.class)
        .hasMessageContaining("value().split");
    assertThatThrownBy(() -> stock.expression(withoutId(null)))
        .isInstanceOf(UnidentifiedMessageException.class)
        .hasCauseInstanceOf(RuntimeException.class);

    assertThat(stock.received()).isEmpty();
  }

  static class Concurrent implements MessageListenerConcurrently {
    final List<Object> received = new ArrayList<>();
    ConsumeConcurrentlyStatus answer = ConsumeConcurrentlyStatus.CONSUME_SUCCESS;

    List<Object> received() {
      return received;
    }

    void answer(ConsumeConcurrentlyStatus status) {
      answer = status;
    }

    @Override
    @IdempotentConsumer(consumer = "concurrent")
    public ConsumeConcurrentlyStatus consumeMessage(
        List<MessageExt> messages, ConsumeConcurrentlyContext context) {
      received.add(messages.stream().map(message -> new String(message.getBody(), UTF_8)).toList());
      return answer;
    }
  }

  static class Orderly implements MessageListenerOrderly {
    final List<Object> received = new ArrayList<>();
    ConsumeOrderlyStatus answer = ConsumeOrderlyStatus.SUCCESS;

    List<Object> received() {
      return received;
    }

    void answer(ConsumeOrderlyStatus status) {
      answer = status;
    }

    @Override
    @IdempotentConsumer(consumer = "orderly")
    public ConsumeOrderlyStatus consumeMessage(
        List<MessageExt> messages, ConsumeOrderlyContext context) {
      received.add(messages.stream().map(message -> new String(message.getBody(), UTF_8)).toList());
      return answer;
    }
  }

  private static MessageExt rocket(UUID id, String body) {
    MessageExt message = new MessageExt();
    message.setTopic("orders");
    message.setBody(body.getBytes(UTF_8));
    message.putUserProperty("angarium-id", id.toString());
    return message;
  }

  @Test
  void listenersOfRocketMqAnswerWithAStatus() {
    Concurrent listener = context.getBean(Concurrent.class);

    listener.answer(ConsumeConcurrentlyStatus.RECONSUME_LATER);
    assertThat(listener.consumeMessage(List.of(rocket(ONE, "1")), null))
        .isEqualTo(ConsumeConcurrentlyStatus.RECONSUME_LATER);
    listener.answer(null);
    assertThat(listener.consumeMessage(List.of(rocket(ONE, "1")), null)).isNull();
    listener.answer(ConsumeConcurrentlyStatus.CONSUME_SUCCESS);
    assertThat(listener.consumeMessage(List.of(rocket(ONE, "1")), null))
        .isEqualTo(ConsumeConcurrentlyStatus.CONSUME_SUCCESS);
    assertThat(listener.consumeMessage(List.of(rocket(ONE, "1"), rocket(TWO, "2")), null))
        .isEqualTo(ConsumeConcurrentlyStatus.CONSUME_SUCCESS);
    assertThat(listener.consumeMessage(List.of(rocket(ONE, "1"), rocket(TWO, "2")), null))
        .isEqualTo(ConsumeConcurrentlyStatus.CONSUME_SUCCESS);

    assertThat(listener.received())
        .containsExactly(List.of("1"), List.of("1"), List.of("1"), List.of("2"));
  }

  @Test
  void orderlyListenersOfRocketMqAnswerWithAStatus() {
    Orderly listener = context.getBean(Orderly.class);

    listener.answer(ConsumeOrderlyStatus.SUSPEND_CURRENT_QUEUE_A_MOMENT);
    assertThat(listener.consumeMessage(List.of(rocket(ONE, "1")), null))
        .isEqualTo(ConsumeOrderlyStatus.SUSPEND_CURRENT_QUEUE_A_MOMENT);
    listener.answer(ConsumeOrderlyStatus.SUCCESS);
    assertThat(listener.consumeMessage(List.of(rocket(ONE, "1")), null))
        .isEqualTo(ConsumeOrderlyStatus.SUCCESS);
    assertThat(listener.consumeMessage(List.of(rocket(ONE, "1")), null))
        .isEqualTo(ConsumeOrderlyStatus.SUCCESS);

    assertThat(listener.received()).containsExactly(List.of("1"), List.of("1"));
  }

  @Test
  void partOfABatchOfRocketMqCannotBeAcknowledged() {
    Concurrent listener = context.getBean(Concurrent.class);
    ConsumeConcurrentlyContext part =
        new ConsumeConcurrentlyContext(
            new org.apache.rocketmq.common.message.MessageQueue("orders", "broker", 0));
    part.setAckIndex(0);

    assertThatThrownBy(
            () -> listener.consumeMessage(List.of(rocket(ONE, "1"), rocket(TWO, "2")), part))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("ackIndex");
  }
}
