package io.angarium.rocketmq.transaction;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.BusinessKey;
import io.angarium.BusinessKey.Uniqueness;
import io.angarium.InvalidMessageException;
import io.angarium.Message;
import io.angarium.MessageLimits;
import io.angarium.TimeSource;
import io.angarium.half.HalfMessageException;
import io.angarium.half.Marker;
import io.angarium.half.Verdict;
import io.angarium.half.local.LocalTransactions;
import io.angarium.half.local.LocalWork;
import io.angarium.half.local.OutcomeUnknownException;
import io.angarium.intake.MessageIntake;
import io.angarium.intake.Partitioning;
import io.angarium.rocketmq.RocketConfig;
import io.angarium.rocketmq.TestCluster;
import io.angarium.rocketmq.transaction.RocketTransactions.Committed;
import io.angarium.testkit.memory.InMemoryLocalTransactions;
import io.angarium.testservers.FaultProxy;
import io.angarium.testservers.OnOneJdk;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.rocketmq.client.producer.LocalTransactionState;
import org.apache.rocketmq.common.message.MessageExt;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Transactional messages on a real broker, which asks after one second, every second. */
@OnOneJdk
@RequiresServer(Server.ROCKETMQ)
class RocketTransactionsTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final Watched database = new Watched();
  private RocketTransactions<List<String>> transactions;
  private @Nullable RocketTransactions<List<String>> another;

  /** Tells which questions were asked. */
  private static final class Watched implements LocalTransactions<List<String>> {
    final InMemoryLocalTransactions real = new InMemoryLocalTransactions();
    final BlockingQueue<Verdict> asked = new LinkedBlockingQueue<>();

    @Override
    public <T extends @Nullable Object, X extends Exception> T run(
        Marker marker, LocalWork<List<String>, T, X> work) throws X {
      return real.run(marker, work);
    }

    @Override
    public Verdict check(Marker marker) {
      Verdict verdict = real.check(marker);
      asked.add(verdict);
      return verdict;
    }

    void await(Verdict verdict) throws InterruptedException {
      assertThat(isAsked(verdict, LIMIT)).as("asked for one that is %s", verdict).isTrue();
    }

    /** False when there was no question at all for so long. */
    boolean isAsked(Verdict verdict, Duration max) throws InterruptedException {
      Verdict next = asked.poll(max.toMillis(), TimeUnit.MILLISECONDS);
      while (next != null && next != verdict) {
        next = asked.poll(max.toMillis(), TimeUnit.MILLISECONDS);
      }
      return next == verdict;
    }
  }

  @BeforeEach
  void open() {
    transactions = RocketTransactions.open(config(TestCluster.config()), database);
  }

  private static RocketTransactionsConfig config(RocketConfig cluster) {
    return config(cluster, Duration.ofSeconds(30));
  }

  private static RocketTransactionsConfig config(RocketConfig cluster, Duration sendTimeout) {
    return RocketTransactionsConfig.of(cluster.sendTimeout(sendTimeout));
  }

  /** Another producer of the group, which has not sent anything; not behind the proxies. */
  private RocketTransactions<List<String>> openAnother() {
    return RocketTransactions.open(
        config(RocketConfig.of(TestCluster.server().directNameServer())), database);
  }

  @AfterEach
  void close() {
    TestCluster.server().proxy().heal();
    TestCluster.server().nameServerProxy().heal();
    transactions.close();
    if (another != null) {
      another.close();
    }
  }

  private static Message message(String topic, String text) {
    return Message.of("rocketmq:" + topic, text.getBytes(UTF_8));
  }

  /** Without repeats: a broker may ask although it has been told, and deliver once more. */
  private static List<String> texts(String topic) {
    return TestCluster.read(topic).stream()
        .map(stored -> new String(stored.getBody(), UTF_8))
        .distinct()
        .toList();
  }

  /** Waits until so many are there, and then whether there are more. */
  private static List<String> texts(String topic, int atLeast) {
    long deadline = System.nanoTime() + LIMIT.toNanos();
    List<String> found = texts(topic);
    while (found.size() < atLeast && System.nanoTime() < deadline) {
      LockSupport.parkNanos(200_000_000);
      found = texts(topic);
    }
    return found;
  }

  /** Nobody tells the broker how this one ends. */
  private void sendWithoutAnEnd(Message message, boolean commit) {
    try {
      transactions.send(
          message,
          writes -> {
            TestCluster.server().proxy().blackhole();
            writes.add("row");
            if (!commit) {
              throw new IOException("planned");
            }
            return true;
          });
    } catch (IOException e) {
      assertThat(commit).isFalse();
    } finally {
      TestCluster.server().proxy().refuse();
    }
  }

  /** A client may still hold the connection that was cut; a half message is not sent twice. */
  private void healAndReconnect() {
    TestCluster.server().proxy().heal();
    Message message = message(TestCluster.topic("tx-reconnect", 1), "again");
    long deadline = System.nanoTime() + LIMIT.toNanos();
    boolean connected = false;
    while (!connected) {
      try {
        transactions.send(message, writes -> true);
        connected = true;
      } catch (HalfMessageException e) {
        assertThat(System.nanoTime()).as(e.getMessage()).isLessThan(deadline);
        LockSupport.parkNanos(50_000_000);
      }
    }
  }

  @Test
  void committedWorkIsDeliveredAsTheWireFormatSays() {
    String topic = TestCluster.topic("tx-wire", 2);

    Committed<String> committed =
        transactions.send(
            Message.of("rocketmq:" + topic + ":paid", "pâyload".getBytes(UTF_8))
                .type("order-paid")
                .business("order", "№ 1")
                .header("traceparent", "00-1-2-01"),
            writes -> {
              writes.add("row");
              return "value";
            });

    assertThat(committed.result()).isEqualTo("value");
    assertThat(database.real.written()).containsExactly("row");
    assertThat(texts(topic, 1)).containsExactly("pâyload");
    MessageExt stored = TestCluster.read(topic).get(0);
    assertThat(stored.getTags()).isEqualTo("paid");
    assertThat(stored.getKeys()).isEqualTo(committed.id().toString());
    assertThat(stored.getProperties())
        .containsEntry("angarium-id", committed.id().toString())
        .containsEntry("angarium-type", "order-paid")
        .containsEntry("angarium-business-type", "order")
        .containsEntry("angarium-business-key", "№ 1")
        .containsEntry("traceparent", "00-1-2-01");
  }

  @Test
  void failedWorkIsRolledBackAndItsMessageNeverArrives() {
    String topic = TestCluster.topic("tx-failed", 1);

    assertThatThrownBy(
            () ->
                transactions.send(
                    message(topic, "failed"),
                    writes -> {
                      writes.add("row");
                      throw new IOException("planned");
                    }))
        .isInstanceOf(IOException.class)
        .hasMessage("planned");
    transactions.send(message(topic, "good"), writes -> true);

    assertThat(texts(topic, 1)).containsExactly("good");
    assertThat(database.real.written()).isEmpty();
  }

  @Test
  void severalBusinessTypesAndTopicsShareOneProducerAndItsCheckBack() throws Exception {
    String orders = TestCluster.topic("tx-orders", 1);
    String refunds = TestCluster.topic("tx-refunds", 1);
    transactions.send(message(orders, "o1").business("order", "1"), writes -> true);
    transactions.send(message(refunds, "r1").business("refund", "1"), writes -> true);

    sendWithoutAnEnd(message(orders, "o2").business("order", "2"), true);
    healAndReconnect();
    sendWithoutAnEnd(message(refunds, "r2").business("refund", "2"), true);
    another = openAnother();
    assertThat(texts(orders, 2)).containsExactly("o1", "o2");
    assertThat(texts(refunds, 2)).containsExactly("r1", "r2");
  }

  @Test
  void anotherProducerOfTheGroupAnswersForAnEndThatWasLost() throws Exception {
    String topic = TestCluster.topic("tx-lost-end", 1);
    sendWithoutAnEnd(message(topic, "committed"), true);

    another = openAnother();
    database.await(Verdict.COMMITTED);

    assertThat(texts(topic, 1)).containsExactly("committed");
  }

  @Test
  void rollbackThatWasLostIsMadeUpByTheCheckBack() throws Exception {
    String topic = TestCluster.topic("tx-lost-rollback", 1);
    sendWithoutAnEnd(message(topic, "failed"), false);

    another = openAnother();
    database.await(Verdict.ROLLED_BACK);
    another.send(message(topic, "good"), writes -> true);

    assertThat(texts(topic, 1)).containsExactly("good");
  }

  @Test
  void openTransactionIsAskedForAgainUntilItEnds() throws Exception {
    String topic = TestCluster.topic("tx-open", 1);

    transactions.send(
        message(topic, "slow"),
        writes -> {
          database.await(Verdict.IN_FLIGHT);
          database.await(Verdict.IN_FLIGHT);
          assertThat(texts(topic)).isEmpty();
          return true;
        });

    assertThat(texts(topic, 1)).containsExactly("slow");
  }

  @Test
  void databaseThatIsAwayIsAskedAgain() throws Exception {
    String topic = TestCluster.topic("tx-database-away", 1);
    sendWithoutAnEnd(message(topic, "committed"), true);
    database.real.unreachable(true);

    another = openAnother();
    for (int i = 0; i < 6; i++) { // the broker takes a while to drop what it is told to
      database.await(Verdict.UNREACHABLE);
    }
    assertThat(texts(topic)).isEmpty();
    database.real.unreachable(false);
    database.await(Verdict.COMMITTED);

    assertThat(texts(topic, 1)).containsExactly("committed");
  }

  @Test
  void commitWithoutAnAnswerIsDecidedByTheMarker() throws Exception {
    String topic = TestCluster.topic("tx-unknown", 1);
    database.real.losingCommitAnswers(true);

    assertThatThrownBy(() -> transactions.send(message(topic, "unknown"), writes -> true))
        .isInstanceOf(OutcomeUnknownException.class);

    database.await(Verdict.COMMITTED);
    assertThat(texts(topic, 1)).containsExactly("unknown");
  }

  @Test
  void withoutABrokerTheWorkIsNotBegun() {
    String topic = TestCluster.topic("tx-no-broker", 1);
    transactions.send(message(topic, "before"), writes -> true);
    TestCluster.server().proxy().refuse();
    CountDownLatch begun = new CountDownLatch(1);

    assertThatThrownBy(
            () ->
                transactions.send(
                    message(topic, "during"),
                    writes -> {
                      begun.countDown();
                      return true;
                    }))
        .isInstanceOf(HalfMessageException.class)
        .hasMessageContaining(topic)
        .hasMessageContaining("was not begun");
    TestCluster.server().proxy().heal();

    assertThat(begun.getCount()).isEqualTo(1);
    assertThat(texts(topic, 1)).containsExactly("before");
  }

  /**
   * The half message was stored, and the answer did not come: so nobody has written a marker. Sent
   * again if a slow machine did not get it to the broker in time.
   */
  @Test
  void halfMessageWhoseAnswerWasLostIsRolledBack() throws Exception {
    String topic = TestCluster.topic("tx-lost-answer", 1);
    transactions.send(message(topic, "before"), writes -> true);
    another = openAnother();
    TestCluster.server().proxy().blackhole(FaultProxy.Way.TO_CLIENT);

    long deadline = System.nanoTime() + LIMIT.toNanos();
    try (RocketTransactions<List<String>> impatient =
        RocketTransactions.open(config(TestCluster.config(), Duration.ofSeconds(4)), database)) {
      do {
        assertThat(System.nanoTime()).as("asked in time").isLessThan(deadline);
        assertThatThrownBy(() -> impatient.send(message(topic, "half"), writes -> true))
            .isInstanceOf(HalfMessageException.class);
      } while (!database.isAsked(Verdict.ROLLED_BACK, Duration.ofSeconds(10)));
    }

    assertThat(texts(topic, 1)).containsExactly("before");
  }

  @Test
  void clusterThatIsAwayDoesNotHinderTheStart() {
    String topic = TestCluster.topic("tx-late-cluster", 1);
    TestCluster.server().nameServerProxy().refuse();
    TestCluster.server().proxy().refuse();

    another = RocketTransactions.open(config(TestCluster.config()), database);
    assertThatThrownBy(() -> another.send(message(topic, "early"), writes -> true))
        .isInstanceOf(HalfMessageException.class);
    TestCluster.server().nameServerProxy().heal();
    TestCluster.server().proxy().heal();
    another.send(message(topic, "late"), writes -> true);

    assertThat(texts(topic, 1)).containsExactly("late");
  }

  @Test
  void topicThatDoesNotExistIsAnErrorBeforeTheWork() {
    assertThatThrownBy(() -> transactions.send(message("tx-nobody-made-it", "x"), writes -> true))
        .isInstanceOf(HalfMessageException.class)
        .hasMessageContaining("tx-nobody-made-it");
    assertThat(database.real.written()).isEmpty();
  }

  /** To send it again would be in vain. */
  @Test
  void messageThatTheBrokerTakesForTooLargeIsRefusedBeforeTheWork() {
    String topic = TestCluster.topic("tx-too-large", 1);
    MessageIntake generous =
        new MessageIntake(
            new MessageLimits(8 << 20, 512, 16_384),
            Partitioning.DEFAULTS,
            null,
            List.of(),
            TimeSource.SYSTEM,
            new Random()::nextLong);
    transactions.close();
    transactions = RocketTransactions.open(config(TestCluster.config()), generous, database);

    assertRefused(
        Message.of("rocketmq:" + topic, new byte[TestCluster.MESSAGE_BYTES_MAX + 1]),
        topic,
        TestCluster.MESSAGE_BYTES_MAX + 1 + " bytes",
        "maxMessageSize");
    assertThat(database.real.written()).isEmpty();
    assertThat(texts(topic)).isEmpty();
  }

  @Test
  void whatRocketMqCannotDoIsRefusedBeforeAnythingIsSent() {
    Message message = message("any", "x");

    assertRefused(message.key("k"), "key: 'k'", "no order");
    assertRefused(message.notBefore(Instant.EPOCH), "notBefore", "cannot delay");
    assertRefused(
        message.business(new BusinessKey("order", "1", Uniqueness.REFUSE)), "business key");
    assertRefused(Message.of("kafka:any", new byte[1]), "'kafka:any'", "rocketmq:topic[:tag]");
    assertRefused(Message.of("any", new byte[1]), "'any'", "rocketmq:topic[:tag]");
    assertRefused(Message.of("rocketmq:a.b", new byte[1]), "'rocketmq:a.b'");
    assertRefused(message.type("a\u0001b"), "type", "U+0001");
    // of an ASCII header larger than this the limits of messages tell
    assertRefused(message.header("h", "\u0001ä".repeat(4_000)), "type and headers", "31743");
    assertThat(database.real.written()).isEmpty();
  }

  private void assertRefused(Message message, String... texts) {
    assertThatThrownBy(() -> transactions.send(message, writes -> writes.add("row")))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageContainingAll(texts);
  }

  @Test
  void halfMessagesOfOthersInTheGroupAreLeftAlone() {
    MessageExt foreign = new MessageExt();
    foreign.setTopic("any");

    LocalTransactionState state = new RocketCheckBack(database).checkLocalTransaction(foreign);

    assertThat(state).isEqualTo(LocalTransactionState.UNKNOW);
    assertThat(database.asked).isEmpty();
  }
}
