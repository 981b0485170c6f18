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
import io.angarium.testservers.TestDatabase;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

/** Topics that are registered in the database of running servers, with a real Kafka. */
@RequiresServer({Server.KAFKA, Server.POSTGRESQL})
class ServerIntakeRegistryTest {
  private static final String INTAKE = "angarium.server.kafka-intake.";

  private final KafkaServer kafka = SharedServers.kafka();
  private final TestDatabase database = SharedServers.postgres().freshDatabase();
  private final String suffix = UUID.randomUUID().toString();
  private final String group = "group-" + suffix;
  private final String configured = topic("configured");
  private final String deadLetters = topic("dead");

  private ServerUnderTest server() {
    return ServerUnderTest.guarded(
        database.url(),
        database.user(),
        database.password(),
        "angarium.server.api-keys.tests.steps=prepare,commit,rollback,read,operate",
        "angarium.kafka.enabled=true",
        "angarium.kafka.bootstrap-servers=" + kafka.bootstrapServers(),
        INTAKE + "topics=" + configured,
        INTAKE + "registry.enabled=true",
        INTAKE + "registry.interval=1s",
        INTAKE + "dead-letter-topic=" + deadLetters,
        INTAKE + "group=" + group,
        INTAKE + "businesses=*",
        INTAKE + "destinations=log:*");
  }

  @Test
  void topicsComeAndGoAtRunningServersAndNothingOfThemIsLostOrReadAgain() throws Exception {
    String byHand = topic("hand.half");
    String byCall = topic("call");
    try (ServerUnderTest two = server()) {
      try (ServerUnderTest one = server()) {
        send(configured, "0");
        await(one, "0");
        send(byHand, "1");
        database.execute(
            "INSERT INTO outbox_intake_topic (topic, registered_by) VALUES ('"
                + byHand
                + "', 'Ada')");
        await(one, "1");

        assertThat(call(one, "PUT", byCall, "{\"by\":\"Ada\"}").statusCode()).isEqualTo(200);
        send(byCall, "2");
        await(two, "2");
        assertThat(call(two, "GET", null, "").body())
            .contains("{\"topic\":\"" + byCall + "\",\"onlyMarked\":false,\"enabled\":true,")
            .contains("\"registeredBy\":\"tests: Ada\",\"createdAt\":\"")
            .contains("{\"topic\":\"" + byHand + "\",", "\"registeredBy\":\"Ada\"");
      }
      send(byHand, "3");
      send(byCall, "4");
      send(configured, "5");
      await(two, "3", "4", "5");

      assertThat(call(two, "DELETE", byHand, "").body()).contains("\"removed\":true");
      assertThat(call(two, "DELETE", byHand, "").body()).contains("\"removed\":false");
      awaitUnassigned(byHand);
      long committed = committed(byHand);
      assertThat(committed).isEqualTo(2);
      send(byHand, "6");
      send(configured, "7");
      await(two, "7");
      assertThat(state(two, "6")).isEqualTo(HalfState.UNKNOWN);
      assertThat(committed(byHand)).isEqualTo(committed);

      assertThat(call(two, "PUT", byHand, "").statusCode()).isEqualTo(200);
      await(two, "6");
      assertThat(committed(byHand)).isEqualTo(committed + 1);
    }
  }

  @Test
  void serversGoOnWithWhatTheyKnowWhileTheRegistryCannotBeReadOrHoldsWhatIsWrong()
      throws Exception {
    String known = topic("known");
    String later = topic("later");
    String created = "created-" + suffix;
    try (ServerUnderTest server = server()) {
      register(known);
      send(known, "1");
      await(server, "1");

      database.execute("ALTER TABLE outbox_intake_topic RENAME TO elsewhere");
      send(known, "2");
      send(configured, "3");
      await(server, "2", "3");
      assertThat(call(server, "GET", null, "").statusCode()).isEqualTo(503);
      database.execute("ALTER TABLE elsewhere RENAME TO outbox_intake_topic");

      register("no topic");
      register(deadLetters);
      register(created);
      register(later);
      send(later, "4");
      await(server, "4");
      sendAnything(known);
      await("a dead letter", () -> end(deadLetters) == 1);
      createTopic(created);
      send(created, "5");
      await(server, "5");
      assertThat(end(deadLetters)).isOne();
    }
  }

