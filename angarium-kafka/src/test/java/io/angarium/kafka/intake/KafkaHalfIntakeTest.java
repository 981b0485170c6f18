package io.angarium.kafka.intake;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.ConfigurationException;
import io.angarium.Message;
import io.angarium.StoreException;
import io.angarium.TimeSource;
import io.angarium.half.HalfAnswer;
import io.angarium.half.HalfCall;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessages;
import io.angarium.half.HalfState;
import io.angarium.kafka.KafkaConfig;
import io.angarium.kafka.TestBroker;
import io.angarium.kafka.intake.HalfIntakeConfig.Records;
import io.angarium.store.WriteRefusedException;
import io.angarium.testkit.memory.InMemoryHalfMessages;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** Half messages that come through a real Kafka. */
@RequiresServer(Server.KAFKA)
final class KafkaHalfIntakeTest {
  private static final AtomicInteger TOPICS = new AtomicInteger();

  private final AtomicInteger rounds = new AtomicInteger();
  private final InMemoryHalfMessages half = new InMemoryHalfMessages(TimeSource.SYSTEM);
  private String topic = "";
  private String deadLetters = "";

  @BeforeEach
  void createTopics(TestInfo test) {
    String name = "half-" + TOPICS.incrementAndGet();
    topic = TestBroker.topic(name, 4);
    deadLetters = TestBroker.topic("dead-" + name, 1);
  }

  private HalfIntakeConfig config() {
    return HalfIntakeConfig.ofTopics(deadLetters, Set.of(topic))
        .group("group-" + topic)
        .retryPause(Duration.ofMillis(20));
  }

  private KafkaHalfIntake start() {
    return KafkaHalfIntake.start(TestBroker.config(), config(), half);
  }

  /** What the intake logs on standard error while something is done. */
  private static String logged(Runnable work) {
    PrintStream before = System.err;
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    System.setErr(new PrintStream(log, true, UTF_8));
    try {
      work.run();
    } finally {
      System.setErr(before);
    }
    return log.toString(UTF_8);
  }

  @Test
  void whatTheClusterHasNotIsToldAtTheStart() {
    HalfIntakeConfig absent =
        new HalfIntakeConfig(
            Set.of(topic, "misspelt-" + topic),
            "nobody-has-.*",
            Records.ALL,
            "no-" + deadLetters,
            "group-" + topic,
            500,
            "kafka",
            Duration.ofMillis(20),
            null);

    String log =
        logged(
            () -> {
              try (KafkaHalfIntake intake =
                  KafkaHalfIntake.start(TestBroker.config(), absent, half)) {
                send(prepare("1"));
                awaitState(key("1"), HalfState.PREPARED);
                assertThat(intake.recordsTaken()).isEqualTo(1);
              }
            });

    assertThat(log)
        .containsOnlyOnce("The topic no-" + deadLetters + " for dead letters of the intake is not")
        .containsOnlyOnce("Topics misspelt-" + topic + " of the intake are not in Kafka")
        .containsOnlyOnce("fits the pattern nobody-has-.* of the intake");
  }

  @Test
  void nothingIsToldWhereEverythingIsThere() {
    String log =
        logged(
            () -> {
              try (KafkaHalfIntake intake = start()) {
                send(prepare("1"));
                awaitState(key("1"), HalfState.PREPARED);
                assertThat(intake.trouble()).isEmpty();
              }
            });

    assertThat(log).doesNotContain("of the intake");
  }

  /** Read one by one, so that what is left shrinks with each. */
  @Test
  void recordsAndWhatIsStillToBeReadAreCounted() {
    List<Long> lags = new CopyOnWriteArrayList<>();
    AtomicReference<KafkaHalfIntake> running = new AtomicReference<>();
    HalfMessages looking =
        calling(
            calls -> {
              await("the intake is known", () -> running.get() != null);
              lags.add(running.get().lag());
              return half.callAll(calls);
            });
    send(prepare("1").to(0), prepare("2").to(0), json("3", "no json").to(0), prepare("4").to(0));

    try (KafkaHalfIntake intake =
        KafkaHalfIntake.start(TestBroker.config(), config().batchMax(1), looking)) {
      running.set(intake);
      awaitState(key("4"), HalfState.PREPARED);
      await("all is counted", () -> intake.recordsTaken() == 3);

      assertThat(lags).containsExactly(3L, 2L, 0L);
      assertThat(intake.recordsRefused()).isEqualTo(1);
      assertThat(intake.lag()).isZero();
    }
  }

