package io.angarium.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.angarium.testservers.KafkaServer;
import io.angarium.testservers.ServerOptions;
import io.angarium.testtransports.Resending;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * The broker of this module's tests: behind a proxy, without automatic topics, with an authorizer
 * that allows everything but what a test forbids.
 */
public final class TestBroker {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private TestBroker() {}

  private static final class Holder {
    static final KafkaServer SERVER =
        KafkaServer.start(
            ServerOptions.standard()
                .ownProcess()
                .proxied()
                .setting("auto.create.topics.enable", "false")
                .setting(
                    "authorizer.class.name",
                    "org.apache.kafka.metadata.authorizer.StandardAuthorizer")
                .setting("allow.everyone.if.no.acl.found", "true"));

    static {
      Runtime.getRuntime().addShutdownHook(new Thread(SERVER::close, "close-test-broker"));
    }

    private Holder() {}
  }

  public static KafkaServer server() {
    return Holder.SERVER;
  }

  /** Short time-outs, so that tests of outages are short. */
  public static KafkaConfig config() {
    return KafkaConfig.of(server().bootstrapServers())
        .deliveryTimeout(Duration.ofSeconds(1))
        .holdMax(Duration.ofSeconds(1));
  }

  public static String topic(String name, int partitions) {
    return topic(name, partitions, Map.of());
  }

  public static String topic(String name, int partitions, Map<String, String> settings) {
    server().createTopic(name, partitions, settings);
    return name;
  }

  /** Deletes a topic with all its records. */
  static void delete(String topic) {
    admin(admin -> admin.deleteTopics(List.of(topic)).all());
  }

  /** Allows a topic to somebody else only. */
  static void forbid(String topic) {
    ResourcePattern pattern = new ResourcePattern(ResourceType.TOPIC, topic, PatternType.LITERAL);
    AccessControlEntry entry =
        new AccessControlEntry("User:boss", "*", AclOperation.ALL, AclPermissionType.ALLOW);
    admin(admin -> admin.createAcls(List.of(new AclBinding(pattern, entry))).all());
  }

  /**
   * Who has no name may do this to it and nothing else, until more is {@link #permit permitted}.
   */
  public static void permit(ResourceType type, String name, AclOperation operation) {
    AccessControlEntry entry =
        new AccessControlEntry("User:ANONYMOUS", "*", operation, AclPermissionType.ALLOW);
    ResourcePattern pattern = new ResourcePattern(type, name, PatternType.LITERAL);
    admin(admin -> admin.createAcls(List.of(new AclBinding(pattern, entry))).all());
  }

  /** Something to be asked of the broker. */
  interface Request {
    KafkaFuture<?> to(Admin admin);
  }

  static void admin(Request request) {
    Map<String, Object> settings = Map.of("bootstrap.servers", server().directBootstrapServers());
    try (Admin admin = Admin.create(settings)) {
      request.to(admin).get(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException | InterruptedException e) {
      throw new IllegalStateException("The broker did not do it", e);
    }
  }

  /** How many members a group of consumers has; none if it does not exist yet. */
  public static int members(String group) {
    return ofGroup(
        0,
        admin ->
            admin
                .describeConsumerGroups(List.of(group))
                .all()
                .thenApply(all -> all.get(group).members().size()));
  }

  /** The sum of the offsets that a group has committed; 0 if it does not exist yet. */
  public static long committed(String group) {
    return ofGroup(
        0L,
        admin ->
            admin
                .listConsumerGroupOffsets(group)
                .partitionsToOffsetAndMetadata()
                .thenApply(
                    all -> all.values().stream().mapToLong(OffsetAndMetadata::offset).sum()));
  }

  private static <T> T ofGroup(T none, Function<Admin, KafkaFuture<T>> question) {
    Map<String, Object> settings = Map.of("bootstrap.servers", server().directBootstrapServers());
    try (Admin admin = Admin.create(settings)) {
      return question.apply(admin).get(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof GroupIdNotFoundException) {
        return none;
      }
      throw new IllegalStateException("The broker did not answer", e);
    } catch (TimeoutException | InterruptedException e) {
      throw new IllegalStateException("The broker did not answer", e);
    }
  }

  /** All records of a topic, partition by partition, past the proxy. */
  public static List<ConsumerRecord<byte[], byte[]>> read(String topic) {
    Map<String, Object> settings = new HashMap<>();
    settings.put("bootstrap.servers", server().directBootstrapServers());
    List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      Collection<TopicPartition> partitions =
          consumer.partitionsFor(topic).stream()
              .map(p -> new TopicPartition(topic, p.partition()))
              .toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      long deadline = System.nanoTime() + LIMIT.toNanos();
      while (ends.entrySet().stream().anyMatch(e -> consumer.position(e.getKey()) < e.getValue())) {
        consumer.poll(Duration.ofMillis(100)).forEach(records::add);
        if (System.nanoTime() > deadline) {
          throw new IllegalStateException("The topic " + topic + " could not be read to its end");
        }
      }
    }
    return records;
  }

  /** Keys and texts of all records of a topic. */
  static List<Resending.Arrival> arrivals(String topic) {
    return read(topic).stream()
        .map(
            record ->
                new Resending.Arrival(
                    new String(record.key(), UTF_8), new String(record.value(), UTF_8)))
        .toList();
  }
}
