package io.angarium.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessages;
import io.angarium.half.HalfState;
import io.angarium.kafka.HalfIntakeFormat;
import io.angarium.testservers.KafkaServer;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.SharedServers;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

/** The server takes half messages from a real Kafka. */
@RequiresServer(Server.KAFKA)
class ServerKafkaIntakeTest {
  private final KafkaServer kafka = SharedServers.kafka();
  private final String topic = "half-" + UUID.randomUUID();
  private final String deadLetters = "dead-" + UUID.randomUUID();

  @Test
  void whatComesThroughKafkaIsKeptAndWhatIsNotPermittedIsNot() throws Exception {
    createTopics();
    try (HookReceiver consumer = new HookReceiver();
        ServerUnderTest server = server(consumer)) {
      send("1", "prepare", "http:" + consumer.url());
      send("2", "prepare", "kafka:payroll");
      send("1", "commit", "");
      send("2", "commit", "");

      await(server, new HalfKey("order", "1"), HalfState.COMMITTED);
      await(server, new HalfKey("order", "2"), HalfState.COMMIT_REMEMBERED);
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
      while (consumer.received().isEmpty()) {
        assertThat(System.nanoTime()).isLessThan(deadline);
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
      }
      assertThat(consumer.received()).containsExactly("payload of 1");
    }
  }

  private ServerUnderTest server(HookReceiver consumer) {
    return ServerUnderTest.open(
        "angarium.kafka.enabled=true",
        "angarium.kafka.bootstrap-servers=" + kafka.bootstrapServers(),
        "angarium.http.allowed-hosts=" + URI.create(consumer.url()).getAuthority(),
        "angarium.server.kafka-intake.topics=" + topic,
        "angarium.server.kafka-intake.dead-letter-topic=" + deadLetters,
        "angarium.server.kafka-intake.group=" + topic,
        "angarium.server.kafka-intake.destinations=http:*");
  }

  private void createTopics() throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      admin
          .createTopics(
              List.of(new NewTopic(topic, 2, (short) 1), new NewTopic(deadLetters, 1, (short) 1)))
          .all()
          .get(30, TimeUnit.SECONDS);
    }
  }

  private void send(String key, String step, String destination) {
    ProducerRecord<byte[], byte[]> record =
        new ProducerRecord<>(topic, key.getBytes(UTF_8), ("payload of " + key).getBytes(UTF_8));
    record.headers().add(HalfIntakeFormat.STEP, step.getBytes(UTF_8));
    record.headers().add(HalfIntakeFormat.BUSINESS, "order".getBytes(UTF_8));
    record.headers().add(HalfIntakeFormat.DESTINATION, destination.getBytes(UTF_8));
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", kafka.bootstrapServers()),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      Future<?> unused = producer.send(record); // close() waits for it
    }
  }

  private static void await(ServerUnderTest server, HalfKey key, HalfState state) {
    HalfMessages half = server.bean(HalfMessages.class);
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (half.state(key) != state) {
      assertThat(System.nanoTime()).as("%s is %s", key, half.state(key)).isLessThan(deadline);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
    }
  }
}