  // ---- Kafka

  private String topic(String name) {
    String topic = name + "-" + suffix;
    createTopic(topic);
    return topic;
  }

  private void createTopic(String topic) {
    admin(admin -> admin.createTopics(List.of(new NewTopic(topic, 2, (short) 1))).all().get());
  }

  private interface Question<T> {
    T to(Admin admin) throws Exception;
  }

  private <T> T admin(Question<T> question) {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      return question.to(admin);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** The sum of the offsets that the group has committed of a topic. */
  private long committed(String topic) {
    Map<TopicPartition, OffsetAndMetadata> offsets =
        admin(admin -> admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata().get());
    return offsets.entrySet().stream()
        .filter(each -> each.getKey().topic().equals(topic))
        .mapToLong(each -> each.getValue().offset())
        .sum();
  }

  private void awaitUnassigned(String topic) throws Exception {
    await(
        topic + " is read by nobody",
        () -> {
          List<TopicPartition> assigned = new ArrayList<>();
          admin(admin -> admin.describeConsumerGroups(List.of(group)).all().get())
              .get(group)
              .members()
              .forEach(member -> assigned.addAll(member.assignment().topicPartitions()));
          return !assigned.isEmpty()
              && assigned.stream().noneMatch(each -> each.topic().equals(topic));
        });
  }

  private long end(String topic) {
    return admin(
        admin -> {
          long sum = 0;
          for (int partition = 0; partition < 2; partition++) {
            TopicPartition place = new TopicPartition(topic, partition);
            sum +=
                admin
                    .listOffsets(Map.of(place, org.apache.kafka.clients.admin.OffsetSpec.latest()))
                    .partitionResult(place)
                    .get()
                    .offset();
          }
          return sum;
        });
  }

  private void send(String topic, String key) {
    ProducerRecord<byte[], byte[]> record =
        new ProducerRecord<>(topic, key.getBytes(UTF_8), key.getBytes(UTF_8));
    record.headers().add(HalfIntakeFormat.STEP, "prepare".getBytes(UTF_8));
    record.headers().add(HalfIntakeFormat.BUSINESS, "order".getBytes(UTF_8));
    record.headers().add(HalfIntakeFormat.DESTINATION, "log:orders".getBytes(UTF_8));
    send(record);
  }

  private void sendAnything(String topic) {
    send(new ProducerRecord<>(topic, "poison".getBytes(UTF_8)));
  }

  private void send(ProducerRecord<byte[], byte[]> record) {
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", kafka.bootstrapServers()),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      Future<?> unused = producer.send(record); // close() waits for it
    }
  }

  // ---- the servers

  private void register(String topic) throws Exception {
    database.execute("INSERT INTO outbox_intake_topic (topic) VALUES ('" + topic + "')");
  }

  private static HttpResponse<String> call(
      ServerUnderTest server, String method, String topic, String body) {
    return server.send(
        server
            .request("/v1/intake-topics" + (topic == null ? "" : "/" + topic))
            .header("Authorization", "Bearer " + ServerUnderTest.KEY)
            .method(method, BodyPublishers.ofString(body)));
  }

  private static HalfState state(ServerUnderTest server, String key) {
    return server.bean(HalfMessages.class).state(new HalfKey("order", key));
  }

  private static void await(ServerUnderTest server, String... keys) throws Exception {
    for (String key : keys) {
      await(key + " is prepared", () -> state(server, key) == HalfState.PREPARED);
    }
  }

  private static void await(String what, Callable<Boolean> condition) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(90);
    while (!condition.call()) {
      assertThat(System.nanoTime()).as(what).isLessThan(deadline);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
    }
  }
}
