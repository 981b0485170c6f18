package io.angarium.tests.spring;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.Outbox;
import io.angarium.confirmation.ReceiptText;
import io.angarium.inbox.InboxKey;
import io.angarium.kafka.KafkaConfig;
import io.angarium.rabbitmq.RabbitConfig;
import io.angarium.spring.SpringRedisInbox;
import io.angarium.testservers.KafkaServer;
import io.angarium.testservers.RabbitServer;
import io.angarium.testservers.RedisServer;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.SharedServers;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Beans of connection details, such as Testcontainers and Docker Compose register, count before
 * properties: the properties name servers at which nothing listens.
 */
class ConnectionDetailsTest {
  private static final String NOWHERE = "127.0.0.1:1";

  private final String name = "details-" + UUID.randomUUID().toString().substring(0, 8);
  private final Database database = Database.h2();

  @Test
  @RequiresServer(Server.KAFKA)
  void messagesGoToTheKafkaOfTheDetails() {
    KafkaServer kafka = SharedServers.kafka();
    kafka.createTopic(name, 1);

    try (ConfigurableApplicationContext context = kafkaShop(kafka).start()) {
      send(context, "kafka:" + name);
      database.awaitSent();
    }

    TopicPartition partition = new TopicPartition(name, 0);
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", kafka.bootstrapServers()),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      assertThat(consumer.endOffsets(List.of(partition))).containsEntry(partition, 1L);
    }
  }

  @Test
  @RequiresServer(Server.KAFKA)
  void receiptsComeFromTheKafkaOfTheDetails() throws Exception {
    KafkaServer kafka = SharedServers.kafka();
    kafka.createTopic(name, 1);
    Shop shop =
        kafkaShop(kafka)
            .with("angarium.confirmation.destinations=mailbox:*")
            .with("angarium.confirmation.receipts-from=kafka:" + name);

    try (ConfigurableApplicationContext context = shop.start()) {
      MessageId id = send(context, "mailbox:any");
      database.awaitSent();
      assertThat(unconfirmed()).isEqualTo(1);

      try (KafkaProducer<byte[], byte[]> producer =
          new KafkaProducer<>(
              Map.of("bootstrap.servers", kafka.bootstrapServers()),
              new ByteArraySerializer(),
              new ByteArraySerializer())) {
        producer
            .send(new ProducerRecord<>(name, ReceiptText.encode(List.of(id))))
            .get(60, TimeUnit.SECONDS);
      }
      awaitConfirmed();
    }
  }

  private Shop kafkaShop(KafkaServer kafka) {
    return Shop.on(database)
        .withoutJpa()
        .with(ServiceConnections.Kafka.class)
        .with("test.kafka=" + kafka.bootstrapServers())
        .with("angarium.kafka.enabled=true")
        .with("spring.kafka.bootstrap-servers=" + NOWHERE);
  }

  @Test
  @RequiresServer(Server.RABBITMQ)
  void messagesAndReceiptsUseTheRabbitOfTheDetails() throws Exception {
    RabbitServer rabbit = SharedServers.rabbit();
    Shop shop =
        Shop.on(database)
            .withoutJpa()
            .with(ServiceConnections.Rabbit.class)
            .with("test.rabbit=" + rabbit.port())
            .with("angarium.rabbitmq.enabled=true")
            .with("angarium.confirmation.destinations=rabbitmq:*")
            .with("angarium.confirmation.receipts-from=rabbitmq:/" + name + "-receipts")
            .with("spring.rabbitmq.addresses=" + NOWHERE)
            .with("spring.rabbitmq.username=nobody");

    try (Connection connection = connect(rabbit);
        Channel channel = connection.createChannel()) {
      channel.queueDeclare(name, true, false, false, null);
      channel.queueDeclare(name + "-receipts", true, false, false, null);
      try (ConfigurableApplicationContext context = shop.start()) {
        MessageId id = send(context, "rabbitmq:/" + name);
        database.awaitSent();
        assertThat(channel.messageCount(name)).isEqualTo(1);

        channel.basicPublish("", name + "-receipts", null, ReceiptText.encode(List.of(id)));
        awaitConfirmed();
      } finally {
        channel.queueDelete(name);
        channel.queueDelete(name + "-receipts");
      }
    }
  }

  private static Connection connect(RabbitServer rabbit) throws Exception {
    ConnectionFactory factory = new ConnectionFactory();
    factory.setUri(rabbit.uri());
    factory.setHandshakeTimeout(60_000); // the machine may be busy
    return factory.newConnection();
  }

  @Test
  @RequiresServer(Server.REDIS)
  void theInboxUsesTheRedisOfTheDetails() {
    RedisServer redis = SharedServers.redis();
    Shop shop =
        Shop.on(database)
            .withoutJpa()
            .with(ServiceConnections.Redis.class)
            .with("test.redis=" + redis.port())
            .with("angarium.enabled=false")
            .with("angarium.inbox.redis.enabled=true")
            .with("angarium.inbox.redis.prefix=" + name)
            .with("spring.data.redis.url=redis://" + NOWHERE);

    try (ConfigurableApplicationContext context = shop.start()) {
      SpringRedisInbox inbox = context.getBean(SpringRedisInbox.class);
      InboxKey key = new InboxKey("stock", UUID.randomUUID());
      assertThat(inbox.process(key, claim -> {})).isTrue();
      assertThat(inbox.process(key, claim -> {})).isFalse();
      assertThat(redis.order("EXISTS " + name + ":stock:" + key.id())).contains("1");
    }
  }

  @Test
  void theOutboxIsInTheDatabaseOfTheDetails() {
    Database nowhere = new Database("jdbc:postgresql://" + NOWHERE + "/none", "none", "none");
    Shop shop =
        Shop.on(nowhere)
            .withoutJpa()
            .with(ServiceConnections.Jdbc.class)
            .with("test.database=" + database.url());

    try (ConfigurableApplicationContext context = shop.start()) {
      send(context, "mailbox:any");
      database.awaitSent();
      assertThat(context.getBean(Mailbox.class).next().message().destination())
          .hasToString("mailbox:any");
    }
  }

  @Test
  void propertiesOfOursThatContradictTheDetailsStopTheStartAndAreAllListed() {
    List<String> faults =
        WrongConfigurationTest.faults(
            Shop.on(database)
                .withoutJpa()
                .with(ServiceConnections.Kafka.class)
                .with(ServiceConnections.Rabbit.class)
                .with(ServiceConnections.Redis.class)
                .with("test.kafka=127.0.0.1:2")
                .with("test.rabbit=3")
                .with("test.redis=4")
                .with("angarium.kafka.enabled=true")
                .with("angarium.kafka.bootstrap-servers=production:9092")
                .with("angarium.rabbitmq.enabled=true")
                .with("angarium.rabbitmq.addresses=production:5672")
                .with("angarium.inbox.redis.enabled=true")
                .with("angarium.inbox.redis.uri=redis://production")
                .with("angarium.relay.poll.idle=1h"));

    assertThat(faults)
        .anyMatch(
            f ->
                f.startsWith(
                    "angarium.kafka.bootstrap-servers: production:9092 (expected: not set, or"
                        + " 127.0.0.1:2 as the bean of KafkaConnectionDetails says"))
        .anyMatch(
            f ->
                f.startsWith(
                    "angarium.rabbitmq.addresses: production:5672 (expected: not set, or"
                        + " 127.0.0.1:3 as the bean of RabbitConnectionDetails says"))
        .anyMatch(
            f ->
                f.startsWith(
                    "angarium.inbox.redis.uri: production:6379/0 without TLS (expected: not set, or"
                        + " 127.0.0.1:4/0 without TLS as the bean of RedisConnectionDetails says"))
        .anyMatch(f -> f.startsWith("angarium.relay.poll.idle: 1h"))
        .hasSize(4);
  }

  @Test
  void aConfigurationOfTheApplicationsOwnIsNotQuestioned() {
    Shop shop =
        Shop.on(database)
            .withoutJpa()
            .with(ServiceConnections.Kafka.class)
            .with(ServiceConnections.Rabbit.class)
            .with(OwnBrokers.class)
            .with("test.kafka=127.0.0.1:2")
            .with("test.rabbit=3")
            .with("angarium.kafka.enabled=true")
            .with("angarium.kafka.bootstrap-servers=production:9092")
            .with("angarium.rabbitmq.enabled=true")
            .with("angarium.rabbitmq.addresses=production:5672");

    try (ConfigurableApplicationContext context = shop.start()) {
      assertThat(context.getBean(KafkaConfig.class).bootstrapServers()).isEqualTo(NOWHERE);
      assertThat(context.getBean(RabbitConfig.class).addresses()).isEqualTo(NOWHERE);
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class OwnBrokers {
    @Bean
    KafkaConfig ownKafka() {
      return KafkaConfig.of(NOWHERE);
    }

    @Bean
    RabbitConfig ownRabbit() {
      return RabbitConfig.of(NOWHERE);
    }
  }

  private static MessageId send(ConfigurableApplicationContext context, String destination) {
    Outbox outbox = context.getBean(Outbox.class);
    MessageId id =
        new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
            .execute(status -> outbox.send(Message.of(destination, new byte[] {1})));
    assertThat(id).isNotNull();
    return id;
  }

  private long unconfirmed() {
    Long rows =
        database.jdbc().queryForObject("SELECT COUNT(*) FROM outbox_unconfirmed", Long.class);
    return rows == null ? 0 : rows;
  }

  private void awaitConfirmed() {
    long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
    while (unconfirmed() > 0) {
      assertThat(System.nanoTime()).as("confirmed in time").isLessThan(deadline);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
    }
  }
}
