package io.angarium.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessages;
import io.angarium.half.HalfState;
import io.angarium.testservers.KafkaServer;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.SharedServers;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A producer of TrustMessage that sends its JSON through Kafka and is asked over HTTP. */
@RequiresServer(Server.KAFKA)
class ServerTrustMessageKafkaTest {
  private static final String FORM =
      "{\"bizID\":1,\"messageKey\":\"%s\",\"messageStatus\":%d,\"message\":\"payload of %1$s\","
          + "\"forwardTopic\":\"%s\",\"forwardKey\":\"Ada\",\"verifyInfo\":{\"protocolType\":1,"
          + "\"url\":\"http://%s/verifyMessage\"}}";

  private final KafkaServer kafka = SharedServers.kafka();
  private final String topic = "half-" + UUID.randomUUID();
  private final String deadLetters = "dead-" + UUID.randomUUID();
  private final String orders = "orders-" + UUID.randomUUID();
  private final Set<String> questions = ConcurrentHashMap.newKeySet();
  private final Map<String, Integer> statuses = Map.of("paid", 2, "given-up", 3, "open", 1);
  private HttpServer producer;

  @BeforeEach
  void start() throws IOException {
    producer = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    producer.createContext(
        "/verifyMessage",
        exchange -> {
          try (exchange) {
            String query = exchange.getRequestURI().getQuery();
            questions.add(query);
            String key = query.substring(query.indexOf("messageKey=") + "messageKey=".length());
            byte[] answer =
                "{\"status\":\"200\",\"message\":\"success\",\"data\":{\"messageKey\":\"%s\",\"messageStatus\":%d}}"
                    .formatted(key, statuses.getOrDefault(key, 1))
                    .getBytes(UTF_8);
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
          }
        });
    producer.start();
    kafka.createTopic(topic, 2);
    kafka.createTopic(deadLetters, 1);
    kafka.createTopic(orders, 1);
  }

  @AfterEach
  void stop() {
    producer.stop(0);
  }

  @Test
  void whatItsProducerAnswersOverHttpDecidesWhatItSentThroughKafka() {
    try (ServerUnderTest server = server()) {
      send("paid", 1);
      send("given-up", 1);
      send("open", 1);
      send("decided", 1);
      send("decided", 2);

      await(server, "paid", HalfState.COMMITTED);
      await(server, "given-up", HalfState.ROLLED_BACK);
      await(server, "decided", HalfState.COMMITTED);
      await(server, "open", HalfState.PREPARED);
      assertThat(received(2))
          .extracting(ConsumerRecord::value)
          .containsExactlyInAnyOrder("payload of paid", "payload of decided");
      assertThat(questions).contains("bizID=1&messageKey=paid", "bizID=1&messageKey=given-up");
      assertThat(server.bean(HalfMessages.class).state(new HalfKey("1", "open")))
          .isEqualTo(HalfState.PREPARED);
    }
  }

  private String host() {
    return "127.0.0.1:" + producer.getAddress().getPort();
  }

  private ServerUnderTest server() {
    return ServerUnderTest.open(
        "angarium.kafka.enabled=true",
        "angarium.kafka.bootstrap-servers=" + kafka.bootstrapServers(),
        "angarium.half.check.first=1s",
        "angarium.half.check.min-pause=100ms",
        "angarium.half.check.allowed-hosts=" + host(),
        "angarium.server.kafka-intake.topics=" + topic,
        "angarium.server.kafka-intake.dead-letter-topic=" + deadLetters,
        "angarium.server.kafka-intake.group=" + topic,
        "angarium.server.kafka-intake.businesses=*",
        "angarium.server.kafka-intake.destinations=kafka:" + orders);
  }

  private void send(String key, int status) {
    String json = FORM.formatted(key, status, orders, host());
    try (KafkaProducer<String, String> client =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", kafka.bootstrapServers()),
            new StringSerializer(),
            new StringSerializer())) {
      Future<?> unused = client.send(new ProducerRecord<>(topic, key, json)); // close() waits
    }
  }

  private List<ConsumerRecord<String, String>> received(int count) {
    List<ConsumerRecord<String, String>> received = new ArrayList<>();
    try (KafkaConsumer<String, String> consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", kafka.bootstrapServers(), "auto.offset.reset", "earliest"),
            new StringDeserializer(),
            new StringDeserializer())) {
      consumer.assign(List.of(new TopicPartition(orders, 0)));
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
      while (received.size() < count) {
        assertThat(System.nanoTime()).as("%s", received).isLessThan(deadline);
        consumer.poll(Duration.ofMillis(200)).forEach(received::add);
      }
    }
    assertThat(received).extracting(ConsumerRecord::key).containsOnly("Ada");
    return received;
  }

  private static void await(ServerUnderTest server, String key, HalfState state) {
    HalfMessages half = server.bean(HalfMessages.class);
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    HalfKey awaited = new HalfKey("1", key);
    while (half.state(awaited) != state) {
      assertThat(System.nanoTime())
          .as("%s is %s", awaited, half.state(awaited))
          .isLessThan(deadline);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
    }
  }
}
