package io.angarium.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.angarium.intake.StoredMessage;
import io.angarium.testservers.KafkaServer;
import io.angarium.testservers.OnOneJdk;
import io.angarium.testservers.Origin;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.ServerOptions;
import io.angarium.testservers.TestCertificate;
import io.angarium.testtransports.Results;
import io.angarium.transport.SendResult;
import io.angarium.transport.SendResult.Unavailable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real broker with TLS, whose certificate is for 127.0.0.1 and of no issuer that is known. */
@OnOneJdk
@RequiresServer(value = Server.KAFKA, from = Origin.MAVEN)
class KafkaTlsTest {
  @TempDir private static Path folder;
  private static TestCertificate certificate;
  private static KafkaServer server;

  private final Results results = new Results();

  @BeforeAll
  static void start() {
    certificate = TestCertificate.in(folder);
    server =
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
                .setting("ssl.key.password", certificate.password()));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  /** As a user writes it. */
  private static Map<String, String> trusting() {
    return Map.of(
        "security.protocol", "SSL",
        "ssl.truststore.type", "PEM",
        "ssl.truststore.location", certificate.certificate().toString());
  }

  private static KafkaConfig config(String host, Map<String, String> properties) {
    return KafkaConfig.of(host + ":" + server.proxy().port())
        .deliveryTimeout(Duration.ofSeconds(30))
        .holdMax(Duration.ofSeconds(20))
        .properties(properties);
  }

  private SendResult send(KafkaConfig config, String topic) {
    try (KafkaTransport transport = KafkaTransport.open(config)) {
      StoredMessage message = Messages.of(topic, "k", "x");
      transport.send(List.of(message), results);
      return results.next().result();
    }
  }

  private static void assertUnavailable(SendResult result, String... words) {
    assertThat(result)
        .asInstanceOf(type(Unavailable.class))
        .extracting(Unavailable::reason)
        .asString()
        .contains("TLS with Kafka at ", ":" + server.proxy().port() + " failed: ")
        .contains(words);
  }

  /** Past TLS. */
  private static long records(String topic) {
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", server.directBootstrapServers()),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      Collection<TopicPartition> all = List.of(new TopicPartition(topic, 0));
      return consumer.endOffsets(all).values().stream().mapToLong(end -> end).sum();
    }
  }

  @Test
  void brokerWhoseCertificateIsTrustedTakesMessages() {
    server.createTopic("trusted", 1);

    assertThat(send(config("127.0.0.1", trusting()), "trusted")).isEqualTo(SendResult.ACKNOWLEDGED);

    assertThat(records("trusted")).isEqualTo(1);
  }

  @Test
  void brokerThatIsNotTrustedGetsNothing() {
    server.createTopic("untrusted", 1);

    assertUnavailable(
        send(config("127.0.0.1", Map.of("security.protocol", "SSL")), "untrusted"),
        "unable to find valid certification path");

    assertThat(records("untrusted")).isZero();
  }

  @Test
  void brokerOfAnotherNameGetsNothing() {
    server.createTopic("other-name", 1);

    assertUnavailable(send(config("localhost", trusting()), "other-name"), "matching localhost");

    assertThat(records("other-name")).isZero();
  }
}
