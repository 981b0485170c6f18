package io.angarium.kafka.intake;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.ConfigurationException;
import io.angarium.StoreException;
import io.angarium.TimeSource;
import io.angarium.half.HalfAnswer;
import io.angarium.half.HalfCall;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessages;
import io.angarium.half.HalfState;
import io.angarium.half.intake.IntakeTopic;
import io.angarium.half.intake.IntakeTopics;
import io.angarium.kafka.KafkaConfig;
import io.angarium.kafka.TestBroker;
import io.angarium.kafka.intake.HalfIntakeConfig.Records;
import io.angarium.testkit.ManualClock;
import io.angarium.testkit.memory.InMemoryHalfMessages;
import io.angarium.testservers.OnOneJdk;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Topics of half messages that are registered while a real Kafka is read. */
@OnOneJdk
@RequiresServer(Server.KAFKA)
final class KafkaIntakeRegistryTest {
  private static final AtomicInteger NUMBERS = new AtomicInteger();

  /** A tenth of what users have: the tests wait for a look again and again. */
  private static final Duration POLL = Duration.ofMillis(50);

  /** Shorter than Kafka takes to say that a group may not be used. */
  private static final Duration POLL_SHORT = Duration.ofMillis(1);

  private static final Duration INTERVAL = HalfIntakeConfig.REGISTRY_INTERVAL;

  private final String name = "registry-" + NUMBERS.incrementAndGet();
  private final String topic = TestBroker.topic(name, 2);
  private final String deadLetters = TestBroker.topic("dead-" + name, 1);
  private final Registry registry = new Registry();
  private final ManualClock clock = ManualClock.create();
  private final Taken half = new Taken();
  private final ByteArrayOutputStream log = new ByteArrayOutputStream();
  private final PrintStream before = System.err;

  @BeforeEach
  void readTheLog() {
    System.setErr(new PrintStream(log, true, UTF_8));
  }

  @AfterEach
  void leaveTheLog() {
    System.setErr(before);
  }

  private static final class Registry implements IntakeTopics {
    private final List<IntakeTopic> topics = new CopyOnWriteArrayList<>();
    private final AtomicInteger looks = new AtomicInteger();
    private volatile boolean away;

    @Override
    public List<IntakeTopic> all() {
      looks.incrementAndGet();
      if (away) {
        throw new StoreException("the database is away", null);
      }
      return List.copyOf(topics);
    }

    void register(String... names) {
      List.of(names).forEach(each -> topics.add(IntakeTopic.of(each)));
    }

    void remove(String name) {
      topics.removeIf(each -> each.topic().equals(name));
    }
  }

  /** Remembers how often each record was taken. */
  private static final class Taken implements HalfMessages {
    private final InMemoryHalfMessages half = new InMemoryHalfMessages(TimeSource.SYSTEM);
    private final List<String> keys = new CopyOnWriteArrayList<>();
    private volatile Consumer<List<HalfCall>> before = calls -> {};

    @Override
    public List<HalfAnswer> callAll(List<HalfCall> calls) {
      before.accept(calls);
      List<HalfAnswer> answers = half.callAll(calls);
      calls.forEach(call -> keys.add(call.key().key()));
      return answers;
    }

    @Override
    public Map<HalfKey, HalfState> states(Collection<HalfKey> keys) {
      return half.states(keys);
    }
  }

  private HalfIntakeConfig config() {
    return HalfIntakeConfig.ofRegistry(deadLetters)
        .group("group-" + name)
        .retryPause(Duration.ofMillis(20));
  }

  private KafkaHalfIntake start(HalfIntakeConfig config) {
    return start(TestBroker.config(), config);
  }

  private KafkaHalfIntake start(KafkaConfig kafka, HalfIntakeConfig config) {
    return start(kafka, config, POLL);
  }

  private KafkaHalfIntake start(KafkaConfig kafka, HalfIntakeConfig config, Duration poll) {
    KafkaHalfIntake intake = KafkaHalfIntake.start(kafka, config, half, registry, clock, poll);
    await("a first look", () -> registry.looks.get() > 0);
    return intake;
  }

  /** What was registered by now is in force: a second look follows it. */
  private void look() {
    for (int i = 0; i < 2; i++) {
      int looks = registry.looks.get();
      clock.advance(INTERVAL);
      await("a look at the registry", () -> registry.looks.get() > looks);
    }
  }

  private static void send(String topic, String... keys) {
    send(topic, true, keys);
  }

