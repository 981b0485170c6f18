package io.angarium.tests.spring;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.Message;
import io.angarium.Outbox;
import io.angarium.spring.listener.IdempotentConsumer;
import io.angarium.testservers.KafkaServer;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.SharedServers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.LongStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.listener.BatchListenerFailedException;
import org.springframework.kafka.support.Acknowledgment;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Listeners of Kafka that process each message once. Topics have one partition, to have an end. */
@RequiresServer(Server.KAFKA)
class KafkaListenersTest {
  private static final int ORDERS = 20;

  private final KafkaServer kafka = SharedServers.kafka();
  private final String topic = "listeners-" + UUID.randomUUID();

  private Shop shop(Database database, Class<?> listener) {
    kafka.createTopic(topic, 1);
    return Shop.on(database)
        .withoutJpa()
        .with(listener)
        .with("angarium.inbox.enabled=true")
        .with("angarium.inbox.schema-mode=create")
        .with("angarium.kafka.enabled=true")
        .with("spring.kafka.bootstrap-servers=" + kafka.bootstrapServers())
        .with("spring.kafka.consumer.group-id=" + topic)
        .with("spring.kafka.consumer.auto-offset-reset=earliest")
        .with("spring.kafka.consumer.max-poll-records=7")
        .with(
            "spring.kafka.consumer.value-deserializer=" + ByteArrayDeserializer.class.getName())
        .with("topic=" + topic);
  }

  private static List<Long> orders() {
    return LongStream.rangeClosed(1, ORDERS).boxed().toList();
  }

  private static void checkBookedOnce(ConfigurableApplicationContext context, Database database)
      throws InterruptedException {
    Movements movements = context.getBean(Movements.class);
    movements.awaitLast();

    assertThat(Movements.of(database)).isEqualTo(orders());
    assertThat(movements.failures()).isEqualTo(ORDERS / 5);
    Mailbox mailbox = context.getBean(Mailbox.class);
    orders().forEach(order -> mailbox.next());
    assertThat(mailbox.keys()).hasSize(ORDERS).doesNotHaveDuplicates();
  }

  private KafkaProducer<String, byte[]> producer() {
    return new KafkaProducer<>(
        Map.of("bootstrap.servers", kafka.bootstrapServers()),
        new StringSerializer(),
        new ByteArraySerializer());
  }

  private KafkaConsumer<String, byte[]> consumer() {
    return new KafkaConsumer<>(
        Map.of("bootstrap.servers", kafka.bootstrapServers(), "group.id", topic),
        new StringDeserializer(),
        new ByteArrayDeserializer());
  }

  /** Copies what is in the topic to its end, as a relay does that died before it could note it. */
  private void repeatAll() {
    TopicPartition partition = new TopicPartition(topic, 0);
    try (KafkaConsumer<String, byte[]> consumer = consumer();
        KafkaProducer<String, byte[]> producer = producer()) {
      consumer.assign(List.of(partition));
      consumer.seekToBeginning(List.of(partition));
      long end = consumer.endOffsets(List.of(partition)).get(partition);
      while (consumer.position(partition) < end) {
        for (ConsumerRecord<String, byte[]> record : consumer.poll(Duration.ofSeconds(1))) {
          store(
              producer,
              new ProducerRecord<>(topic, null, record.key(), record.value(), record.headers()));
        }
      }
    }
  }

  private static void send(ConfigurableApplicationContext context, List<Message> messages) {
    new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
        .executeWithoutResult(status -> messages.forEach(context.getBean(Outbox.class)::send));
  }

  private Message order(long order) {
    return Message.of("kafka:" + topic, ("" + order).getBytes(UTF_8)).key("orders");
  }

  @Test
  void eachRecordIsBookedOnceOnH2() throws InterruptedException {
    checkSingle(Movements.in(Database.h2()));
  }

  @Test
  @OnOneBoot
  @RequiresServer({Server.KAFKA, Server.POSTGRESQL})
  void eachRecordIsBookedOnceOnPostgres() throws InterruptedException {
    checkSingle(Movements.in(Database.postgres()));
  }

  private void checkSingle(Database database) throws InterruptedException {
    try (ConfigurableApplicationContext context = shop(database, Single.class).start()) {
      send(context, orders().stream().map(this::order).toList());
      Mailbox mailbox = context.getBean(Mailbox.class);
      assertThat(mailbox.next()).isNotNull();
      repeatAll(); // while some are booked, perhaps
      awaitRecords(context);
      repeatAll();
      send(context, List.of(order(Movements.LAST)));

      Movements movements = context.getBean(Movements.class);
      movements.awaitLast();
      assertThat(Movements.of(database)).isEqualTo(orders());
      assertThat(movements.failures()).isEqualTo(ORDERS / 5);
    }
    assertThat(database.unsent()).isZero();
  }

  private static void awaitRecords(ConfigurableApplicationContext context) {
    Mailbox mailbox = context.getBean(Mailbox.class);
    for (int i = 1; i < ORDERS; i++) {
      mailbox.next();
    }
    assertThat(mailbox.keys()).hasSize(ORDERS).doesNotHaveDuplicates();
  }

  /** With repeats among those of a batch, and of batches before. */
  private void produceInterleaved() {
    try (KafkaProducer<String, byte[]> producer = producer()) {
      UUID[] ids = orders().stream().map(order -> UUID.randomUUID()).toArray(UUID[]::new);
      for (int i = 0; i < ORDERS; i++) {
        produce(producer, ids[i], i + 1);
        produce(producer, ids[Math.max(0, i - 1)], Math.max(0, i - 1) + 1);
        produce(producer, ids[Math.max(0, i - 9)], Math.max(0, i - 9) + 1);
      }
      produce(producer, UUID.randomUUID(), Movements.LAST);
    }
  }

