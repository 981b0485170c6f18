package io.angarium.tests.spring;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.angarium.Message;
import io.angarium.Outbox;
import io.angarium.testservers.FreePort;
import io.angarium.testservers.KafkaServer;
import io.angarium.testservers.OnOneJdk;
import io.angarium.testservers.Origin;
import io.angarium.testservers.RabbitServer;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.ServerOptions;
import io.angarium.testservers.TestCertificate;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * TLS by properties alone, with a certificate of an issuer of one's own: by Angarium's properties,
 * and by those of the application's own clients. Kafka then wants a certificate of the client, too.
 */
@OnOneJdk
class BrokersWithTlsTest {
  private static final String ORDERS = "tls-orders";

  @TempDir private Path folder;

  @Test
  @RequiresServer(value = Server.KAFKA, from = Origin.MAVEN)
  void kafkaIsReachedByTls() {
    TestCertificate certificate = TestCertificate.in(folder);
    try (KafkaServer kafka =
        KafkaServer.start(
            ServerOptions.standard()
                .from(Origin.MAVEN)
                .proxied()
                .setting(
                    "listener.security.protocol.map",
                    "CONTROLLER:PLAINTEXT,DIRECT:PLAINTEXT,CLIENT:SSL")
                .setting("ssl.keystore.type", "PKCS12")
                .setting("ssl.keystore.location", certificate.keyStore().toString())
                .setting("ssl.keystore.password", certificate.password())
                .setting("ssl.key.password", certificate.password()))) {
      kafka.createTopic(ORDERS, 1);

      sendOne(
          "kafka:" + ORDERS,
          "angarium.kafka.enabled=true",
          "angarium.kafka.bootstrap-servers=" + kafka.bootstrapServers(),
          "angarium.kafka.properties.security.protocol=SSL",
          "angarium.kafka.properties.ssl.truststore.type=PEM",
          "angarium.kafka.properties.ssl.truststore.location=" + certificate.certificate());

      assertThat(records(kafka)).isEqualTo(1);
    }
  }

  @Test
  @RequiresServer(value = Server.KAFKA, from = Origin.MAVEN)
  void kafkaIsReachedByTheBundleAndByTheStoresOfSpring() {
    TestCertificate certificate = TestCertificate.in(folder);
    try (KafkaServer kafka =
        KafkaServer.start(
            ServerOptions.standard()
                .from(Origin.MAVEN)
                .proxied()
                .setting(
                    "listener.security.protocol.map",
                    "CONTROLLER:PLAINTEXT,DIRECT:PLAINTEXT,CLIENT:SSL")
                .setting("ssl.client.auth", "required")
                .setting("ssl.keystore.type", "PKCS12")
                .setting("ssl.keystore.location", certificate.keyStore().toString())
                .setting("ssl.keystore.password", certificate.password())
                .setting("ssl.key.password", certificate.password())
                .setting("ssl.truststore.type", "PEM")
                .setting("ssl.truststore.location", certificate.certificate().toString()))) {
      kafka.createTopic(ORDERS, 1);
      String servers = "spring.kafka.bootstrap-servers=" + kafka.bootstrapServers();

      sendOne(
          "kafka:" + ORDERS,
          "angarium.kafka.enabled=true",
          servers,
          "spring.kafka.security.protocol=SSL",
          "spring.kafka.ssl.bundle=cluster",
          "spring.ssl.bundle.pem.cluster.keystore.certificate=" + certificate.certificate(),
          "spring.ssl.bundle.pem.cluster.keystore.private-key=" + certificate.privateKey(),
          "spring.ssl.bundle.pem.cluster.truststore.certificate=" + certificate.certificate());
      assertThat(records(kafka)).isEqualTo(1);

      sendOne(
          "kafka:" + ORDERS,
          "angarium.kafka.enabled=true",
          servers,
          "spring.kafka.security.protocol=SSL",
          "spring.kafka.ssl.key-store-type=PKCS12",
          "spring.kafka.ssl.key-store-location=file:" + certificate.keyStore(),
          "spring.kafka.ssl.key-store-password=" + certificate.password(),
          "spring.kafka.properties.ssl.truststore.type=PEM",
          "spring.kafka.properties.ssl.truststore.location=" + certificate.certificate());
      assertThat(records(kafka)).isEqualTo(2);
    }
  }

