package io.angarium.rocketmq;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.angarium.Destination;
import io.angarium.Message;
import io.angarium.intake.StoredMessage;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testtransports.Messages;
import io.angarium.testtransports.Results;
import io.angarium.transport.SendResult;
import io.angarium.transport.SendResult.Refused;
import io.angarium.transport.SendResult.Unavailable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.rocketmq.common.message.MessageExt;
import org.assertj.core.api.AbstractStringAssert;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@RequiresServer(Server.ROCKETMQ)
class RocketTransportTest {
  private final Results results = new Results();
  private RocketTransport transport;

  @BeforeEach
  void openTransport() {
    transport = RocketTransport.open(patient());
  }

  /** Far more time than is needed, so that a slow machine does not look like an outage. */
  private static RocketConfig patient() {
    return TestCluster.config().sendTimeout(Duration.ofSeconds(20)).holdMax(Duration.ofSeconds(20));
  }

  /** A missing topic is refused after this. */
  private static RocketConfig impatient() {
    return patient().holdMax(Duration.ofSeconds(2));
  }

  @AfterEach
  void closeTransport() {
    transport.close();
  }

  private static StoredMessage message(String address, String key, String payload) {
    return Messages.of(new Destination("rocketmq", address), key, payload);
  }

  private static AbstractStringAssert<?> assertRefused(SendResult result) {
    return assertThat(result)
        .asInstanceOf(type(Refused.class))
        .extracting(Refused::reason)
        .asString();
  }

  @Test
  void aMessageLooksAsTheWireFormatSays() {
    String topic = TestCluster.topic("wire", 1);
    StoredMessage message =
        Messages.of(
            Message.of("rocketmq:" + topic + ":paid", "pâyload".getBytes(UTF_8))
                .key("ключ")
                .type("order-paid")
                .business("order", "№ 1")
                .header("content-type", "application/json")
                .header("traceparent", "00-1-2-01"));

    transport.send(List.of(message), results);

    assertThat(results.next().result()).isEqualTo(SendResult.ACKNOWLEDGED);
    MessageExt stored = TestCluster.read(topic).get(0);
    assertThat(new String(stored.getBody(), UTF_8)).isEqualTo("pâyload");
    assertThat(stored.getTags()).isEqualTo("paid");
    assertThat(stored.getKeys()).isEqualTo(message.id() + " ключ");
    assertThat(stored.getProperties())
        .containsEntry("angarium-id", message.id().toString())
        .containsEntry("angarium-key", "ключ")
        .containsEntry("__SHARDINGKEY", "ключ")
        .containsEntry("angarium-type", "order-paid")
        .containsEntry("angarium-business-type", "order")
        .containsEntry("angarium-business-key", "№ 1")
        .containsEntry("content-type", "application/json")
        .containsEntry("traceparent", "00-1-2-01")
        .doesNotContainKeys("angarium-empty", "angarium-headers");
  }

  @Test
  void headersThatCannotBePropertiesStandInOne() {
    String topic = TestCluster.topic("further", 1);
    StoredMessage message =
        Messages.of(
            Message.of("rocketmq:" + topic, new byte[1])
                .header("empty", "")
                .header("KEYS", "not those of RocketMQ")
                .header("TRANSACTION_CHECK_TIMES", "15")
                .header("odd", "a\u0001b\u0002c=&"));

    transport.send(List.of(message), results);

    assertThat(results.next().result()).isEqualTo(SendResult.ACKNOWLEDGED);
    MessageExt stored = TestCluster.read(topic).get(0);
    assertThat(stored.getKeys()).isEqualTo(message.id().toString());
    assertThat(RocketWireFormat.furtherHeaders(stored.getProperties()))
        .isEqualTo(
            Map.of(
                "empty",
                "",
                "KEYS",
                "not those of RocketMQ",
                "TRANSACTION_CHECK_TIMES",
                "15",
                "odd",
                "a\u0001b\u0002c=&"));
  }

  @Test
  void manyMessagesOfAKeyArriveInTheOrderTheyWereHandedOver() {
    String topic = TestCluster.topic("order", 3);
    List<StoredMessage> batch = new ArrayList<>();
    for (int i = 0; i < 5_000; i++) {
      batch.add(message(topic, "key-" + i % 7, String.valueOf(i)));
    }

    transport.send(batch, results);

    assertThat(results.next(5_000)).containsOnly(SendResult.ACKNOWLEDGED);
    Map<String, List<Integer>> byKey = new LinkedHashMap<>();
    TestCluster.read(topic)
        .forEach(
            stored ->
                byKey
                    .computeIfAbsent(
                        stored.getProperty(RocketWireFormat.KEY), k -> new ArrayList<>())
                    .add(Integer.valueOf(new String(stored.getBody(), UTF_8))));
    assertThat(byKey).hasSize(7);
    byKey.values().forEach(values -> assertThat(values).isSorted().doesNotHaveDuplicates());
  }

