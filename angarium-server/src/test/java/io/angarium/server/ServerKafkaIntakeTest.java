package io.angarium.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessages;
import io.angarium.half.HalfState;
import io.angarium.kafka.intake.HalfIntakeFormat;
import io.angarium.testservers.KafkaServer;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.SharedServers;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

/** The server takes half messages from a real Kafka. */
@RequiresServer(Server.KAFKA)
class ServerKafkaIntakeTest {
  private static final String INTAKE = "angarium.server.kafka-intake.";

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

  @Test
  void payloadBeyondItsLimitIsADeadLetterWithSizeAndLimitAndTheRestGoesOn() throws Exception {
    createTopics();
    try (HookReceiver consumer = new HookReceiver();
        ServerUnderTest server = server(consumer, INTAKE + "payload-max=20B")) {
      send("large", "prepare", "http:" + consumer.url(), "x".repeat(21));
      send("small", "prepare", "http:" + consumer.url(), "x".repeat(20));

      await(server, new HalfKey("order", "small"), HalfState.PREPARED);
      assertDeadLetter(
          "large", "payload of 21 bytes (expected: at most 20", INTAKE + "payload-max");
      assertThat(server.bean(HalfMessages.class).state(new HalfKey("order", "large")))
          .isEqualTo(HalfState.UNKNOWN);
    }
  }

  @Test
  void withoutALimitOfItsOwnThatOfAllMessagesHolds() throws Exception {
    createTopics();
    try (HookReceiver consumer = new HookReceiver();
        ServerUnderTest server = server(consumer, "angarium.limits.payload=1KB")) {
      send("large", "prepare", "http:" + consumer.url(), "x".repeat(1_025));
      send("small", "prepare", "http:" + consumer.url(), "x".repeat(1_024));

      await(server, new HalfKey("order", "small"), HalfState.PREPARED);
      assertDeadLetter(
          "large", "payload of 1025 bytes (expected: at most 1024", "angarium.limits.payload");
    }
  }

  /** Whoever may write to a topic of one business decides nothing of another. */
  @Test
  void decisionAboutABusinessThatIsNotPermittedIsADeadLetterAndChangesNothing() throws Exception {
    HalfKey payment = new HalfKey("payment", "4711");
    createTopics();
    try (HookReceiver consumer = new HookReceiver();
        ServerUnderTest server = server(consumer)) {
      send("payment", "4711", "rollback", "", "");
      send("last", "prepare", "http:" + consumer.url());

      await(server, new HalfKey("order", "last"), HalfState.PREPARED);
      assertDeadLetter("4711", "payment", INTAKE + "businesses");
      assertThat(server.half().state(payment)).isEqualTo(HalfState.UNKNOWN);
    }
  }

  @Test
  void recordsAndDeadLettersAreMeasured() throws Exception {
    createTopics();
    try (HookReceiver consumer = new HookReceiver();
        ServerUnderTest server = server(consumer)) {
      send("1", "prepare", "http:" + consumer.url());
      send("2", "prepare", "kafka:payroll");

      await(server, new HalfKey("order", "1"), HalfState.PREPARED);
      assertDeadLetter("2", "kafka:payroll");
      awaitMetric(server, "angarium_server_requests_total{way=\"kafka\"} 2.0");
      awaitMetric(server, "angarium_server_refusals_total{code=\"DEAD_LETTER\",way=\"kafka\"} 1.0");
      awaitMetric(server, "# HELP angarium_server_intake_lag Records in Kafka");
      awaitMetric(server, "angarium_server_intake_lag 0.0");
    }
  }

  private static void awaitMetric(ServerUnderTest server, String line) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!server.send(server.request("/actuator/prometheus")).body().contains(line)) {
      assertThat(System.nanoTime()).as(line).isLessThan(deadline);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
    }
  }

  private void assertDeadLetter(String key, String... reasons) {
    Map<String, Object> settings = Map.of("bootstrap.servers", kafka.bootstrapServers());
    List<ConsumerRecord<byte[], byte[]>> letters = new ArrayList<>();
    TopicPartition partition = new TopicPartition(deadLetters, 0);
    try (KafkaConsumer<byte[], byte[]> reader =
        new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      reader.assign(List.of(partition));
      reader.seekToBeginning(List.of(partition));
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
      while (letters.isEmpty()) {
        assertThat(System.nanoTime()).isLessThan(deadline);
        reader.poll(Duration.ofMillis(100)).forEach(letters::add);
      }
    }
    assertThat(letters).hasSize(1);
    ConsumerRecord<byte[], byte[]> letter = letters.get(0);
    assertThat(new String(letter.key(), UTF_8)).isEqualTo(key);
    assertThat(new String(letter.headers().lastHeader(HalfIntakeFormat.REASON).value(), UTF_8))
        .contains(reasons);
  }

  private ServerUnderTest server(HookReceiver consumer, String... more) {
    List<String> properties = new ArrayList<>(List.of(more));
    properties.addAll(properties(consumer));
    return ServerUnderTest.open(properties.toArray(String[]::new));
  }

  private List<String> properties(HookReceiver consumer) {
    return List.of(
        "angarium.kafka.enabled=true",
        "angarium.kafka.bootstrap-servers=" + kafka.bootstrapServers(),
        "angarium.http.allowed-hosts=" + URI.create(consumer.url()).getAuthority(),
        INTAKE + "topics=" + topic,
        INTAKE + "dead-letter-topic=" + deadLetters,
        INTAKE + "group=" + topic,
        INTAKE + "businesses=order",
        INTAKE + "destinations=http:*");
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
    send(key, step, destination, "payload of " + key);
  }

  private void send(String key, String step, String destination, String payload) {
    send("order", key, step, destination, payload);
  }

  private void send(String business, String key, String step, String destination, String payload) {
    ProducerRecord<byte[], byte[]> record =
        new ProducerRecord<>(topic, key.getBytes(UTF_8), payload.getBytes(UTF_8));
    record.headers().add(HalfIntakeFormat.STEP, step.getBytes(UTF_8));
    record.headers().add(HalfIntakeFormat.BUSINESS, business.getBytes(UTF_8));
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