  private void produce(KafkaProducer<String, byte[]> producer, UUID id, long order) {
    ProducerRecord<String, byte[]> record =
        new ProducerRecord<>(topic, ("" + order).getBytes(UTF_8));
    record.headers().add("angarium-id", id.toString().getBytes(UTF_8));
    store(producer, record);
  }

  private static void store(
      KafkaProducer<String, byte[]> producer, ProducerRecord<String, byte[]> record) {
    try {
      assertThat(producer.send(record).get(30, TimeUnit.SECONDS)).isNotNull();
    } catch (InterruptedException | ExecutionException | TimeoutException e) {
      throw new AssertionError("Not stored by Kafka", e);
    }
  }

  @Test
  void batchesLeaveRepeatsOut() throws InterruptedException {
    Database database = Movements.in(Database.h2());
    Shop shop = shop(database, Batch.class).with("spring.kafka.listener.type=batch");
    produceInterleaved();

    try (ConfigurableApplicationContext context = shop.start()) {
      checkBookedOnce(context, database);
    }
  }

  @Test
  @RequiresServer({Server.KAFKA, Server.POSTGRESQL})
  void batchThatNamesTheRecordItFailedAtIsRolledBackAndComesAgainAsAWhole()
      throws InterruptedException {
    Database database = Movements.in(Database.postgres());
    Shop shop = shop(database, NamingBatch.class).with("spring.kafka.listener.type=batch");
    produceInterleaved();

    try (ConfigurableApplicationContext context = shop.start()) {
      checkBookedOnce(context, database);
    }
  }

  @Test
  void manualAcknowledgementsFollowTheCommit() throws InterruptedException {
    Database database = Movements.in(Database.h2());
    Shop shop =
        shop(database, Manual.class).with("spring.kafka.listener.ack-mode=manual_immediate");
    produceInterleaved();

    try (ConfigurableApplicationContext context = shop.start()) {
      checkBookedOnce(context, database);
    }
    TopicPartition partition = new TopicPartition(topic, 0);
    try (KafkaConsumer<String, byte[]> consumer = consumer()) {
      OffsetAndMetadata committed = consumer.committed(Set.of(partition)).get(partition);
      assertThat(committed.offset())
          .isEqualTo(consumer.endOffsets(List.of(partition)).get(partition));
    }
  }

  @Test
  void messagesWithOneBusinessKeyAreBookedOnce() throws InterruptedException {
    Database database = Movements.in(Database.h2());

    try (ConfigurableApplicationContext context = shop(database, Business.class).start()) {
      for (int i = 0; i < 3; i++) {
        send(
            context,
            orders().stream()
                .map(order -> order(order).business("paid", "order-" + order))
                .toList());
      }
      send(context, List.of(order(Movements.LAST).business("paid", "last")));

      checkBookedOnce(context, database);
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class Booking {
    @Bean
    Movements movements(JdbcTemplate jdbc, Outbox outbox) {
      return new Movements(jdbc, outbox);
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class Single extends Booking {
    @Bean
    SingleListener listener(Movements movements) {
      return new SingleListener(movements);
    }
  }

  static class SingleListener {
    private final Movements movements;

    SingleListener(Movements movements) {
      this.movements = movements;
    }

    @KafkaListener(topics = "${topic}")
    @IdempotentConsumer(consumer = "stock")
    void receive(ConsumerRecord<String, byte[]> order) {
      movements.book(order.value());
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class Batch extends Booking {
    @Bean
    BatchListener listener(Movements movements) {
      return new BatchListener(movements);
    }
  }

  static class BatchListener {
    private final Movements movements;

    BatchListener(Movements movements) {
      this.movements = movements;
    }

    @KafkaListener(topics = "${topic}")
    @IdempotentConsumer(consumer = "stock")
    void receive(List<ConsumerRecord<String, byte[]>> orders) {
      orders.forEach(order -> movements.book(order.value()));
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class NamingBatch extends Booking {
    @Bean
    NamingListener listener(Movements movements) {
      return new NamingListener(movements);
    }
  }

  static class NamingListener {
    private final Movements movements;

    NamingListener(Movements movements) {
      this.movements = movements;
    }

    @KafkaListener(topics = "${topic}")
    @IdempotentConsumer(consumer = "stock")
    void receive(List<ConsumerRecord<String, byte[]>> orders) {
      for (ConsumerRecord<String, byte[]> order : orders) {
        try {
          movements.book(order.value());
        } catch (IllegalStateException e) {
          throw new BatchListenerFailedException("planned", e, order);
        }
      }
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class Manual extends Booking {
    @Bean
    ManualListener listener(Movements movements) {
      return new ManualListener(movements);
    }
  }

  static class ManualListener {
    private final Movements movements;

    ManualListener(Movements movements) {
      this.movements = movements;
    }

    @KafkaListener(topics = "${topic}")
    @IdempotentConsumer(consumer = "stock")
    void receive(ConsumerRecord<String, byte[]> order, Acknowledgment acknowledgment) {
      acknowledgment.acknowledge(); // too soon, if it were not kept back
      movements.book(order.value());
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class Business extends Booking {
    @Bean
    BusinessListener listener(Movements movements) {
      return new BusinessListener(movements);
    }
  }

  static class BusinessListener {
    private final Movements movements;

    BusinessListener(Movements movements) {
      this.movements = movements;
    }

    @KafkaListener(topics = "${topic}")
    @IdempotentConsumer(consumer = "stock", businessKey = true)
    void receive(ConsumerRecord<String, byte[]> order) {
      movements.book(order.value());
    }
  }
}