  @Test
  void aTopicThatDoesNotExistIsRefusedAfterAGraceAndHoldsNobodyUp() {
    String topic = TestCluster.topic("exists", 1);
    long deadline = System.nanoTime() + Results.LIMIT.toNanos();
    StoredMessage lost;
    StoredMessage fine;
    Results.Result first;
    try (RocketTransport impatient = RocketTransport.open(impatient())) {
      do { // again if the machine stalled for as long as the grace
        assertThat(System.nanoTime()).as("nobody held up in time").isLessThan(deadline);
        lost = message("does-not-exist", "k", "1");
        fine = message(topic, "k", "2");
        impatient.send(List.of(lost, fine), results);
        first = results.next();
        results.next();
      } while (!first.equals(new Results.Result(fine, SendResult.ACKNOWLEDGED))
          || results.of(lost) instanceof Unavailable);
    }

    assertRefused(results.of(lost)).contains("'does-not-exist'", "create it");
  }

  /** Its queues are known from before; the broker says at each request that it is not there. */
  @Test
  void aTopicThatIsDeletedWhileItIsInUseIsRefused() {
    String topic = TestCluster.topic("deleted", 2);
    try (RocketTransport impatient = RocketTransport.open(impatient())) {
      assertThat(sendUntilAvailable(impatient, topic)).isEqualTo(SendResult.ACKNOWLEDGED);
      TestCluster.server().deleteTopic(topic);

      assertRefused(sendUntilAvailable(impatient, topic)).contains("'deleted'", "create it");
    }
  }

  private SendResult sendUntilAvailable(RocketTransport to, String topic) {
    long deadline = System.nanoTime() + Results.LIMIT.toNanos();
    SendResult result;
    do {
      assertThat(System.nanoTime()).as("available in time").isLessThan(deadline);
      to.send(List.of(message(topic, "k", "x")), results);
      result = results.next().result();
    } while (result instanceof Unavailable);
    return result;
  }

  @Test
  void aTopicThatIsCreatedWithinTheGraceGetsItsMessagesInOrder() {
    List<StoredMessage> batch = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      batch.add(message("late", "k", String.valueOf(i)));
    }

    transport.send(batch, results);
    TestCluster.topic("late", 1);

    assertThat(results.next(100)).containsOnly(SendResult.ACKNOWLEDGED);
    assertThat(TestCluster.read("late"))
        .extracting(stored -> Integer.valueOf(new String(stored.getBody(), UTF_8)))
        .isSorted()
        .hasSize(100);
  }

  /** The broker refuses a request as a whole, and says nothing of the others in it. */
  @Test
  void oneThatIsTooLargeAmongManyIsFoundAndTheOthersArriveOnceAndInOrder() {
    String topic = TestCluster.topic("one-too-large", 1);
    StoredMessage large =
        Messages.of(
            Message.of("rocketmq:" + topic, new byte[TestCluster.MESSAGE_BYTES_MAX + 1]).key("k"));
    List<StoredMessage> batch = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      batch.add(i == 20 ? large : message(topic, "k", String.valueOf(i)));
    }
    try (RocketTransport together =
        RocketTransport.open(patient().batchBytes(4 << 20).batchMessages(100))) {
      together.send(batch, results);
      results.next(40);
    }

    assertRefused(results.of(large)).contains("maxMessageSize", topic);
    assertThat(TestCluster.read(topic))
        .extracting(stored -> Integer.valueOf(new String(stored.getBody(), UTF_8)))
        .isSorted()
        .doesNotHaveDuplicates()
        .hasSize(39);
  }

  /** Its client and its brokers add to what we give, and have 16 bits for the length of all. */
  @Test
  void asManyPropertiesAsFitArriveInARequestOfSeveral() {
    String topic = TestCluster.topic("properties", 1);
    Message message = Message.of("rocketmq:" + topic, new byte[1]).key("k");
    List<StoredMessage> messages =
        Stream.generate(() -> Messages.of(message.header("h", "v".repeat(31_550))))
            .limit(3)
            .toList();

    transport.send(messages, results);

    assertThat(results.next(3)).containsOnly(SendResult.ACKNOWLEDGED);
    assertThat(TestCluster.read(topic))
        .hasSize(3)
        .allSatisfy(stored -> assertThat(stored.getProperty("h")).hasSize(31_550));
  }

  @Test
  void whatRocketMqCannotCarryIsRefused() {
    Message message = Message.of("rocketmq:any", new byte[1]);

    transport.send(List.of(Messages.of(message.key("a\u0001b"))), results);
    assertRefused(results.next().result()).contains("key", "U+0001");
    transport.send(List.of(Messages.of(message.header("h", "v".repeat(33_000)))), results);
    assertRefused(results.next().result()).contains("31743");
    transport.send(List.of(message("a.b", "k", "x")), results);
    assertRefused(results.next().result()).contains("'a.b'", "expected: topic or topic:tag");
    transport.send(List.of(Messages.of(Message.of("rocketmq:any", new byte[5 << 20]))), results);
    assertRefused(results.next().result()).contains("5242880 bytes", "message-max");
  }

  @Test
  void anUnknownNameServerIsNamed() {
    RocketConfig config =
        RocketConfig.of("no-such-host.invalid:9876")
            .sendTimeout(Duration.ofSeconds(1))
            .holdMax(Duration.ofSeconds(1));

    try (RocketTransport lost = RocketTransport.open(config)) {
      lost.send(List.of(message("any", "k", "x")), results);

      assertThat(results.next().result())
          .asInstanceOf(type(Unavailable.class))
          .extracting(Unavailable::reason)
          .asString()
          .contains("no-such-host.invalid:9876", "'any'");
    }
  }
}
