package io.angarium.tests.spring;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.Message;
import io.angarium.PayloadCodec;
import io.angarium.PayloadException;
import io.angarium.TypedOutbox;
import io.angarium.kafka.KafkaSerializerCodec;
import io.angarium.tests.spring.avro.AvroDeserializer;
import io.angarium.tests.spring.avro.AvroSerializer;
import io.angarium.tests.spring.avro.SchemaRegistry;
import io.angarium.testservers.KafkaServer;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.SharedServers;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Payloads that a serializer of Kafka writes, which asks a registry of schemas. */
@RequiresServer(Server.KAFKA)
@OnBootFour
class KafkaSerializerTest {
  private static final Schema PAID =
      SchemaBuilder.record("OrderPaid")
          .namespace("shop")
          .fields()
          .requiredLong("order")
          .requiredString("currency")
          .endRecord();

  /** A later form of it. */
  private static final Schema PAID_WITH_ITEMS =
      SchemaBuilder.record("OrderPaid")
          .namespace("shop")
          .fields()
          .requiredLong("order")
          .requiredString("currency")
          .name("items")
          .type()
          .intType()
          .intDefault(1)
          .endRecord();

  private final KafkaServer kafka = SharedServers.kafka();
  private final String topic = "avro-" + UUID.randomUUID();
  private final SchemaRegistry registry = SchemaRegistry.start();
  private final Database database = Database.h2().withOrders();

  @AfterEach
  void stopTheRegistry() {
    registry.close();
  }

  @Configuration(proxyBeanMethods = false)
  static class Avro {
    @Bean
    PayloadCodec avro(@Value("${registry}") String registry) {
      KafkaSerializerCodec codec = new KafkaSerializerCodec(new AvroSerializer(registry));
      return (destination, payload) ->
          codec
              .encode(destination, payload)
              .type(((GenericRecord) payload).getSchema().getFullName());
    }
  }

  private ConfigurableApplicationContext start() {
    kafka.createTopic(topic, 1);
    return Shop.on(database)
        .withoutJpa()
        .with(Avro.class)
        .with("registry=" + registry.url())
        .with("angarium.kafka.enabled=true")
        .with("spring.kafka.bootstrap-servers=" + kafka.bootstrapServers())
        .start();
  }

  private static GenericRecord paid(Schema schema, long order) {
    GenericRecord paid = new GenericData.Record(schema);
    paid.put("order", order);
    paid.put("currency", "EUR");
    if (schema.getField("items") != null) {
      paid.put("items", 3);
    }
    return paid;
  }

  private static TransactionTemplate transactions(ConfigurableApplicationContext context) {
    return new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
  }

  private void send(ConfigurableApplicationContext context, Schema schema, long order) {
    TypedOutbox outbox = context.getBean(TypedOutbox.class);
    JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
    transactions(context)
        .executeWithoutResult(
            status -> {
              jdbc.update("INSERT INTO orders VALUES (?, 'paid')", order);
              outbox.send("kafka:" + topic, "order-" + order, paid(schema, order));
            });
  }

  private <T> List<ConsumerRecord<String, T>> records(Deserializer<T> values) {
    TopicPartition partition = new TopicPartition(topic, 0);
    List<ConsumerRecord<String, T>> records = new ArrayList<>();
    try (KafkaConsumer<String, T> consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", kafka.bootstrapServers()),
            new StringDeserializer(),
            values)) {
      consumer.assign(List.of(partition));
      consumer.seekToBeginning(List.of(partition));
      long end = consumer.endOffsets(List.of(partition)).get(partition);
      while (consumer.position(partition) < end) {
        consumer.poll(Duration.ofSeconds(1)).forEach(records::add);
      }
    }
    return records;
  }

  @Test
  void avroRecordReachesAConsumerWithItsHeadersAndSchema() {
    try (ConfigurableApplicationContext context = start()) {
      send(context, PAID, 4711);
      database.awaitSent();
    }

    assertThat(registry.subjects()).containsExactly(topic + "-value");
    assertThat(records(new AvroDeserializer(registry.url(), PAID)))
        .singleElement()
        .satisfies(
            record -> {
              assertThat(record.key()).isEqualTo("order-4711");
              assertThat(record.value()).isEqualTo(paid(PAID, 4711));
              assertThat(header(record, AvroSerializer.SCHEMA_HEADER)).isEqualTo("shop.OrderPaid");
              assertThat(header(record, "angarium-type")).isEqualTo("shop.OrderPaid");
            });
    ByteBuffer bytes = ByteBuffer.wrap(records(new ByteArrayDeserializer()).get(0).value());
    assertThat(bytes.get()).isZero();
    assertThat(bytes.getInt()).isEqualTo(1);
  }

  private static String header(ConsumerRecord<?, ?> record, String name) {
    return new String(record.headers().lastHeader(name).value(), UTF_8);
  }

  @Test
  void olderAndLaterFormsAreReadByOneConsumer() {
    try (ConfigurableApplicationContext context = start()) {
      send(context, PAID, 1);
      send(context, PAID_WITH_ITEMS, 2);
      database.awaitSent();
    }

    assertThat(records(new AvroDeserializer(registry.url(), PAID_WITH_ITEMS)))
        .extracting(record -> record.value().get("order") + "/" + record.value().get("items"))
        .containsExactlyInAnyOrder("1/1", "2/3");
    assertThat(records(new AvroDeserializer(registry.url(), PAID)))
        .extracting(record -> record.value().get("order"))
        .containsExactlyInAnyOrder(1L, 2L);
  }

  @Test
  void registryThatIsAwayFailsTheSendAndRollsBack() {
    try (ConfigurableApplicationContext context = start()) {
      send(context, PAID, 1);
      registry.close();

      assertThatThrownBy(() -> send(context, PAID_WITH_ITEMS, 2))
          .isInstanceOf(PayloadException.class)
          .hasMessageContaining("cannot be written for topic " + topic)
          .hasMessageContaining("nothing was sent")
          .cause()
          .hasMessageContaining("cannot be reached");
      send(context, PAID, 3); // its schema is known
      database.awaitSent();
    }

    assertThat(database.orders()).containsExactly(1L, 3L);
    assertThat(records(new ByteArrayDeserializer()))
        .extracting(ConsumerRecord::key)
        .containsExactlyInAnyOrder("order-1", "order-3");
  }

  @Test
  void messageMadeBeforeTheTransactionAsksNobodyWithinIt() {
    try (ConfigurableApplicationContext context = start()) {
      TypedOutbox outbox = context.getBean(TypedOutbox.class);

      Message message = outbox.message("kafka:" + topic, paid(PAID, 1)).key("order-1");
      registry.close();
      transactions(context).executeWithoutResult(status -> outbox.send(message));
      database.awaitSent();
    }

    assertThat(records(new ByteArrayDeserializer()))
        .extracting(ConsumerRecord::key)
        .containsExactly("order-1");
  }
}