  private static long records(KafkaServer kafka) {
    TopicPartition partition = new TopicPartition(ORDERS, 0);
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", kafka.directBootstrapServers()),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      return consumer.endOffsets(List.of(partition)).get(partition);
    }
  }

  @Test
  @RequiresServer(
      value = Server.RABBITMQ,
      from = {Origin.INSTALLED, Origin.PACKAGE})
  void rabbitIsReachedByTls() throws Exception {
    TestCertificate certificate = TestCertificate.in(folder);
    int port = FreePort.find();
    try (RabbitServer rabbit =
            RabbitServer.start(
                ServerOptions.standard()
                    .from(Origin.INSTALLED, Origin.PACKAGE)
                    .setting("listeners.ssl.default", "127.0.0.1:" + port)
                    .setting("ssl_options.certfile", certificate.certificate().toString())
                    .setting("ssl_options.keyfile", certificate.privateKey().toString()));
        Connection connection = connect(rabbit);
        Channel channel = connection.createChannel()) {
      channel.queueDeclare(ORDERS, true, false, false, null);

      sendOne(
          "rabbitmq:/" + ORDERS,
          "angarium.rabbitmq.enabled=true",
          "spring.rabbitmq.host=127.0.0.1",
          "spring.rabbitmq.port=" + port,
          "spring.rabbitmq.ssl.enabled=true",
          "angarium.rabbitmq.trusted-certificates=" + certificate.certificate());

      assertThat(channel.messageCount(ORDERS)).isEqualTo(1);
    }
  }

  @Test
  @RequiresServer(
      value = Server.RABBITMQ,
      from = {Origin.INSTALLED, Origin.PACKAGE})
  void rabbitIsReachedByTheBundleAndByTheStoresOfSpring() throws Exception {
    TestCertificate certificate = TestCertificate.in(folder);
    int port = FreePort.find();
    try (RabbitServer rabbit =
            RabbitServer.start(
                ServerOptions.standard()
                    .from(Origin.INSTALLED, Origin.PACKAGE)
                    .setting("listeners.ssl.default", "127.0.0.1:" + port)
                    .setting("ssl_options.certfile", certificate.certificate().toString())
                    .setting("ssl_options.keyfile", certificate.privateKey().toString()));
        Connection connection = connect(rabbit);
        Channel channel = connection.createChannel()) {
      channel.queueDeclare(ORDERS, true, false, false, null);

      sendOne(
          "rabbitmq:/" + ORDERS,
          "angarium.rabbitmq.enabled=true",
          "spring.rabbitmq.addresses[0]=127.0.0.1:" + port,
          "spring.rabbitmq.ssl.bundle=broker",
          "spring.ssl.bundle.pem.broker.keystore.certificate=" + certificate.certificate(),
          "spring.ssl.bundle.pem.broker.keystore.private-key=" + certificate.privateKey(),
          "spring.ssl.bundle.pem.broker.truststore.certificate=" + certificate.certificate());
      assertThat(channel.messageCount(ORDERS)).isEqualTo(1);

      sendOne(
          "rabbitmq:/" + ORDERS,
          "angarium.rabbitmq.enabled=true",
          "spring.rabbitmq.host=127.0.0.1",
          "spring.rabbitmq.port=" + port,
          "spring.rabbitmq.ssl.enabled=true",
          "spring.rabbitmq.ssl.key-store=file:" + certificate.keyStore(),
          "spring.rabbitmq.ssl.key-store-password=" + certificate.password(),
          "spring.rabbitmq.ssl.trust-store=file:" + certificate.keyStore(),
          "spring.rabbitmq.ssl.trust-store-type=PKCS12",
          "spring.rabbitmq.ssl.trust-store-password=" + certificate.password());
      assertThat(channel.messageCount(ORDERS)).isEqualTo(2);
    }
  }

  private static Connection connect(RabbitServer rabbit) throws Exception {
    ConnectionFactory factory = new ConnectionFactory();
    factory.setUri(rabbit.uri());
    factory.setHandshakeTimeout(60_000); // the machine may be busy
    return factory.newConnection();
  }

  /** Returns when it is sent. */
  private static void sendOne(String destination, String... properties) {
    Database database = Database.h2();
    Shop shop = Shop.on(database).withoutJpa();
    for (String property : properties) {
      shop = shop.with(property);
    }
    try (ConfigurableApplicationContext context = shop.start()) {
      Outbox outbox = context.getBean(Outbox.class);
      new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
          .executeWithoutResult(status -> outbox.send(Message.of(destination, new byte[] {1})));
      database.awaitSent();
    }
  }
}