  // ---- producers

  private record Submitted(
      String topic,
      @Nullable Integer partition,
      String key,
      String value,
      Map<String, String> headers) {
    Submitted in(String topic) {
      return new Submitted(topic, partition, key, value, headers);
    }

    Submitted to(int partition) {
      return new Submitted(topic, partition, key, value, headers);
    }

    ProducerRecord<byte[], byte[]> toSend() {
      ProducerRecord<byte[], byte[]> record =
          new ProducerRecord<>(topic, partition, key.getBytes(UTF_8), value.getBytes(UTF_8));
      headers.forEach((name, text) -> record.headers().add(name, text.getBytes(UTF_8)));
      return record;
    }
  }

  private Submitted marked(String step, String key, String... headers) {
    Map<String, String> all = new HashMap<>();
    all.put(HalfIntakeFormat.STEP, step);
    all.put(HalfIntakeFormat.BUSINESS, "order");
    for (int i = 0; i < headers.length; i += 2) {
      all.put(headers[i], headers[i + 1]);
    }
    return new Submitted(topic, null, key, "payload of " + key, all);
  }

  private Submitted prepare(String key) {
    return marked("prepare", key, HalfIntakeFormat.DESTINATION, "kafka:orders");
  }

  private Submitted json(String key, String value) {
    return new Submitted(topic, null, key, value, Map.of());
  }

  private static String trustMessage(int status, String key, String more) {
    return "{\"bizID\":7,\"messageKey\":\"%s\",\"messageStatus\":%d%s}"
        .formatted(key, status, more);
  }

