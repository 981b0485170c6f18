package io.angarium.rocketmq;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.Destination;
import io.angarium.Message;
import io.angarium.half.HalfMessageException;
import io.angarium.intake.StoredMessage;
import io.angarium.rocketmq.RocketConfig.Acknowledge;
import io.angarium.rocketmq.transaction.RocketTransactions;
import io.angarium.rocketmq.transaction.RocketTransactionsConfig;
import io.angarium.testkit.memory.InMemoryLocalTransactions;
import io.angarium.testservers.OnOneJdk;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.RocketServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.ServerOptions;
import io.angarium.testtransports.Messages;
import io.angarium.testtransports.Results;
import io.angarium.transport.SendResult;
import io.angarium.transport.SendResult.Unavailable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.locks.LockSupport;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A broker that shall answer when messages are on its disk, and gives the disk no time: it stores
 * all, and mostly answers {@code FLUSH_DISK_TIMEOUT}. Or that takes nothing at present.
 */
@OnOneJdk
@RequiresServer(Server.ROCKETMQ)
class LessSafeRocketTest {
  private static final int TRIES_MAX = 30;
  private static final Duration BETWEEN_TRIES = Duration.ofMillis(50);

  private static @Nullable RocketServer server;
  private static @Nullable DefaultMQProducer direct;

  @BeforeAll
  static void start() throws Exception {
    server =
        RocketServer.start(
            ServerOptions.standard()
                .ownProcess()
                .setting("flushDiskType", "SYNC_FLUSH")
                .setting("transactionTimeOut", "1000")
                .setting("transactionCheckInterval", "1000"));
    direct = Producers.plain(config().producerGroup("direct-less-safe"));
    direct.setMqClientApiTimeout(30_000); // 3 s are little on a busy machine
    direct.start();
  }

  @AfterAll
  static void stop() {
    direct().shutdown();
    server().close();
  }

  @BeforeEach
  void giveTheDiskNoTime() throws Exception {
    diskMillis(-1_000);
  }

  private static RocketServer server() {
    return Objects.requireNonNull(server);
  }

  private static DefaultMQProducer direct() {
    return Objects.requireNonNull(direct);
  }

  private static RocketConfig config() {
    return RocketConfig.of(server().nameServer())
        .sendTimeout(Duration.ofSeconds(10))
        .holdMax(Duration.ofSeconds(10));
  }

  /** How long the broker waits for its disk before it answers. */
  private static void diskMillis(int millis) throws Exception {
    set("syncFlushTimeout", String.valueOf(millis));
  }

  @SuppressWarnings("deprecation") // nothing else tells it without an administrator's client
  private static void set(String name, String value) throws Exception {
    Properties changed = new Properties();
    changed.setProperty(name, value);
    direct()
        .getDefaultMQProducerImpl()
        .getMqClientFactory()
        .getMQClientAPIImpl()
        .updateBrokerConfig(server().host() + ":" + server().port(), changed, 30_000);
  }

  private static StoredMessage message(String topic, int number) {
    return Messages.of(new Destination("rocketmq", topic), "k", String.valueOf(number));
  }

  private static SendResult send(RocketTransport transport, StoredMessage message) {
    Results results = new Results();
    transport.send(List.of(message), results);
    return results.next().result();
  }

  /** Tries new messages until the disk is late. */
  private static StoredMessage untilOneIsUnsafe(RocketTransport transport, String topic) {
    server().createTopic(topic, 4);
    for (int i = 0; i < TRIES_MAX; i++) {
      StoredMessage message = message(topic, i);
      if (send(transport, message) instanceof Unavailable unsafe) {
        assertThat(unsafe.reason()).contains("FLUSH_DISK_TIMEOUT");
        return message;
      }
    }
    throw new AssertionError("The disk was in time with each of " + TRIES_MAX);
  }

  private static long copies(String topic, StoredMessage message) {
    return TestCluster.read(topic, direct()).stream()
        .filter(found -> found.getUserProperty(RocketWireFormat.ID).equals(message.id().toString()))
        .count();
  }

  @Test
  void whatIsPerhapsNotOnTheDiskIsSentAgainUntilItIs() throws Exception {
    try (RocketTransport transport = RocketTransport.open(config())) {
      StoredMessage message = untilOneIsUnsafe(transport, "copies");
      assertThat(copies("copies", message)).isEqualTo(1);

      diskMillis(60_000);
      assertThat(untilItIsAvailable(transport, message)).isEqualTo(SendResult.ACKNOWLEDGED);
      assertThat(copies("copies", message)).isEqualTo(2);
    }
  }

  private static SendResult untilItIsAvailable(RocketTransport transport, StoredMessage message) {
    SendResult result = send(transport, message);
    long deadline = System.nanoTime() + Results.LIMIT.toNanos();
    while (result instanceof Unavailable) {
      assertThat(System.nanoTime()).as("acknowledged in time").isLessThan(deadline);
      LockSupport.parkNanos(BETWEEN_TRIES.toNanos());
      result = send(transport, message);
    }
    return result;
  }

  /** As its operator does before it is taken away. */
  @Test
  void whileABrokerMayNotBeWrittenToNothingIsRefused() throws Exception {
    server().createTopic("read-only", 4);
    diskMillis(60_000);
    StoredMessage message = message("read-only", 1);
    try (RocketTransport transport = RocketTransport.open(config())) {
      set("brokerPermission", "4");
      try {
        assertThat(send(transport, message)).isInstanceOf(Unavailable.class);
      } finally {
        set("brokerPermission", "6");
      }

      assertThat(untilItIsAvailable(transport, message)).isEqualTo(SendResult.ACKNOWLEDGED);
      assertThat(copies("read-only", message)).isEqualTo(1);
    }
  }

  @Test
  void countsAsSentForWhoSaysSo() {
    server().createTopic("bold", 4);
    try (RocketTransport transport =
        RocketTransport.open(config().acknowledge(Acknowledge.WHEN_STORED))) {
      for (int i = 0; i < TRIES_MAX; i++) {
        assertThat(send(transport, message("bold", i))).isEqualTo(SendResult.ACKNOWLEDGED);
      }
    }
    assertThat(TestCluster.read("bold", direct())).hasSize(TRIES_MAX);
  }

  /** Whatever counts as sent: that is for messages of the outbox, which are there still. */
  @Test
  void isNoHalfMessageThatWorkMayBeginWith() {
    server().createTopic("half", 1);
    InMemoryLocalTransactions database = new InMemoryLocalTransactions();
    RocketConfig bold = config().acknowledge(Acknowledge.WHEN_STORED);
    List<String> begun = new ArrayList<>();
    try (RocketTransactions<List<String>> transactions =
        RocketTransactions.open(RocketTransactionsConfig.of(bold), database)) {
      assertThatThrownBy(
              () -> {
                for (int i = 0; i < TRIES_MAX; i++) {
                  String text = String.valueOf(i);
                  transactions.send(
                      Message.of("rocketmq:half", text.getBytes(UTF_8)), work -> work.add(text));
                  begun.add(text); // the disk was in time
                }
              })
          .isInstanceOf(HalfMessageException.class)
          .hasMessageContaining("FLUSH_DISK_TIMEOUT")
          .hasMessageContaining("was not begun");
    }
    assertThat(database.written()).isEqualTo(begun);
  }
}
