package io.angarium.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.angarium.Destination;
import io.angarium.Message;
import io.angarium.intake.StoredMessage;
import io.angarium.testkit.ManualClock;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testtransports.Resending;
import io.angarium.testtransports.Results;
import io.angarium.transport.KeyOrder;
import io.angarium.transport.SendResult;
import io.angarium.transport.SendResult.Failed;
import io.angarium.transport.SendResult.Refused;
import io.angarium.transport.SendResult.Unavailable;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@RequiresServer(Server.KAFKA)
class KafkaTransportTest {
  private final Results results = new Results();
  private KafkaTransport transport;

  @BeforeEach
  void openTransport() {
    // Far more time than is needed, so that a slow machine does not look like an outage.
    transport = KafkaTransport.open(patient());
  }

  private static KafkaConfig patient() {
    return TestBroker.config()
        .deliveryTimeout(Duration.ofSeconds(20))
        .holdMax(Duration.ofSeconds(20))
        .batchBytes(16_384);
  }

  @AfterEach
  void closeTransport() {
    transport.close();
  }

  @Test
  void aRecordLooksAsTheWireFormatSays() {
    String topic = TestBroker.topic("wire", 1);
    Instant before = Instant.now();
    StoredMessage message =
        Messages.of(
            Message.of("kafka:" + topic, "pâyload".getBytes(UTF_8))
                .key("ключ")
                .type("order-paid")
                .business("order", "№ 1")
                .header("traceparent", "00-1-2-01")
                .header("content-type", "application/json")
                .header("tenant", "été"));

    transport.send(List.of(message), results);

    assertThat(results.next().result()).isEqualTo(SendResult.ACKNOWLEDGED);
    ConsumerRecord<byte[], byte[]> record = TestBroker.read(topic).get(0);
    assertThat(new String(record.key(), UTF_8)).isEqualTo("ключ");
    assertThat(new String(record.value(), UTF_8)).isEqualTo("pâyload");
    assertThat(Instant.ofEpochMilli(record.timestamp())).isAfterOrEqualTo(before.minusMillis(1));
    assertThat(headers(record))
        .containsExactly(
            Map.entry("angarium-id", message.id().toString()),
            Map.entry("angarium-type", "order-paid"),
            Map.entry("angarium-business-type", "order"),
            Map.entry("angarium-business-key", "№ 1"),
            Map.entry("traceparent", "00-1-2-01"),
            Map.entry("content-type", "application/json"),
            Map.entry("tenant", "été"));
  }

  @Test
  void aBareMessageHasNoKeyAndOnlyItsIdAsHeader() {
    String topic = TestBroker.topic("bare", 1);
    StoredMessage message = Messages.of(Message.of(topic, new byte[0]));

    transport.send(List.of(message), results);

    assertThat(results.next().result()).isEqualTo(SendResult.ACKNOWLEDGED);
    ConsumerRecord<byte[], byte[]> record = TestBroker.read(topic).get(0);
    assertThat(record.key()).isNull();
    assertThat(record.value()).isEmpty();
    assertThat(headers(record)).containsExactly(Map.entry("angarium-id", message.id().toString()));
  }

  @Test
  void manyMessagesOfAKeyArriveInTheOrderTheyWereHandedOver() {
    String topic = TestBroker.topic("order", 3);
    List<StoredMessage> batch = new ArrayList<>();
    for (int i = 0; i < 5_000; i++) {
      batch.add(Messages.of(topic, "key-" + i % 7, String.valueOf(i)));
    }

    transport.send(batch, results);

    assertThat(results.next(5_000)).containsOnly(SendResult.ACKNOWLEDGED);
    Map<String, List<Integer>> byKey = new LinkedHashMap<>();
    TestBroker.read(topic)
        .forEach(
            record ->
                byKey
                    .computeIfAbsent(new String(record.key(), UTF_8), k -> new ArrayList<>())
                    .add(Integer.valueOf(new String(record.value(), UTF_8))));
    assertThat(byKey).hasSize(7);
    byKey.values().forEach(values -> assertThat(values).isSorted().doesNotHaveDuplicates());
  }

