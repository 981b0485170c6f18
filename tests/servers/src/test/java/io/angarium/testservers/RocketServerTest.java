package io.angarium.testservers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.DataInputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.rocketmq.client.consumer.DefaultLitePullConsumer;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.client.producer.LocalTransactionState;
import org.apache.rocketmq.client.producer.SendResult;
import org.apache.rocketmq.client.producer.SendStatus;
import org.apache.rocketmq.client.producer.TransactionListener;
import org.apache.rocketmq.client.producer.TransactionMQProducer;
import org.apache.rocketmq.common.consumer.ConsumeFromWhere;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.common.message.MessageQueue;
import org.apache.rocketmq.remoting.exception.RemotingException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

@RequiresServer(Server.ROCKETMQ)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@SuppressWarnings("NullAway.Init") // The server is started before the first test.
@Thorough
class RocketServerTest {
  private static final int LIMIT_SECONDS = 60;
  private static final int LIMIT_MILLIS = (int) TimeUnit.SECONDS.toMillis(LIMIT_SECONDS);

  private RocketServer rocket;

  @BeforeAll
  void start() {
    ServerOptions options =
        ServerOptions.standard()
            .ownProcess()
            .proxied()
            .setting("transactionTimeOut", "1000")
            .setting("transactionCheckInterval", "1000");
    rocket = RocketServer.start(options);
  }

  @AfterAll
  void close() {
    rocket.close();
  }

  @Test
  void keepsAcknowledgedMessagesThroughKillAndRestart() throws Exception {
    rocket.createTopic("killed", 1);
    int port = rocket.port();
    send("killed", "before");

    long killed = rocket.pid().orElseThrow();
    rocket.kill();
    assertThat(rocket.pid()).isEmpty();
    assertThat(ProcessHandle.of(killed)).isEmpty();
    rocket.restart();

    send("killed", "after");
    assertThat(rocket.port()).isEqualTo(port);
    assertThat(read("killed", 2)).containsExactly("before", "after");
  }

  @Test
  void stopsInGoodOrderAndStartsAgain() throws Exception {
    rocket.createTopic("stopped", 1);
    send("stopped", "value");

    rocket.stop();
    assertThat(rocket.pid()).isEmpty();
    rocket.restart();

    assertThat(read("stopped", 1)).containsExactly("value");
  }

  @Test
  void acknowledgesNothingWhilePausedAndGoesOnAfterwards() throws Exception {
    rocket.createTopic("paused", 1);
    DefaultMQProducer producer = producer(rocket.nameServer());
    try {
      producer.send(message("paused", "first"));

      rocket.pause();
      CompletableFuture<SendResult> second =
          CompletableFuture.supplyAsync(() -> sendUnchecked(producer, message("paused", "second")));
      assertThatThrownBy(() -> second.get(300, TimeUnit.MILLISECONDS))
          .isInstanceOf(java.util.concurrent.TimeoutException.class);
      rocket.resume();

      assertThat(second.get(LIMIT_SECONDS, TimeUnit.SECONDS).getSendStatus())
          .isEqualTo(SendStatus.SEND_OK);
    } finally {
      producer.shutdown();
    }
  }

  @Test
  void losesAnAcknowledgementOfAMessageThatItStored() throws Exception {
    rocket.createTopic("unacknowledged", 1);
    DefaultMQProducer producer = producer(rocket.nameServer());
    producer.setRetryTimesWhenSendFailed(0);
    try {
      producer.send(message("unacknowledged", "first"));

      rocket.proxy().blackhole(FaultProxy.Way.TO_CLIENT);
      CompletableFuture<SendResult> second =
          CompletableFuture.supplyAsync(
              () -> sendUnchecked(producer, message("unacknowledged", "second")));
      assertThat(read("unacknowledged", 2)).containsExactly("first", "second");
      rocket.proxy().cutAll();

      assertThatThrownBy(() -> second.get(LIMIT_SECONDS, TimeUnit.SECONDS))
          .hasRootCauseInstanceOf(RemotingException.class);
    } finally {
      rocket.proxy().heal();
      producer.shutdown();
    }
  }

  @Test
  void sendsClientsThroughItsProxyToTheNameServer() throws Exception {
    rocket.createTopic("unnamed", 1);
    rocket.nameServerProxy().refuse();
    DefaultMQProducer producer = producer(rocket.nameServer());
    try {
      assertThatThrownBy(() -> producer.send(message("unnamed", "value")))
          .hasRootCauseInstanceOf(RemotingException.class);
      rocket.nameServerProxy().heal();

      assertThat(producer.send(message("unnamed", "value")).getSendStatus())
          .isEqualTo(SendStatus.SEND_OK);
    } finally {
      rocket.nameServerProxy().heal();
      producer.shutdown();
    }
  }

  @Test
  void asksBackForAHalfMessageWithTheTimesThatWereSet() throws Exception {
    rocket.createTopic("half", 1, RocketServer.MessageType.TRANSACTION);
    BlockingQueue<String> checked = new LinkedBlockingQueue<>();
    TransactionMQProducer producer = new TransactionMQProducer("half-producer");
    producer.setNamesrvAddr(rocket.nameServer());
    producer.setSendMsgTimeout(LIMIT_MILLIS);
    producer.setMqClientApiTimeout(LIMIT_MILLIS);
    producer.setTransactionListener(new CommittingWhenAsked(checked));
    producer.start();
    try {
      producer.sendMessageInTransaction(message("half", "value"), null);

      assertThat(checked.poll(LIMIT_SECONDS, TimeUnit.SECONDS)).isEqualTo("value");
      // Asked again before the answer has come, the broker delivers it once for each answer.
      assertThat(read("half", 1)).containsOnly("value");
    } finally {
      producer.shutdown();
    }
  }

