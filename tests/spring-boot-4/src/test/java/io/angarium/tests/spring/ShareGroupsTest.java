package io.angarium.tests.spring;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.spring.listener.IdempotentConsumer;
import io.angarium.testservers.KafkaServer;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.SharedServers;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.config.ShareKafkaListenerContainerFactory;
import org.springframework.kafka.core.DefaultShareConsumerFactory;
import org.springframework.kafka.listener.ContainerProperties.ShareAckMode;
import org.springframework.kafka.listener.ShareConsumerRecordRecoverer;
import org.springframework.kafka.support.ShareAcknowledgment;

/**
 * Listeners in a share group of Kafka that acknowledge by hand, before the commit: one commit fails
 * (a deferred foreign key), and one record comes twice.
 */
@RequiresServer({Server.KAFKA, Server.POSTGRESQL})
class ShareGroupsTest {
  private static final int ORDERS = 8;
  private static final int FAILS_AT_ITS_COMMIT = 5;
  private static final int LIMIT_SECONDS = 60;

  private final KafkaServer kafka = SharedServers.kafka();
  private final String topic = "shared-" + UUID.randomUUID();

  private void send(int... orders) throws Exception {
    try (KafkaProducer<String, byte[]> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", kafka.bootstrapServers()),
            new StringSerializer(),
            new ByteArraySerializer())) {
      for (int order : orders) {
        ProducerRecord<String, byte[]> record =
            new ProducerRecord<>(topic, "k", ("" + order).getBytes(UTF_8));
        record.headers().add("angarium-id", new UUID(42, order).toString().getBytes(UTF_8));
        assertThat(producer.send(record).get(LIMIT_SECONDS, TimeUnit.SECONDS)).isNotNull();
      }
    }
  }

  private void readFromTheBeginning() throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      ConfigResource group = new ConfigResource(ConfigResource.Type.GROUP, topic);
      ConfigEntry earliest = new ConfigEntry("share.auto.offset.reset", "earliest");
      admin
          .incrementalAlterConfigs(
              Map.of(group, List.of(new AlterConfigOp(earliest, AlterConfigOp.OpType.SET))))
          .all()
          .get(LIMIT_SECONDS, TimeUnit.SECONDS);
    }
  }

  @Test
  void whatIsAcknowledgedBeforeACommitThatFailsComesAgain() throws Exception {
    kafka.createTopic(topic, 1);
    readFromTheBeginning();
    send(1, 2, 3, 4, 5, 6, 7, 3);
    Database database = Database.postgres();
    database.jdbc().execute("CREATE TABLE parent (id INT PRIMARY KEY)");
    database.jdbc().execute("INSERT INTO parent VALUES (1)");
    database
        .jdbc()
        .execute(
            "CREATE TABLE booked (id INT PRIMARY KEY, parent INT NOT NULL REFERENCES parent"
                + " DEFERRABLE INITIALLY DEFERRED)");

    try (ConfigurableApplicationContext context =
        Shop.on(database)
            .withoutJpa()
            .with(Sharing.class)
            .with("angarium.enabled=false")
            .with("angarium.inbox.enabled=true")
            .with("angarium.inbox.schema-mode=create")
            .with("kafka=" + kafka.bootstrapServers())
            .with("topic=" + topic)
            .start()) {
      BlockingQueue<Integer> calls = context.getBean(Stock.class).calls();
      send(ORDERS); // a repeat before it must not hold up the container
      awaitBooked(database);

      assertThat(calls).filteredOn(order -> order == FAILS_AT_ITS_COMMIT).hasSize(2);
      assertThat(calls).filteredOn(order -> order != FAILS_AT_ITS_COMMIT).doesNotHaveDuplicates();
    }
  }

  private static void awaitBooked(Database database) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
    while (booked(database).size() < ORDERS) {
      assertThat(System.nanoTime()).as("booked: %s", booked(database)).isLessThan(deadline);
      LockSupport.parkNanos(10_000_000);
    }
  }

  private static List<Integer> booked(Database database) {
    return database.jdbc().queryForList("SELECT id FROM booked ORDER BY id", Integer.class);
  }

  @Configuration(proxyBeanMethods = false)
  static class Sharing {
    @Bean
    ShareKafkaListenerContainerFactory<String, byte[]> sharing(@Value("${kafka}") String servers) {
      Map<String, Object> settings = new HashMap<>();
      settings.put("bootstrap.servers", servers);
      settings.put("key.deserializer", StringDeserializer.class);
      settings.put("value.deserializer", ByteArrayDeserializer.class);
      ShareKafkaListenerContainerFactory<String, byte[]> factory =
          new ShareKafkaListenerContainerFactory<>(new DefaultShareConsumerFactory<>(settings));
      factory.getContainerProperties().setShareAckMode(ShareAckMode.MANUAL);
      factory.setShareConsumerRecordRecoverer(ShareConsumerRecordRecoverer.RELEASING);
      return factory;
    }

    @Bean
    Stock stock(JdbcTemplate jdbc) {
      return new Stock(jdbc);
    }
  }

  static class Stock {
    private final JdbcTemplate jdbc;
    private final Set<Integer> seen = ConcurrentHashMap.newKeySet();
    private final BlockingQueue<Integer> calls = new LinkedBlockingQueue<>();

    Stock(JdbcTemplate jdbc) {
      this.jdbc = jdbc;
    }

    BlockingQueue<Integer> calls() {
      return calls;
    }

    @KafkaListener(topics = "${topic}", groupId = "${topic}", containerFactory = "sharing")
    @IdempotentConsumer(consumer = "stock")
    void receive(ConsumerRecord<String, byte[]> record, ShareAcknowledgment acknowledgment) {
      acknowledgment.acknowledge(); // too soon, if it were not kept back
      int order = Integer.parseInt(new String(record.value(), UTF_8));
      calls.add(order);
      boolean first = seen.add(order);
      int parent = order == FAILS_AT_ITS_COMMIT && first ? 99 : 1;
      jdbc.update("INSERT INTO booked VALUES (?, ?)", order, parent);
    }
  }
}