  @Test
  void aTopicThatDoesNotExistIsRefusedAfterAGraceAndHoldsNobodyUp() {
    String topic = TestBroker.topic("exists", 1);
    ManualClock clock = ManualClock.create();
    StoredMessage lost = Messages.of("does-not-exist", "k", "1");
    StoredMessage fine = Messages.of(topic, "k", "2");

    try (KafkaTransport timeless = KafkaTransport.open(patient(), clock, RealProducer::of)) {
      timeless.send(List.of(lost, fine), results);

      assertThat(results.next()).isEqualTo(new Results.Result(fine, SendResult.ACKNOWLEDGED));
      assertThat(results.has(lost)).isFalse();
      clock.advance(patient().holdMax());
      assertRefused(results.next().result(), "'does-not-exist' does not exist", "create it");
    }
  }

  @Test
  void aTopicThatIsCreatedWithinTheGraceGetsItsMessagesInOrder() {
    List<StoredMessage> batch = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      batch.add(Messages.of("late", "k", String.valueOf(i)));
    }

    transport.send(batch, results);
    TestBroker.topic("late", 1);

    assertThat(results.next(100)).containsOnly(SendResult.ACKNOWLEDGED);
    assertThat(TestBroker.read("late"))
        .extracting(record -> Integer.valueOf(new String(record.value(), UTF_8)))
        .isSorted()
        .hasSize(100);
  }

  @Test
  void aNameNoTopicCanHaveIsRefusedAtOnce() {
    transport.send(List.of(Messages.of("a b", "k", "1"), Messages.of("..", "k", "1")), results);

    assertRefused(results.next().result(), "'a b' cannot be a topic", "correct the destination");
    assertRefused(results.next().result(), "'..' cannot be a topic");
  }

  @Test
  void aRecordOverTheLimitOfTheClientIsRefused() {
    String topic = TestBroker.topic("client-limit", 1);
    StoredMessage large = Messages.of(Message.of(topic, new byte[9_000_000]).key("k"));
    StoredMessage small = Messages.of(topic, "k", "small");

    transport.send(List.of(large, small), results);

    results.next(2);
    assertRefused(results.of(large), "9000", "max.request.size", "raise the limit");
    assertThat(results.of(small)).isEqualTo(SendResult.ACKNOWLEDGED);
  }

  @Test
  void aRecordOverTheLimitOfTheTopicIsRefusedWithBothNumbersAndItsNeighboursAreStored() {
    String topic = TestBroker.topic("topic-limit", 1, Map.of("max.message.bytes", "20000"));
    ManualClock clock = ManualClock.create();
    List<StoredMessage> batch = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      int bytes = i == 50 ? 30_000 : 1_000;
      batch.add(Messages.of(Message.of(topic, new byte[bytes]).key("k")));
    }

    SendResult refused;
    try (KafkaTransport timeless = KafkaTransport.open(patient(), clock, RealProducer::of)) {
      timeless.send(batch, results);
      results.next(100);
      refused = results.of(batch.get(50));
      long deadline = System.nanoTime() + Results.LIMIT.toNanos();
      while (refused instanceof Refused known && !known.reason().contains("max.message.bytes 2")) {
        assertThat(System.nanoTime()).as("in time: %s", known.reason()).isLessThan(deadline);
        clock.advance(Duration.ofSeconds(10)); // asked anew, if the broker was too slow to tell
        timeless.send(List.of(Messages.of(batch.get(50).message())), results);
        refused = results.next().result();
      }
    }

    assertRefused(refused, "30", "max.message.bytes 20000", "raise", "then requeue");
    assertThat(batch.stream().map(results::of).filter(r -> r == SendResult.ACKNOWLEDGED))
        .hasSize(99);
    assertThat(TestBroker.read(topic)).hasSize(99);
  }

  @Test
  void aTopicWhoseLimitIsBelowTheBatchGetsThroughAtTheLatestWhenSentAgain() throws Exception {
    String topic = TestBroker.topic("low-limit", 1, Map.of("max.message.bytes", "20000"));
    try (KafkaTransport largeBatches = KafkaTransport.open(TestBroker.config())) {
      Destination destination = new Destination("kafka", topic);
      Resending resending = new Resending(largeBatches, destination, 2, 2_000, 1_000);

      resending.run(acknowledged -> {});

      resending.check(TestBroker.arrivals(topic));
    }
  }

  @Test
  void aRecordWithoutKeyForACompactedTopicIsRefused() {
    String topic = TestBroker.topic("compacted", 1, Map.of("cleanup.policy", "compact"));

    transport.send(List.of(Messages.of(topic, null, "1")), results);

    assertRefused(results.next().result(), "compacted topic needs a key");
  }

  @Test
  void aTopicThisClientMayNotWriteToIsRefusedAndOthersAreNot() {
    String secret = TestBroker.topic("secret", 1);
    String open = TestBroker.topic("open", 1);
    TestBroker.forbid(secret);
    StoredMessage forbidden = Messages.of(secret, "k", "1");
    StoredMessage allowed = Messages.of(open, "k", "1");

    transport.send(List.of(forbidden, allowed), results);

    results.next(2);
    assertRefused(results.of(forbidden), "must not write to topic 'secret'", "grant it WRITE");
    assertThat(results.of(allowed)).isEqualTo(SendResult.ACKNOWLEDGED);
  }

  @Test
  void anExistingTopicIsNeverRefusedWhileItsBrokerRestarts() {
    String topic = TestBroker.topic("restarted", 1);
    TestBroker.server().restart();

    transport.send(List.of(Messages.of(topic, "k", "1")), results);

    assertThat(results.next().result()).isEqualTo(SendResult.ACKNOWLEDGED);
  }

  @Test
  void flushWaitsForResults() {
    String topic = TestBroker.topic("flushed", 1);
    StoredMessage message = Messages.of(topic, "k", "1");

    transport.send(List.of(message), results);
    transport.flush(Duration.ofSeconds(20));

    assertThat(results.has(message)).isTrue();
  }

  @Test
  void flushEndsAtItsTimeoutWithoutABroker() {
    try (KafkaTransport lonely =
        KafkaTransport.open(KafkaConfig.of("127.0.0.1:1").holdMax(Duration.ofMinutes(1)))) {
      StoredMessage message = Messages.of("any", "k", "1");
      lonely.send(List.of(message), results);

      lonely.flush(Duration.ofMillis(50));

      assertThat(results.has(message)).isFalse();
    }
    assertThat(results.next().result()).isInstanceOf(Failed.class);
  }

  @Test
  void withoutABrokerMessagesAreUnavailable() {
    KafkaConfig config = KafkaConfig.of("127.0.0.1:1").holdMax(Duration.ofMillis(300));
    try (KafkaTransport lonely = KafkaTransport.open(config)) {
      lonely.send(List.of(Messages.of("any", "k", "1")), results);

      assertUnavailable(results.next().result(), "127.0.0.1:1");
    }
  }

  @Test
  void withoutANameServiceMessagesAreUnavailable() {
    KafkaConfig config =
        KafkaConfig.of("no-such-host.invalid:9092").holdMax(Duration.ofMillis(300));
    try (KafkaTransport lonely = KafkaTransport.open(config)) {
      lonely.send(List.of(Messages.of("any", "k", "1")), results);

      assertUnavailable(results.next().result(), "no-such-host.invalid:9092");
    }
  }

  @Test
  void aClosedTransportSaysSo() {
    transport.close();
    transport.close();

    transport.send(List.of(Messages.of("any", "k", "1")), results);

    assertUnavailable(results.next().result(), "closed");
  }

  @Test
  void promisesToKeepTheOrderOfAKeyAndStaysWithinItsTimes() {
    assertThat(transport.name()).isEqualTo("kafka");
    assertThat(transport.keyOrder()).isEqualTo(KeyOrder.PIPELINED);
    assertThat(transport.resultMax()).isEqualTo(Duration.ofMillis(41_500));
    assertThat(transport.blockingMax()).isEqualTo(Duration.ofMillis(200));
  }

  private static void assertRefused(SendResult result, String... parts) {
    assertThat(result)
        .asInstanceOf(type(Refused.class))
        .extracting(Refused::reason)
        .asString()
        .contains(parts);
  }

  private static void assertUnavailable(SendResult result, String... parts) {
    assertThat(result)
        .asInstanceOf(type(Unavailable.class))
        .extracting(Unavailable::reason)
        .asString()
        .contains(parts);
  }

  private static List<Map.Entry<String, String>> headers(ConsumerRecord<?, ?> record) {
    List<Map.Entry<String, String>> headers = new ArrayList<>();
    for (Header header : record.headers()) {
      headers.add(Map.entry(header.key(), new String(header.value(), UTF_8)));
    }
    return headers;
  }
}