  @Test
  void refusesATopicThatNobodyCouldName() {
    assertThatThrownBy(() -> rocket.createTopic("no \" topic", 1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> rocket.createTopic("TBW102", 1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("TBW102");
  }

  @Test
  void takesTheServersOwnSettingsAndSpeaksGrpcWhenAsked() throws Exception {
    ServerOptions options =
        ServerOptions.standard().ownProcess().setting("autoCreateTopicEnable", "false");
    try (RocketServer strict = RocketServer.startWithGrpc(options)) {
      DefaultMQProducer producer = producer(strict.nameServer());
      try {
        assertThatThrownBy(() -> producer.send(message("nowhere", "value")))
            .isInstanceOf(MQClientException.class)
            .hasMessageContaining("nowhere");
      } finally {
        producer.shutdown();
      }

      assertThat(firstFrame(strict.grpcAddress())).isEqualTo(HTTP2_SETTINGS);
      assertThat(strict.version()).startsWith("5.5");
      assertThatThrownBy(strict::proxy).isInstanceOf(IllegalStateException.class);
    }
    assertThatThrownBy(rocket::grpcAddress).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void saysWhyItDoesNotStartAndLeavesNothingBehind(@TempDir Path temporary) {
    ServerOptions wrong =
        ServerOptions.standard().ownProcess().setting("storePathRootDir", "/dev/null/store");
    List<Long> before = family();
    String usual = System.setProperty("java.io.tmpdir", temporary.toString());
    try {
      assertThatThrownBy(() -> RocketServer.start(wrong))
          .isInstanceOf(ServerUnavailableException.class)
          .hasMessageContaining("RocketMQ does not start");
    } finally {
      System.setProperty("java.io.tmpdir", String.valueOf(usual));
    }

    assertThat(temporary).isEmptyDirectory();
    assertThat(family()).filteredOn(pid -> !before.contains(pid)).allMatch(LocalProcess::isDead);
  }

  private static List<Long> family() {
    return ProcessHandle.current().descendants().map(ProcessHandle::pid).toList();
  }

  /** Leaves the outcome open, and commits when it is asked. */
  private record CommittingWhenAsked(BlockingQueue<String> checked) implements TransactionListener {
    @Override
    public LocalTransactionState executeLocalTransaction(Message message, Object argument) {
      return LocalTransactionState.UNKNOW;
    }

    @Override
    public LocalTransactionState checkLocalTransaction(MessageExt message) {
      checked.add(text(message));
      return LocalTransactionState.COMMIT_MESSAGE;
    }
  }

  private static final int HTTP2_SETTINGS = 4;

  /** The type of the first frame that an HTTP/2 server sends to a client that knows it is one. */
  private static int firstFrame(String address) throws Exception {
    int port = Integer.parseInt(address.substring(address.indexOf(':') + 1));
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(LIMIT_MILLIS);
      byte[] preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
      socket.getOutputStream().write(preface);
      socket.getOutputStream().write(new byte[] {0, 0, 0, HTTP2_SETTINGS, 0, 0, 0, 0, 0});
      DataInputStream in = new DataInputStream(socket.getInputStream());
      in.skipNBytes(3);
      return in.readUnsignedByte();
    }
  }

  private void send(String topic, String value) throws Exception {
    DefaultMQProducer producer = producer(rocket.nameServer());
    try {
      assertThat(producer.send(message(topic, value)).getSendStatus())
          .isEqualTo(SendStatus.SEND_OK);
    } finally {
      producer.shutdown();
    }
  }

  private static SendResult sendUnchecked(DefaultMQProducer producer, Message message) {
    try {
      return producer.send(message, LIMIT_MILLIS);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static DefaultMQProducer producer(String nameServer) throws MQClientException {
    DefaultMQProducer producer = new DefaultMQProducer("producer");
    producer.setNamesrvAddr(nameServer);
    producer.setSendMsgTimeout(LIMIT_MILLIS);
    producer.setMqClientApiTimeout(LIMIT_MILLIS); // the name server's answers
    producer.start();
    return producer;
  }

  private static Message message(String topic, String value) {
    return new Message(topic, value.getBytes(StandardCharsets.UTF_8));
  }

  private static String text(MessageExt message) {
    return new String(message.getBody(), StandardCharsets.UTF_8);
  }

  /** A name server has 6 s each time. */
  private static Collection<MessageQueue> queues(DefaultLitePullConsumer consumer, String topic)
      throws MQClientException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
    while (true) {
      try {
        return consumer.fetchMessageQueues(topic);
      } catch (MQClientException e) {
        if (System.nanoTime() > deadline) {
          throw e;
        }
      }
    }
  }

  /** Reads past the proxies until this many messages have come. */
  private List<String> read(String topic, int count) throws Exception {
    DefaultLitePullConsumer consumer = new DefaultLitePullConsumer("reader-of-" + topic);
    consumer.setNamesrvAddr(rocket.directNameServer());
    consumer.setMqClientApiTimeout(LIMIT_MILLIS);
    // To seek asks the broker, which has 6 s then.
    consumer.setAutoCommit(false);
    consumer.setConsumeFromWhere(ConsumeFromWhere.CONSUME_FROM_FIRST_OFFSET);
    consumer.start();
    List<String> values = new ArrayList<>();
    try {
      consumer.assign(queues(consumer, topic));
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
      while (values.size() < count && System.nanoTime() < deadline) {
        consumer.poll(100).forEach(found -> values.add(text(found)));
      }
    } finally {
      consumer.shutdown();
    }
    return values;
  }
}