  /** Prepares; the others are no records of half messages but anything. */
  private static void send(String topic, boolean marked, String... keys) {
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", TestBroker.server().directBootstrapServers()),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      for (String key : keys) {
        ProducerRecord<byte[], byte[]> record =
            new ProducerRecord<>(topic, key.getBytes(UTF_8), key.getBytes(UTF_8));
        if (marked) {
          record.headers().add(HalfIntakeFormat.STEP, "prepare".getBytes(UTF_8));
          record.headers().add(HalfIntakeFormat.BUSINESS, "order".getBytes(UTF_8));
          record.headers().add(HalfIntakeFormat.DESTINATION, "kafka:orders".getBytes(UTF_8));
        }
        Future<?> unused = producer.send(record); // close() waits for it
      }
    }
  }

  private static void await(String what, BooleanSupplier condition) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(90);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as(what).isLessThan(deadline);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20)); // leaves the broker some air
    }
  }

  private void awaitTaken(String... keys) {
    await(List.of(keys) + " are taken", () -> half.keys.containsAll(List.of(keys)));
  }

  private long warnings(String... parts) {
    return log.toString(UTF_8)
        .lines()
        .filter(line -> line.contains("WARN"))
        .filter(line -> List.of(parts).stream().allMatch(line::contains))
        .count();
  }

  // ---- topics come and go

  @Test
  void topicThatIsRegisteredWhileTheIntakeRunsIsReadFromItsBeginning() {
    send(topic, "1");

    try (KafkaHalfIntake intake = start(config())) {
      assertThat(intake).isNotNull();
      registry.register(topic);
      look();
      awaitTaken("1");
      send(topic, "2");
      awaitTaken("2");
    }
    assertThat(half.keys).containsExactly("1", "2");
    assertThat(warnings()).isZero();
  }

  @Test
  void removedTopicIsReadNoMoreAndGoesOnWhereItWasWhenItIsRegisteredAgain() {
    String other = TestBroker.topic("other-" + name, 1);
    registry.register(topic, other);
    send(topic, "1");

    try (KafkaHalfIntake intake = start(config())) {
      assertThat(intake).isNotNull();
      awaitTaken("1");
      registry.remove(topic);
      look();
      send(topic, "2");
      send(other, "3");
      awaitTaken("3");
      look();
      assertThat(half.keys).containsExactly("1", "3");

      registry.register(topic);
      look();
      awaitTaken("2");
    }
    assertThat(half.keys).containsExactly("1", "3", "2");
    assertThat(warnings()).isZero();
  }

  @Test
  void topicThatIsNotEnabledIsNotRead() {
    String off = TestBroker.topic("off-" + name, 1);
    registry.topics.add(new IntakeTopic(off, false, false, "Ada", null));
    registry.register(topic);
    send(off, "1");
    send(topic, "2");

    try (KafkaHalfIntake intake = start(config())) {
      assertThat(intake).isNotNull();
      awaitTaken("2");
      look();
    }
    assertThat(half.keys).containsExactly("2");
  }

  @Test
  void recordsOfTopicsThatStayAreTakenOnceWhileOthersComeAndGoAtTwoIntakes() {
    List<String> keys = IntStream.range(0, 400).mapToObj(Integer::toString).toList();
    List<String> extra = new ArrayList<>();
    registry.register(topic);

    try (KafkaHalfIntake one = start(config());
        KafkaHalfIntake two = start(config())) {
      assertThat(one).isNotSameAs(two);
      for (int i = 0; i < 4; i++) {
        String comes = TestBroker.topic("comes-" + i + "-" + name, 1);
        send(topic, keys.subList(i * 100, i * 100 + 50).toArray(String[]::new));
        registry.register(comes);
        send(comes, "extra-" + i);
        extra.add("extra-" + i);
        look();
        send(topic, keys.subList(i * 100 + 50, i * 100 + 100).toArray(String[]::new));
        awaitTaken("extra-" + i);
        registry.remove(comes);
        look();
      }
      awaitTaken(keys.toArray(String[]::new));
    }
    extra.addAll(keys);
    assertThat(half.keys).containsExactlyInAnyOrderElementsOf(extra);
    assertThat(TestBroker.read(deadLetters)).isEmpty();
  }

  @Test
  void bufferedRecordsOfARemovedTopicAreLeftAlsoWhereKafkaTakesPartitionsAwayLater() {
    KafkaConfig newProtocol = TestBroker.config().properties(Map.of("group.protocol", "consumer"));
    String other = TestBroker.topic("other-" + name, 1);
    registry.register(topic, other);
    String[] keys = IntStream.range(0, 500).mapToObj(Integer::toString).toArray(String[]::new);
    send(topic, keys);
    half.before = // on the thread that takes, so that it is the last
        calls -> {
          if (half.keys.size() == 7) {
            registry.remove(topic);
            clock.advance(INTERVAL);
          }
        };

    try (KafkaHalfIntake intake = start(newProtocol, config().batchMax(1))) {
      assertThat(intake).isNotNull();
      await("eight are taken", () -> half.keys.size() == 8);
      send(other, "last");
      awaitTaken("last");
      look();
      assertThat(half.keys).hasSize(9);

      registry.register(topic);
      look();
      awaitTaken(keys);
    }
    assertThat(half.keys).doesNotHaveDuplicates().hasSize(501);
  }

  // ---- with what is configured

  @Test
  void namesAPatternAndTheRegistryAreReadTogether() {
    String pattern = TestBroker.topic("pattern-" + name, 1);
    String registered = TestBroker.topic("registered-" + name, 1);
    TestBroker.topic("neither-" + name, 1);
    HalfIntakeConfig all =
        new HalfIntakeConfig(
            Set.of(topic),
            "pattern-" + name,
            Records.ALL,
            deadLetters,
            "group-" + name,
            500,
            "kafka",
            Duration.ofMillis(20),
            INTERVAL);
    send(topic, "1");
    send(pattern, "2");
    send(registered, "3");
    send("neither-" + name, "4");

    try (KafkaHalfIntake intake = start(all)) {
      assertThat(intake).isNotNull();
      awaitTaken("1", "2");
      registry.register(registered);
      look();
      awaitTaken("3");
      registry.remove(registered);
      look();
      send(topic, "5");
      send(pattern, "6");
      awaitTaken("5", "6");
    }
    assertThat(half.keys).containsExactlyInAnyOrder("1", "2", "3", "5", "6");
  }

  @Test
  void eachTopicSaysWhichOfItsRecordsCountAndTheConfigurationComesFirst() {
    String marked = TestBroker.topic("marked-" + name, 1);
    registry.topics.add(new IntakeTopic(marked, true, true, null, null));
    registry.topics.add(new IntakeTopic(topic, true, true, null, null));
    send(marked, false, "anything");
    send(marked, "1");
    send(topic, false, "poison");
    send(topic, "2");

    try (KafkaHalfIntake intake =
        start(
            HalfIntakeConfig.ofTopics(deadLetters, Set.of(topic))
                .group("group-" + name)
                .registryInterval(INTERVAL))) {
      assertThat(intake).isNotNull();
      awaitTaken("1", "2");
      await("a dead letter", () -> !TestBroker.read(deadLetters).isEmpty());
    }
    assertThat(TestBroker.read(deadLetters))
        .singleElement()
        .satisfies(letter -> assertThat(new String(letter.key(), UTF_8)).isEqualTo("poison"));
  }

  // ---- what is wrong with the registry

  @Test
  void registeredTopicThatIsMissingIsToldOnceAndReadAtTheNextLookAfterItIsCreated() {
    String late = "late-" + name;
    registry.register(topic, late);
    send(topic, "1");

    try (KafkaHalfIntake intake = start(config())) {
      assertThat(intake).isNotNull();
      awaitTaken("1");
      look();
      assertThat(warnings("Registered topic " + late + " is not in Kafka")).isOne();
      TestBroker.topic(late, 1);
      send(late, "2");
      look();
      awaitTaken("2");
    }
    assertThat(warnings("is not in Kafka")).isOne();
  }

  @Test
  void whileTheRegistryCannotBeReadTheTopicsThatWereKnownStay() {
    String other = TestBroker.topic("other-" + name, 1);
    registry.register(topic);

    try (KafkaHalfIntake intake = start(config())) {
      assertThat(intake).isNotNull();
      send(topic, "1");
      awaitTaken("1");
      registry.away = true;
      registry.remove(topic);
      registry.register(other);
      send(other, "3");
      look();
      look();
      send(topic, "2");
      awaitTaken("2");
      assertThat(warnings("The registry of topics cannot be read now", topic, "is away")).isOne();

      registry.away = false;
      look();
      awaitTaken("3");
    }
    assertThat(half.keys).containsExactly("1", "2", "3");
    assertThat(warnings("cannot be read now")).isOne();
  }

  @Test
  void whatIsConfiguredIsReadAlsoIfTheRegistryCannotBeReadAtTheStart() {
    String other = TestBroker.topic("other-" + name, 1);
    registry.away = true;
    registry.register(other);
    send(topic, "1");
    send(other, "2");

    try (KafkaHalfIntake intake =
        start(
            HalfIntakeConfig.ofTopics(deadLetters, Set.of(topic))
                .group("group-" + name)
                .registryInterval(INTERVAL))) {
      assertThat(intake).isNotNull();
      awaitTaken("1");
      registry.away = false;
      look();
      awaitTaken("2");
    }
  }

  @Test
  void topicsBeyondTheLimitArePassedOverAndToldOnceAndStopNoOther() {
    String beyond = TestBroker.topic("beyond-" + name, 1);
    registry.register(topic);
    for (int i = 1; i < IntakeTopics.TOPICS_MAX; i++) {
      registry.topics.add(new IntakeTopic("off-" + i, false, false, null, null));
    }
    registry.register(beyond);
    send(topic, "1");
    send(beyond, "2");

    try (KafkaHalfIntake intake = start(config())) {
      assertThat(intake).isNotNull();
      awaitTaken("1");
      look();
      assertThat(half.keys).containsExactly("1");
      assertThat(warnings("More than 1000 topics are registered")).isOne();

      registry.remove("off-1");
      look();
      awaitTaken("2");
    }
    assertThat(warnings()).isOne();
  }

  @Test
  void aChangeOfManyTopicsIsAShortLineOfTheLog() {
    Map<String, Records> many =
        IntStream.range(1_000, 2_000)
            .boxed()
            .collect(Collectors.toMap(i -> "half-" + i, i -> Records.ALL));

    assertThat(TopicsInLog.difference(Map.of("old", Records.ALL), many))
        .startsWith("1000 now; new or changed: half-1000=ALL, half-1001=ALL, ")
        .endsWith(" and 995 more; left: old");
    assertThat(TopicsInLog.difference(many, many)).endsWith("changed: none; left: none");
    assertThat(TopicsInLog.difference(Map.of("half", Records.ALL), Map.of("half", Records.MARKED)))
        .isEqualTo("1 now; new or changed: half=MARKED; left: none");
  }

  @Test
  void whatCannotBeATopicAndTheDeadLettersArePassedOverAndToldOnce() {
    List<String> wrong = List.of("", "a b", "half-.*", "..", "__consumer_offsets", "x\ny");
    wrong.forEach(registry::register);
    registry.register("x".repeat(250), deadLetters, topic);
    send(topic, false, "poison");
    send(topic, "1");

    try (KafkaHalfIntake intake = start(config())) {
      assertThat(intake).isNotNull();
      awaitTaken("1");
      await("a dead letter", () -> !TestBroker.read(deadLetters).isEmpty());
      send(topic, "2");
      awaitTaken("2");
      look();
    }
    assertThat(TestBroker.read(deadLetters)).hasSize(1);
    assertThat(warnings("Registered topic", "is passed over")).isEqualTo(wrong.size() + 2);
    assertThat(warnings("Registered topic 'a b' is passed over: no topic of an app")).isOne();
    assertThat(warnings("Registered topic 'x?y' is passed over")).isOne();
    assertThat(warnings("Registered topic '" + deadLetters + "' is passed over: this")).isOne();
    assertThat(warnings("is not in Kafka")).isZero();
  }

  // ---- what the account may not

  @Test
  void topicThatMayNotBeReadIsToldOnceLeftOutAndReadWhenItIsPermitted() {
    leavesOutWhatIsForbidden(TestBroker.config());
  }

  @Test
  void topicThatMayNotBeReadIsLeftOutWithTheNewProtocolOfGroupsToo() {
    leavesOutWhatIsForbidden(TestBroker.config().properties(Map.of("group.protocol", "consumer")));
  }

  private void leavesOutWhatIsForbidden(KafkaConfig kafka) {
    String secret = TestBroker.topic("secret-" + name, 2);
    send(secret, "1");
    TestBroker.permit(ResourceType.TOPIC, secret, AclOperation.DESCRIBE);
    registry.register(topic, secret);

    try (KafkaHalfIntake intake = start(kafka, config())) {
      assertThat(intake).isNotNull();
      await("a warning", () -> warnings() > 0);
      send(topic, "2");
      awaitTaken("2");
      lookForRights();
      send(topic, "3");
      awaitTaken("3");
      assertThat(warnings("No half messages are taken from topic " + secret, "Grant READ")).isOne();

      TestBroker.permit(ResourceType.TOPIC, secret, AclOperation.READ);
      lookForRightsUntilTaken("2", "3", "1");
    }
    assertThat(half.keys).containsExactly("2", "3", "1");
    assertThat(warnings()).isOne();
  }

  /** The registry is read in the same round, and after the broker was asked. */
  private void lookForRights() {
    clock.advance(ForbiddenTopics.INTERVAL);
    look();
  }

  /** More than once if the broker does not say in time that they are there. */
  private void lookForRightsUntilTaken(String... keys) {
    await(
        List.of(keys) + " are taken",
        () -> {
          lookForRights();
          return half.keys.equals(List.of(keys));
        });
  }

  @Test
  void rightThatIsWithdrawnBeforeTheCommitStopsNobodyAndLosesNothing() {
    String secret = TestBroker.topic("secret-" + name, 1);
    registry.register(topic, secret);
    half.before =
        calls -> {
          if (calls.stream().anyMatch(call -> call.key().key().equals("1"))) {
            TestBroker.permit(ResourceType.TOPIC, secret, AclOperation.DESCRIBE);
          }
        };
    send(secret, "1");

    try (KafkaHalfIntake intake = start(config())) {
      assertThat(intake).isNotNull();
      await("a warning", () -> warnings("from topic " + secret) > 0);
      send(topic, "2");
      awaitTaken("2");
      half.before = calls -> {};
      TestBroker.permit(ResourceType.TOPIC, secret, AclOperation.ALL);
      lookForRightsUntilTaken("1", "2", "1");
      send(secret, "3");
      awaitTaken("3");
    }
    assertThat(half.keys).containsExactly("1", "2", "1", "3");
    assertThat(warnings()).isOne();
  }

  @Test
  void forbiddenTopicThatIsRemovedFromTheRegistryIsForgotten() {
    String secret = TestBroker.topic("secret-" + name, 1);
    TestBroker.permit(ResourceType.TOPIC, secret, AclOperation.DESCRIBE);
    registry.register(topic, secret);

    try (KafkaHalfIntake intake = start(config())) {
      assertThat(intake).isNotNull();
      await("a warning", () -> warnings("from topic " + secret) > 0);
      registry.remove(secret);
      look();
      lookForRights();
      registry.register(secret);
      look();
      await("another warning", () -> warnings("from topic " + secret) > 1);
      send(topic, "1");
      awaitTaken("1");
    }
    assertThat(warnings()).isEqualTo(2);
  }

  @Test
  void forbiddenTopicIsRememberedWhileTheIntakeBeginsAnew() {
    String secret = TestBroker.topic("secret-" + name, 1);
    TestBroker.permit(ResourceType.TOPIC, secret, AclOperation.DESCRIBE);
    registry.register(topic, secret);

    try (KafkaHalfIntake intake = start(config())) {
      assertThat(intake).isNotNull();
      await("a warning", () -> warnings("from topic " + secret) > 0);
      TestBroker.permit(ResourceType.TOPIC, deadLetters, AclOperation.DESCRIBE);
      send(topic, false, "poison");
      await("a failure", () -> warnings("The intake of half messages from Kafka failed") > 0);
      lookForRights();
      TestBroker.permit(ResourceType.TOPIC, deadLetters, AclOperation.WRITE);
      send(topic, "1");
      awaitTaken("1");
      look();
    }
    assertThat(warnings("from topic " + secret)).isOne();
  }

  @Test
  void groupThatMayNotBeUsedIsToldOnceAndUsedWhenItIsPermitted() {
    TestBroker.permit(ResourceType.GROUP, "group-" + name, AclOperation.DESCRIBE);
    registry.register(topic);
    send(topic, "1");

    try (KafkaHalfIntake intake = start(TestBroker.config(), config(), POLL_SHORT)) {
      assertThat(intake).isNotNull();
      await("a warning", () -> warnings("The intake of half messages from Kafka failed") > 0);
      look();
      assertThat(half.keys).isEmpty();

      TestBroker.permit(ResourceType.GROUP, "group-" + name, AclOperation.READ);
      awaitTaken("1");
    }
    assertThat(log.toString(UTF_8)).contains("Not authorized to access group: group-" + name);
    assertThat(warnings()).isOne();
  }

  // ---- configuration

  @Test
  void intervalIsCheckedAndGoesWithARegistry() {
    assertThatThrownBy(() -> config().registryInterval(Duration.ofMillis(999)))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("half-intake.registry.interval: 999ms (expected: 1s..1h)");
    assertThatThrownBy(() -> config().registryInterval(Duration.ofHours(2)))
        .hasMessageContaining("half-intake.registry.interval: 2h (expected: 1s..1h)");
    assertThatThrownBy(() -> KafkaHalfIntake.start(TestBroker.config(), config(), half))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("registry.interval: 10s (expected: none, as no registry");
    HalfIntakeConfig without = HalfIntakeConfig.ofTopics(deadLetters, Set.of(topic));
    assertThatThrownBy(
            () -> KafkaHalfIntake.start(TestBroker.config(), without, half, registry, clock))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("registry.interval: none (expected: how often");
  }
}