  private static void send(Submitted... records) {
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", TestBroker.server().directBootstrapServers()),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      for (Submitted record : records) {
        Future<?> unused = producer.send(record.toSend()); // close() waits for it
      }
    }
  }

  private static void sendAndAbort(Submitted... records) {
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            Map.of(
                "bootstrap.servers",
                TestBroker.server().directBootstrapServers(),
                "transactional.id",
                "shop"),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      producer.initTransactions();
      producer.beginTransaction();
      for (Submitted record : records) {
        Future<?> unused = producer.send(record.toSend());
      }
      producer.flush(); // else they would never leave
      producer.abortTransaction();
    }
  }

  // ---- what came of it

  private static HalfKey key(String key) {
    return new HalfKey("order", key);
  }

  private static void await(String what, BooleanSupplier condition) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(90);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as(what).isLessThan(deadline);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20)); // leaves the broker some air
    }
  }

  private void awaitState(HalfKey key, HalfState state) {
    await(key + " is " + state, () -> half.state(key) == state);
  }

  private List<String> sent() {
    return half.sent().stream().map(message -> new String(message.payload(), UTF_8)).toList();
  }

  private List<ConsumerRecord<byte[], byte[]>> awaitDeadLetters(int count) {
    await(count + " dead letters", () -> TestBroker.read(deadLetters).size() >= count);
    return TestBroker.read(deadLetters);
  }

  private static String header(ConsumerRecord<byte[], byte[]> record, String name) {
    Header header = record.headers().lastHeader(name);
    return header == null ? "" : new String(header.value(), UTF_8);
  }

  /** The half messages of this test, called in another way. */
  private HalfMessages calling(Function<List<HalfCall>, List<HalfAnswer>> way) {
    return new HalfMessages() {
      @Override
      public List<HalfAnswer> callAll(List<HalfCall> calls) {
        return way.apply(calls);
      }

      @Override
      public Map<HalfKey, HalfState> states(Collection<HalfKey> keys) {
        return half.states(keys);
      }
    };
  }

  // ---- the two forms

  @Test
  void recordsWithHeadersPrepareCommitAndRollBack() {
    Instant due = Instant.parse("2030-01-31T12:00:00Z");
    send(
        marked(
            "prepare",
            "1",
            HalfIntakeFormat.DESTINATION,
            "kafka:orders",
            HalfIntakeFormat.MESSAGE_KEY,
            "Ada",
            HalfIntakeFormat.TYPE,
            "order-paid",
            HalfIntakeFormat.NOT_BEFORE,
            due.toString(),
            HalfIntakeFormat.CHECK_BACK,
            "http://shop:8080/check-back",
            HalfIntakeFormat.BUSINESS_TYPE,
            "invoice",
            HalfIntakeFormat.BUSINESS_KEY,
            "4711",
            "traceparent",
            "00-1-2-03",
            "\u8ba2\u5355",
            "\u4ef7\u683c"),
        prepare("2"),
        prepare("3"),
        marked("commit", "1"),
        marked("rollback", "2"));

    try (KafkaHalfIntake intake = start()) {
      assertThat(intake).isNotNull();
      awaitState(key("1"), HalfState.COMMITTED);
      awaitState(key("2"), HalfState.ROLLED_BACK);
      awaitState(key("3"), HalfState.PREPARED);
    }
    assertThat(half.sent()).hasSize(1);
    Message message = half.sent().get(0);
    assertThat(message.destination()).hasToString("kafka:orders");
    assertThat(message.key()).isEqualTo("Ada");
    assertThat(message.type()).isEqualTo("order-paid");
    assertThat(message.notBefore()).isEqualTo(due);
    assertThat(message.headers().asMap())
        .containsExactlyInAnyOrderEntriesOf(
            Map.of("traceparent", "00-1-2-03", "\u8ba2\u5355", "\u4ef7\u683c"));
    assertThat(message.business()).extracting("type", "key").containsExactly("invoice", "4711");
    assertThat(sent()).containsExactly("payload of 1");
    assertThat(TestBroker.read(deadLetters)).isEmpty();
  }

  @Test
  void trustMessagesJsonPreparesCommitsAndRollsBack() {
    String message = ",\"message\":\"{\\\"id\\\":1}\",\"forwardTopic\":\"orders\"";
    String checkBack = ",\"verifyInfo\":{\"protocolType\":1,\"url\":\"http://shop/verifyMessage\"}";
    send(
        json("1", trustMessage(1, "1", message + ",\"forwardKey\":null" + checkBack)),
        json("2", trustMessage(1, "2", message + ",\"extra\":{\"messageStatus\":2}")),
        json("1", trustMessage(2, "1", ",\"message\":null,\"forwardTopic\":null")),
        json("2", trustMessage(3, "2", "")));

    try (KafkaHalfIntake intake = start()) {
      assertThat(intake).isNotNull();
      awaitState(new HalfKey("7", "1"), HalfState.COMMITTED);
      awaitState(new HalfKey("7", "2"), HalfState.ROLLED_BACK);
    }
    assertThat(sent()).containsExactly("{\"id\":1}");
    assertThat(half.sent().get(0).destination()).hasToString("kafka:orders");
    assertThat(half.sent().get(0).key()).isNull();
  }

  @Test
  void aCommitThatComesBeforeItsPrepareIsNotLost() {
    send(
        new Submitted(topic, 0, "1", "", marked("commit", "1").headers()),
        new Submitted(topic, 0, "2", "", marked("rollback", "2").headers()));

    try (KafkaHalfIntake intake = start()) {
      assertThat(intake).isNotNull();
      awaitState(key("1"), HalfState.COMMIT_REMEMBERED);
      awaitState(key("2"), HalfState.ROLLBACK_REMEMBERED);
      send(
          new Submitted(topic, 1, "1", "late", prepare("1").headers()),
          new Submitted(topic, 1, "2", "late", prepare("2").headers()));
      awaitState(key("1"), HalfState.COMMITTED);
      awaitState(key("2"), HalfState.ROLLED_BACK);
    }
    assertThat(sent()).containsExactly("late");
    assertThat(TestBroker.read(deadLetters)).isEmpty();
  }

  // ---- which records

  @Test
  void recordsOfATransactionThatWasAbortedAreNotTaken() {
    sendAndAbort(prepare("1").to(0), marked("commit", "1").to(0), prepare("2").to(0));
    send(prepare("last").to(0));

    try (KafkaHalfIntake intake = start()) {
      assertThat(intake).isNotNull();
      awaitState(key("last"), HalfState.PREPARED);
    }

    assertThat(half.state(key("1"))).isEqualTo(HalfState.UNKNOWN);
    assertThat(half.state(key("2"))).isEqualTo(HalfState.UNKNOWN);
    assertThat(sent()).isEmpty();
  }

  @Test
  void recordsWithoutTheHeaderArePassedOverWhereOnlyMarkedOnesCount() {
    HalfIntakeConfig marked =
        HalfIntakeConfig.ofPattern(deadLetters, topic + ".*")
            .records(Records.MARKED)
            .group("group-" + topic);
    send(
        json("1", trustMessage(1, "1", ",\"message\":\"m\",\"forwardTopic\":\"orders\"")),
        json("2", "anything"),
        prepare("3"));

    try (KafkaHalfIntake intake = KafkaHalfIntake.start(TestBroker.config(), marked, half)) {
      assertThat(intake).isNotNull();
      awaitState(key("3"), HalfState.PREPARED);
      send(prepare("4"), prepare("5"), prepare("6"), prepare("7"));
      List.of("4", "5", "6", "7").forEach(key -> awaitState(key(key), HalfState.PREPARED));
    }
    assertThat(half.state(new HalfKey("7", "1"))).isEqualTo(HalfState.UNKNOWN);
    assertThat(TestBroker.read(deadLetters)).isEmpty();
  }

  @Test
  void topicsAreFoundByAPattern() {
    HalfIntakeConfig byName =
        HalfIntakeConfig.ofPattern(deadLetters, "replayable-" + topic + "-.*")
            .group("group-" + topic);
    String one = TestBroker.topic("replayable-" + topic + "-one", 1);
    String two = TestBroker.topic("replayable-" + topic + "-two", 2);
    send(
        new Submitted(one, null, "1", "1", prepare("1").headers()),
        new Submitted(two, null, "2", "2", prepare("2").headers()),
        prepare("3"));

    try (KafkaHalfIntake intake = KafkaHalfIntake.start(TestBroker.config(), byName, half)) {
      assertThat(intake).isNotNull();
      awaitState(key("1"), HalfState.PREPARED);
      awaitState(key("2"), HalfState.PREPARED);
    }
    assertThat(half.state(key("3"))).isEqualTo(HalfState.UNKNOWN);
  }

  @Test
  void kafkaRefusesPropertiesOfATopicThatItDoesNotKnow() {
    assertThatThrownBy(() -> TestBroker.topic("marked-" + topic, 1, Map.of("replayable", "true")))
        .rootCause()
        .hasMessageContaining("Unknown topic config name: replayable");
  }

  // ---- what cannot be taken

  @Test
  void whatCannotBeReadGoesToTheDeadLettersWithItsReasonAndTheRestGoesOn() {
    Map<String, Submitted> poison = new HashMap<>();
    poison.put("a JSON object", json("p1", "no json"));
    poison.put("messageKey: 'missing'", json("p2", "{\"bizID\":1,\"messageStatus\":2}"));
    poison.put("messageStatus: '4'", json("p3", trustMessage(4, "x", "")));
    poison.put("forwardTopic: 'missing'", json("p4", trustMessage(1, "x", ",\"message\":\"m\"")));
    poison.put("angarium-half-step: 'Prepare'", marked("Prepare", "p5"));
    poison.put("angarium-destination: 'missing'", marked("prepare", "p6"));
    poison.put(
        "destination: 'kafka:a b'",
        marked("prepare", "p7", HalfIntakeFormat.DESTINATION, "kafka:a b"));
    poison.put(
        "angarium-delay: 'soon'",
        marked(
            "prepare",
            "p8",
            HalfIntakeFormat.DESTINATION,
            "kafka:orders",
            HalfIntakeFormat.DELAY,
            "soon"));
    poison.put(
        "check-back",
        marked(
            "prepare",
            "p9",
            HalfIntakeFormat.DESTINATION,
            "kafka:orders",
            HalfIntakeFormat.CHECK_BACK,
            "shop/check-back"));
    poison.put("half message key", marked("commit", " "));
    poison.put(
        "payload",
        new Submitted(topic, null, "p10", "x".repeat(1_000_001), prepare("p10").headers()));
    Collection<Submitted> all = new ArrayList<>(poison.values());
    all.add(prepare("good"));
    all.add(marked("commit", "good"));
    send(all.toArray(Submitted[]::new));

    List<ConsumerRecord<byte[], byte[]>> dead;
    try (KafkaHalfIntake intake = start()) {
      assertThat(intake).isNotNull();
      awaitState(key("good"), HalfState.COMMITTED);
      dead = awaitDeadLetters(poison.size());
    }

    assertThat(dead).hasSameSizeAs(poison.values());
    poison.forEach(
        (reason, record) ->
            assertThat(dead)
                .as(reason)
                .filteredOn(letter -> new String(letter.key(), UTF_8).equals(record.key()))
                .singleElement()
                .satisfies(
                    letter -> {
                      assertThat(header(letter, HalfIntakeFormat.REASON)).contains(reason);
                      assertThat(header(letter, HalfIntakeFormat.ORIGIN)).startsWith(topic + "/");
                      assertThat(header(letter, HalfIntakeFormat.STEP))
                          .isEqualTo(record.headers().getOrDefault(HalfIntakeFormat.STEP, ""));
                    }));
  }

  @Test
  void theOppositeOfAFinalDecisionIsADeadLetterAndChangesNothing() {
    send(prepare("1"), marked("commit", "1"), marked("rollback", "1"), marked("commit", "1"));

    List<ConsumerRecord<byte[], byte[]>> dead;
    try (KafkaHalfIntake intake = start()) {
      assertThat(intake).isNotNull();
      dead = awaitDeadLetters(1);
    }

    assertThat(dead).hasSize(1);
    assertThat(header(dead.get(0), HalfIntakeFormat.REASON)).contains("ALREADY_COMMITTED");
    assertThat(half.state(key("1"))).isEqualTo(HalfState.COMMITTED);
    assertThat(sent()).hasSize(1);
  }

  @Test
  void aRecordTooLargeForTheDeadLettersIsKeptWithoutItsValue() {
    deadLetters = TestBroker.topic("small-" + topic, 1, Map.of("max.message.bytes", "2000"));
    send(json("big", "x".repeat(5_000)), prepare("good"));

    List<ConsumerRecord<byte[], byte[]>> dead;
    try (KafkaHalfIntake intake = start()) {
      assertThat(intake).isNotNull();
      dead = awaitDeadLetters(1);
      awaitState(key("good"), HalfState.PREPARED);
    }

    assertThat(dead.get(0).value()).isNull();
    assertThat(header(dead.get(0), HalfIntakeFormat.ORIGIN)).startsWith(topic + "/");
  }

  /** A batch that is small for the broker, and that of a topic which keeps records as they are. */
  @Test
  void aRecordThatGrowsWhenItIsUnpackedIsADeadLetterAndATopicCanRefuseIt() throws Exception {
    String unpacked =
        TestBroker.topic("raw-" + topic, 1, Map.of("compression.type", "uncompressed"));
    Submitted grows =
        new Submitted(topic, null, "grows", "x".repeat(8 << 20), prepare("").headers());

    assertThatThrownBy(() -> sendPacked(grows.in(unpacked)))
        .hasCauseInstanceOf(RecordTooLargeException.class);
    sendPacked(grows);
    send(prepare("good"));

    List<ConsumerRecord<byte[], byte[]>> dead;
    try (KafkaHalfIntake intake = start()) {
      assertThat(intake).isNotNull();
      awaitState(key("good"), HalfState.PREPARED);
      dead = awaitDeadLetters(1);
    }
    assertThat(dead.get(0).value()).isNull();
    assertThat(header(dead.get(0), HalfIntakeFormat.REASON))
        .contains("8388608 bytes (expected: at most 1000000)");
  }

  private static void sendPacked(Submitted record) throws Exception {
    Map<String, Object> settings =
        Map.of(
            "bootstrap.servers",
            TestBroker.server().directBootstrapServers(),
            "compression.type",
            "gzip",
            "max.request.size",
            64 << 20);
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
      producer.send(record.toSend()).get(60, TimeUnit.SECONDS);
    }
  }

  /** What comes faster than it can be taken waits in its topic. */
  @Test
  void noMoreRecordsAreTakenAtATimeThanConfigured() {
    List<Integer> batches = new CopyOnWriteArrayList<>();
    HalfMessages counting =
        calling(
            calls -> {
              batches.add(calls.size());
              return half.callAll(calls);
            });
    send(IntStream.range(0, 40).mapToObj(i -> prepare("" + i)).toArray(Submitted[]::new));
    KafkaConfig larger = TestBroker.config().properties(Map.of("max.poll.records", "1000"));

    try (KafkaHalfIntake intake = KafkaHalfIntake.start(larger, config().batchMax(3), counting)) {
      assertThat(intake).isNotNull();
      IntStream.range(0, 40).forEach(i -> awaitState(key("" + i), HalfState.PREPARED));
    }

    assertThat(batches).allMatch(size -> size <= 3).contains(3);
  }

  @Test
  void aRecordWhoseHeadersAreTooLargeIsKeptByItsOrigin() {
    deadLetters = TestBroker.topic("tiny-" + topic, 1, Map.of("max.message.bytes", "2000"));
    send(marked("prepare", "big", "note", "x".repeat(5_000)), prepare("good"));

    List<ConsumerRecord<byte[], byte[]>> dead;
    try (KafkaHalfIntake intake = start()) {
      assertThat(intake).isNotNull();
      dead = awaitDeadLetters(1);
      awaitState(key("good"), HalfState.PREPARED);
    }

    assertThat(dead).hasSize(1);
    assertThat(dead.get(0).key()).isNull();
    assertThat(header(dead.get(0), HalfIntakeFormat.ORIGIN)).startsWith(topic + "/");
  }

  // ---- faults

  @Test
  void whileTheDatabaseIsAwayNothingIsTakenAndNothingIsLost() {
    half.unreachable(true);
    for (int i = 0; i < 50; i++) {
      send(prepare("" + i), marked("commit", "" + i));
    }

    try (KafkaHalfIntake intake = start()) {
      assertThat(intake).isNotNull();
      awaitMember();
      half.unreachable(false);
      await("all sent", () -> sent().size() == 50);
    }

    assertThat(sent()).doesNotHaveDuplicates();
    assertThat(TestBroker.read(deadLetters)).isEmpty();
  }

  private void awaitMember() {
    await("a member", () -> TestBroker.members("group-" + topic) > 0);
  }

  @Test
  void aDatabaseThatTakesNothingMakesNoDeadLetters() {
    AtomicInteger left = new AtomicInteger(5 * KafkaHalfIntake.REFUSALS_MAX);
    HalfMessages readOnly =
        calling(
            calls -> {
              if (left.decrementAndGet() > 0) {
                throw new StoreException("read only", null);
              }
              return half.callAll(calls);
            });
    send(prepare("1"), prepare("2"));

    try (KafkaHalfIntake intake = KafkaHalfIntake.start(TestBroker.config(), config(), readOnly)) {
      assertThat(intake).isNotNull();
      awaitState(key("1"), HalfState.PREPARED);
      awaitState(key("2"), HalfState.PREPARED);
    }

    assertThat(TestBroker.read(deadLetters)).isEmpty();
  }

  /** Takes everything but these records. */
  private HalfMessages refusing(String... keys) {
    List<HalfKey> refused = Stream.of(keys).map(KafkaHalfIntakeTest::key).toList();
    return calling(
        calls -> {
          rounds.incrementAndGet();
          if (calls.stream().anyMatch(call -> refused.contains(call.key()))) {
            throw new WriteRefusedException("value out of range", null);
          }
          return half.callAll(calls);
        });
  }

  @Test
  void aRecordThatTheDatabaseRefusesAgainAndAgainStopsNobody() {
    send(prepare("1"), prepare("refused"), prepare("2"), prepare("3"), prepare("4"));

    List<ConsumerRecord<byte[], byte[]>> dead;
    try (KafkaHalfIntake intake =
        KafkaHalfIntake.start(TestBroker.config(), config(), refusing("refused"))) {
      assertThat(intake).isNotNull();
      dead = awaitDeadLetters(1);
      List.of("1", "2", "3", "4").forEach(key -> awaitState(key(key), HalfState.PREPARED));
    }

    assertThat(dead).hasSize(1);
    assertThat(header(dead.get(0), HalfIntakeFormat.REASON))
        .contains("refused " + KafkaHalfIntake.REFUSALS_MAX + " times", "value out of range");
  }

  /**
   * After each refusal another partition has one more, which is read before the record comes again.
   */
  @Test
  void refusalsAreCountedWhateverIsTakenMeanwhileFromOtherPartitions() {
    AtomicInteger refusals = new AtomicInteger();
    HalfMessages refusing = refusing("refused");
    HalfMessages counting =
        calling(
            calls -> {
              if (calls.size() == 1 && calls.get(0).key().equals(key("refused"))) {
                int times = refusals.incrementAndGet();
                if (times < 4 * KafkaHalfIntake.REFUSALS_MAX) {
                  send(prepare("other-" + times).to(1));
                }
              }
              return refusing.callAll(calls);
            });
    send(prepare("refused").to(0), prepare("1").to(0));

    try (KafkaHalfIntake intake = KafkaHalfIntake.start(TestBroker.config(), config(), counting)) {
      assertThat(intake).isNotNull();
      awaitDeadLetters(1);
      awaitState(key("1"), HalfState.PREPARED);
      awaitState(key("other-" + KafkaHalfIntake.REFUSALS_MAX), HalfState.PREPARED);
    }

    assertThat(refusals.get()).isEqualTo(KafkaHalfIntake.REFUSALS_MAX);
  }

  /** The pause is that of its partition alone. */
  @Test
  void recordThatTheDatabaseDoesNotTakeHoldsItsPartitionOnlyAndIsNamed() {
    AtomicInteger refusals = new AtomicInteger();
    HalfIntakeConfig patient = config().retryPause(Duration.ofMinutes(1));
    send(prepare("refused").to(0));

    String log =
        logged(
            () -> {
              try (KafkaHalfIntake intake =
                  KafkaHalfIntake.start(
                      TestBroker.config(), patient, refusingOnly("refused", refusals))) {
                await("trouble", () -> intake.trouble().isPresent());
                assertThat(intake.trouble().orElseThrow())
                    .contains("wait in " + topic + "-0,", "value out of range");

                for (String other : List.of("1", "2", "3", "4", "5")) {
                  send(prepare(other).to(1));
                  awaitState(key(other), HalfState.PREPARED);
                }
                assertThat(refusals).hasValueLessThan(3);
                assertThat(intake.trouble()).isPresent();
              }
            });

    assertThat(log).containsOnlyOnce("cannot be stored now; they wait in " + topic + "-0");
    assertThat(TestBroker.read(deadLetters)).isEmpty();
  }

  private HalfMessages refusingOnly(String key, AtomicInteger refusals) {
    HalfMessages refusing = refusing(key);
    return calling(
        calls -> {
          if (calls.size() == 1 && calls.get(0).key().equals(key(key))) {
            refusals.incrementAndGet();
          }
          return refusing.callAll(calls);
        });
  }

  /** Read one by one, no other record is ever in the same read. */
  @Test
  void recordThatIsRefusedAloneIsADeadLetterOnceTheDatabaseTakesOthers() {
    AtomicInteger refusals = new AtomicInteger();
    send(prepare("refused").to(0), prepare("behind").to(0));

    try (KafkaHalfIntake intake =
        KafkaHalfIntake.start(
            TestBroker.config(), config().batchMax(1), refusingOnly("refused", refusals))) {
      await("many refusals", () -> refusals.get() > 2 * KafkaHalfIntake.REFUSALS_MAX);
      assertThat(TestBroker.read(deadLetters)).isEmpty();

      for (int i = 0; i < KafkaHalfIntake.REFUSALS_MAX; i++) {
        send(prepare("other-" + i).to(1));
        awaitState(key("other-" + i), HalfState.PREPARED);
        int before = refusals.get();
        await("refused again", () -> refusals.get() > before || intake.recordsRefused() > 0);
      }
      awaitState(key("behind"), HalfState.PREPARED);
      await("no trouble", () -> intake.trouble().isEmpty());
    }

    assertThat(header(awaitDeadLetters(1).get(0), HalfIntakeFormat.REASON))
        .contains("refused " + KafkaHalfIntake.REFUSALS_MAX + " times");
  }

  /** The second part of a refusal that took long would take as long. */
  @Test
  void whatWaitsForALockIsWaitedForTwiceAndNotForEachHalf() {
    AtomicInteger waits = new AtomicInteger();
    HalfMessages locked = refusing("locked");
    HalfMessages slow =
        calling(
            calls -> {
              if (calls.stream().anyMatch(call -> call.key().equals(key("locked")))) {
                waits.incrementAndGet();
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1_100));
              }
              return locked.callAll(calls);
            });
    List<Submitted> records = new ArrayList<>();
    for (int i = 0; i < 64; i++) {
      records.add(prepare(i == 40 ? "locked" : "" + i).to(0));
    }
    send(records.toArray(Submitted[]::new));

    try (KafkaHalfIntake intake = KafkaHalfIntake.start(TestBroker.config(), config(), slow)) {
      assertThat(intake).isNotNull();
      awaitDeadLetters(1);
    }

    assertThat(waits.get()).isLessThanOrEqualTo(2 * KafkaHalfIntake.REFUSALS_MAX);
  }

  /** Otherwise whoever may write one would have all others taken in a transaction for each. */
  @Test
  void fewRecordsThatCannotBeTakenLeaveTheOthersTogether() {
    List<Submitted> records = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      records.add(prepare("" + i).to(0));
    }
    records.set(120, prepare("one").to(0));
    records.set(300, prepare("two").to(0));
    send(records.toArray(Submitted[]::new));

    List<ConsumerRecord<byte[], byte[]>> dead;
    try (KafkaHalfIntake intake =
        KafkaHalfIntake.start(TestBroker.config(), config(), refusing("one", "two"))) {
      assertThat(intake).isNotNull();
      dead = awaitDeadLetters(2);
      awaitState(key("399"), HalfState.PREPARED);
    }

    assertThat(dead)
        .extracting(letter -> new String(letter.key(), UTF_8))
        .containsExactlyInAnyOrder("one", "two");
    // For each of the two, in each round, down nine levels of halves with two calls on each.
    assertThat(rounds.get()).isBetween(2, 2 * KafkaHalfIntake.REFUSALS_MAX * (1 + 2 * 9));
  }

  @Test
  void aRefusedRecordStopsNobodyAlsoAmongOthersThatCannotBeRead() {
    send(
        new Submitted(topic, 0, "a", "no json", Map.of()),
        new Submitted(topic, 0, "refused", "m", prepare("refused").headers()),
        new Submitted(topic, 0, "b", "no json", Map.of()),
        new Submitted(topic, 0, "1", "m", prepare("1").headers()));

    List<ConsumerRecord<byte[], byte[]>> dead;
    try (KafkaHalfIntake intake =
        KafkaHalfIntake.start(TestBroker.config(), config(), refusing("refused"))) {
      assertThat(intake).isNotNull();
      dead = awaitDeadLetters(3);
      awaitState(key("1"), HalfState.PREPARED);
      await("all read", () -> TestBroker.committed("group-" + topic) == 4);
    }

    assertThat(dead)
        .extracting(letter -> new String(letter.key(), UTF_8))
        .containsExactlyInAnyOrder("a", "b", "refused");
  }

  @Test
  void recordsThatComeOnceMoreChangeNothing() {
    send(
        prepare("1"),
        marked("commit", "1"),
        prepare("2"),
        marked("rollback", "2"),
        prepare("last"));
    HalfIntakeConfig again = config().group("again-" + topic);

    try (KafkaHalfIntake intake = start()) {
      assertThat(intake).isNotNull();
      awaitState(key("1"), HalfState.COMMITTED);
      awaitState(key("2"), HalfState.ROLLED_BACK);
    }
    try (KafkaHalfIntake intake = KafkaHalfIntake.start(TestBroker.config(), again, half)) {
      assertThat(intake).isNotNull();
      await("all read again", () -> TestBroker.committed("again-" + topic) == 5);
    }

    assertThat(sent()).containsExactly("payload of 1");
    assertThat(TestBroker.read(deadLetters)).isEmpty();
  }

  @Test
  void severalIntakesShareTheTopicsAndTakeOverFromEachOther() {
    List<String> keys = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      keys.add("" + i);
    }

    try (KafkaHalfIntake two = start()) {
      assertThat(two).isNotNull();
      try (KafkaHalfIntake one = start()) {
        assertThat(one).isNotNull();
        send(keys.stream().map(this::prepare).toArray(Submitted[]::new));
        keys.forEach(key -> awaitState(key(key), HalfState.PREPARED));
      }
      send(keys.stream().map(key -> marked("commit", key)).toArray(Submitted[]::new));
      await("all sent", () -> sent().size() == keys.size());
    }

    assertThat(sent()).doesNotHaveDuplicates();
    assertThat(TestBroker.read(deadLetters)).isEmpty();
  }

  // ---- configuration

  @Test
  void wrongConfigurationListsEveryFault() {
    assertThatThrownBy(
            () ->
                new HalfIntakeConfig(
                    Set.of("a b"),
                    "half-(.*",
                    Records.ALL,
                    "",
                    " ",
                    0,
                    "Kafka Topic",
                    Duration.ZERO,
                    Duration.ZERO))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("half-intake.topics: 'a b'")
        .hasMessageContaining("half-intake.topic-pattern: 'half-(.*'")
        .hasMessageContaining("half-intake.dead-letter-topic: ''")
        .hasMessageContaining("half-intake.group: ' '")
        .hasMessageContaining("half-intake.batch-max: 0")
        .hasMessageContaining("half-intake.forward-transport: 'Kafka Topic'")
        .hasMessageContaining("half-intake.retry-pause: 0s")
        .hasMessageContaining("half-intake.registry.interval: 0s");
    assertThatThrownBy(() -> HalfIntakeConfig.ofTopics("dead", Set.of()))
        .hasMessageContaining("half-intake.topics: none");
    assertThatThrownBy(() -> HalfIntakeConfig.ofPattern("half-dead", "half-.*"))
        .hasMessageContaining("a topic that is not among those that are read");
  }
}
