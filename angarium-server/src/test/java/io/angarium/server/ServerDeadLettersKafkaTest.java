package io.angarium.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.Message;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessage;
import io.angarium.half.HalfMessages;
import io.angarium.testservers.KafkaServer;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.SharedServers;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What Kafka refuses is seen and, once the topic takes it, requeued by the operator API. */
@RequiresServer(Server.KAFKA)
class ServerDeadLettersKafkaTest {
  private static final String BASE = "/console/api/v1/default";

  private final KafkaServer kafka = SharedServers.kafka();
  private final String topic = "orders-" + UUID.randomUUID();
  private final Random random = new Random(4711);

  @Test
  void whatWasTooLargeIsDeliveredInOrderOnceTheLimitIsRaised() throws Exception {
    kafka.createTopic(topic, 1, Map.of("max.message.bytes", "2000"));
    try (ServerUnderTest server =
        ServerUnderTest.open(
            "angarium.kafka.enabled=true",
            "angarium.kafka.bootstrap-servers=" + kafka.bootstrapServers())) {
      send(server, "1 " + noise(10_000));
      send(server, "2");
      send(server, "3 " + noise(10_000));
      await(() -> search(server).get("items").size() == 2);
      await(() -> numbers().equals(List.of("2")));
      JsonNode item = search(server).at("/items/0");
      assertThat(item.get("error").asString()).contains("max.message.bytes 2000");

      raiseTheLimit();
      JsonNode preview =
          json(
              server,
              "POST",
              "/operations/preview",
              "{\"kind\":\"requeue\",\"filter\":{\"destinations\":[\"kafka:" + topic + "\"]}}");
      String operation = "/operations/" + UUID.randomUUID();
      json(
          server,
          "PUT",
          operation,
          """
              {"kind":"requeue","filter":{"destinations":["kafka:%s"]},"token":"%s",
               "delay":"PT0S","reason":"max.message.bytes raised"}\
              """
              .formatted(topic, preview.get("token").asString()));

      assertThat(preview.at("/matched/count").asInt()).isEqualTo(2);
      await(() -> done(server, operation) == 2);
      await(() -> numbers().equals(List.of("2", "1", "3"))); // behind what was sent meanwhile
      assertThat(search(server).get("items").size()).isZero();
    }
  }

  private static int done(ServerUnderTest server, String operation) {
    return json(server, "GET", operation, null).at("/operation/done").asInt();
  }

  private void send(ServerUnderTest server, String text) {
    HalfMessages half = server.half();
    HalfKey key = new HalfKey("order", UUID.randomUUID().toString());
    half.prepare(
        HalfMessage.of(key, Message.of("kafka:" + topic, text.getBytes(UTF_8)).key("order-4711")));
    half.commit(key);
  }

  /** Text that no compression makes smaller than the limit. */
  private String noise(int length) {
    StringBuilder text = new StringBuilder();
    random.ints(length, 33, 127).forEach(c -> text.append((char) c));
    return text.toString();
  }

  private JsonNode search(ServerUnderTest server) {
    return json(server, "POST", "/messages/search", "{\"destinations\":[\"kafka:" + topic + "\"]}");
  }

  private static JsonNode json(
      ServerUnderTest server, String method, String path, @Nullable String body) {
    var answered =
        server.send(
            server
                .request(BASE + path)
                .header("Content-Type", "application/json")
                .header("Angarium-Console", "1")
                .method(
                    method,
                    body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body)));
    assertThat(answered.statusCode()).as(answered.body()).isEqualTo(200);
    return JsonMapper.shared().readTree(answered.body());
  }

  private void raiseTheLimit() throws Exception {
    ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
    ConfigEntry raised = new ConfigEntry("max.message.bytes", "1000000");
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      admin
          .incrementalAlterConfigs(
              Map.of(resource, List.of(new AlterConfigOp(raised, AlterConfigOp.OpType.SET))))
          .all()
          .get(60, TimeUnit.SECONDS);
    }
  }

  /** What each record begins with, in their order. */
  private List<String> numbers() {
    List<String> numbers = new ArrayList<>();
    TopicPartition partition = new TopicPartition(topic, 0);
    try (KafkaConsumer<byte[], byte[]> reader =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", kafka.bootstrapServers()),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      reader.assign(List.of(partition));
      reader.seekToBeginning(List.of(partition));
      long end = reader.endOffsets(List.of(partition)).getOrDefault(partition, 0L);
      while (reader.position(partition) < end) {
        reader
            .poll(Duration.ofMillis(100))
            .forEach(record -> numbers.add(new String(record.value(), 0, 1, UTF_8)));
      }
    }
    return numbers;
  }

  private static void await(BooleanSupplier condition) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("in time").isLessThan(deadline);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
    }
  }
}
