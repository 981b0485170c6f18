package io.angarium.testservers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import com.rabbitmq.client.MessageProperties;
import com.rabbitmq.client.PossibleAuthenticationFailureException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

@RequiresServer(Server.RABBITMQ)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@SuppressWarnings("NullAway.Init") // The server is started before the first test.
@Thorough
class RabbitServerTest {
  private static final Map<String, Object> QUORUM = Map.of("x-queue-type", "quorum");
  private static final long LIMIT_SECONDS = 60;

  /** For a machine that is busy. */
  private static final int HANDSHAKE_MILLIS_MAX = 120_000;

  private RabbitServer rabbit;

  @BeforeAll
  void start() {
    rabbit = RabbitServer.start(ServerOptions.standard().ownProcess().proxied());
  }

  @AfterAll
  void close() {
    rabbit.close();
  }

  @Test
  void isTheProductThatWasAskedFor() {
    assertThat(rabbit.ctl("version")).contains(rabbit.version());
    assertThat(rabbit.host()).isEqualTo("127.0.0.1");
    assertThat(rabbit.server()).isEqualTo(Server.RABBITMQ);
  }

  @Test
  void keepsConfirmedMessagesOfQuorumQueuesThroughKillAndRestart() throws Exception {
    int port = rabbit.port();
    try (Connection connection = connect(rabbit.uri())) {
      Channel channel = channelWithQueue(connection, "killed", QUORUM);
      rabbit.writeDownQueues();
      publish(channel, "killed", "before");
      channel.waitForConfirmsOrDie(TimeUnit.SECONDS.toMillis(LIMIT_SECONDS));
    }

    long killed = rabbit.pid().orElseThrow();
    rabbit.kill();
    assertThat(rabbit.pid()).isEmpty();
    assertThat(ProcessHandle.of(killed)).isEmpty();
    rabbit.restart();

    assertThat(rabbit.port()).isEqualTo(port);
    assertThat(read("killed", 1)).containsExactly("before");
  }

  @Test
  void stopsInGoodOrderAndStartsAgain() throws Exception {
    try (Connection connection = connect(rabbit.uri())) {
      Channel channel = channelWithQueue(connection, "stopped", Map.of());
      publish(channel, "stopped", "value");
      channel.waitForConfirmsOrDie(TimeUnit.SECONDS.toMillis(LIMIT_SECONDS));
    }

    rabbit.stop();
    assertThat(rabbit.pid()).isEmpty();
    assertThatThrownBy(() -> connect(rabbit.directUri())).isInstanceOf(java.io.IOException.class);
    rabbit.restart();

    assertThat(read("stopped", 1)).containsExactly("value");
  }

  @Test
  void confirmsNothingWhilePausedAndGoesOnAfterwards() throws Exception {
    try (Connection connection = connect(rabbit.uri())) {
      Channel channel = channelWithQueue(connection, "paused", QUORUM);

      rabbit.pause();
      publish(channel, "paused", "value");
      assertThatThrownBy(() -> channel.waitForConfirms(300)).isInstanceOf(TimeoutException.class);
      rabbit.resume();

      assertThat(channel.waitForConfirms(TimeUnit.SECONDS.toMillis(LIMIT_SECONDS))).isTrue();
    }
  }

  @Test
  void losesAConfirmOfAMessageThatItStored() throws Exception {
    Connection connection = connect(rabbit.uri());
    Channel channel = channelWithQueue(connection, "unconfirmed", QUORUM);
    try {
      rabbit.proxy().blackhole(FaultProxy.Way.TO_CLIENT);
      publish(channel, "unconfirmed", "value");
      assertThat(read("unconfirmed", 1)).containsExactly("value");
      rabbit.proxy().cutAll();

      assertThatThrownBy(() -> channel.waitForConfirms(TimeUnit.SECONDS.toMillis(LIMIT_SECONDS)))
          .isInstanceOf(com.rabbitmq.client.ShutdownSignalException.class);
    } finally {
      rabbit.proxy().heal();
      connection.abort();
    }
  }

  @Test
  void blocksPublishersWhileTheMemoryAlarmIsRaised() throws Exception {
    String usual = memoryLimit();
    CountDownLatch blocked = new CountDownLatch(1);
    CountDownLatch unblocked = new CountDownLatch(1);
    try (Connection connection = connect(rabbit.uri())) {
      connection.addBlockedListener(reason -> blocked.countDown(), unblocked::countDown);
      Channel channel = channelWithQueue(connection, "blocked", Map.of());

      rabbit.ctl("set_vm_memory_high_watermark", "0.00001");
      try {
        publish(channel, "blocked", "value");
        assertThat(blocked.await(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
      } finally {
        rabbit.ctl("set_vm_memory_high_watermark", usual);
      }

      assertThat(unblocked.await(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
      assertThat(channel.waitForConfirms(TimeUnit.SECONDS.toMillis(LIMIT_SECONDS))).isTrue();
    }
  }

  private String memoryLimit() {
    return rabbit.ctl("eval", "vm_memory_monitor:get_vm_memory_high_watermark().").strip();
  }

  @Test
  void takesOrdersAndRefusesWrongOnes() throws Exception {
    rabbit.ctl("add_user", "guest-of-honour", "secret");
    rabbit.ctl("set_permissions", "guest-of-honour", ".*", ".*", ".*");
    String uri = "amqp://guest-of-honour:secret@127.0.0.1:" + rabbit.port();

    try (Connection connection = connect(uri)) {
      assertThat(connection.isOpen()).isTrue();
    }
    assertThatThrownBy(() -> connect(uri.replace("secret", "wrong")))
        .isInstanceOf(PossibleAuthenticationFailureException.class);
    assertThatThrownBy(() -> rabbit.ctl("no_such_order"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("no_such_order");
  }

  @Test
  void takesTheServersOwnSettings() throws Exception {
    ServerOptions options = ServerOptions.standard().ownProcess().setting("channel_max", "7");
    try (RabbitServer strict = RabbitServer.start(options);
        Connection connection = connect(strict.uri())) {
      assertThat(connection.getChannelMax()).isEqualTo(7);
    }
  }

  @Test
  void saysWhyItDoesNotStartAndLeavesNothingBehind(@TempDir Path temporary) {
    ServerOptions wrong = ServerOptions.standard().ownProcess().setting("no_such_setting", "1");
    List<Long> before = family();
    String usual = System.setProperty("java.io.tmpdir", temporary.toString());
    try {
      assertThatThrownBy(() -> RabbitServer.start(wrong))
          .isInstanceOf(ServerUnavailableException.class)
          .hasMessageContaining("RabbitMQ")
          .hasMessageContaining("no_such_setting");
    } finally {
      System.setProperty("java.io.tmpdir", String.valueOf(usual));
    }

    assertThat(temporary).isEmptyDirectory();
    assertThat(family()).filteredOn(pid -> !before.contains(pid)).allMatch(LocalProcess::isDead);
  }

  @Test
  @RequiresServer(value = Server.RABBITMQ, from = Origin.PACKAGE)
  void runsFromThePackageOfTheDistributionWithoutInstallingIt() throws Exception {
    List<Long> before = family();
    List<Long> started;
    try (RabbitServer unpacked = RabbitServer.start(ServerOptions.standard().from(Origin.PACKAGE));
        Connection connection = connect(unpacked.uri())) {
      started = family().stream().filter(pid -> !before.contains(pid)).toList();
      Channel channel = channelWithQueue(connection, "unpacked", QUORUM);
      publish(channel, "unpacked", "value");

      assertThat(channel.waitForConfirms(TimeUnit.SECONDS.toMillis(LIMIT_SECONDS))).isTrue();
      assertThat(unpacked.ctl("version")).contains(unpacked.version());
      assertThat(unpacked.origin()).isEqualTo(Origin.PACKAGE);
    }
    // The server, its epmd, and two watchdogs at the least.
    assertThat(started).hasSizeGreaterThan(3).allMatch(LocalProcess::isDead);
  }

  private static List<Long> family() {
    return ProcessHandle.current().descendants().map(ProcessHandle::pid).toList();
  }

  private static Connection connect(String uri) throws Exception {
    ConnectionFactory factory = new ConnectionFactory();
    factory.setUri(uri);
    factory.setAutomaticRecoveryEnabled(false);
    factory.setHandshakeTimeout(HANDSHAKE_MILLIS_MAX);
    return factory.newConnection();
  }

  private static Channel channelWithQueue(
      Connection connection, String queue, Map<String, Object> arguments) throws Exception {
    Channel channel = connection.createChannel();
    channel.queueDeclare(queue, true, false, false, arguments);
    channel.confirmSelect();
    return channel;
  }

  private static void publish(Channel channel, String queue, String value) throws Exception {
    AMQP.BasicProperties persistent = MessageProperties.PERSISTENT_BASIC;
    channel.basicPublish("", queue, persistent, value.getBytes(StandardCharsets.UTF_8));
  }

  /** Reads past the proxy until this many messages have come. */
  private List<String> read(String queue, int count) throws Exception {
    List<String> values = new ArrayList<>();
    try (Connection connection = connect(rabbit.directUri())) {
      Channel channel = connection.createChannel();
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
      while (values.size() < count && System.nanoTime() < deadline) {
        GetResponse found = channel.basicGet(queue, true);
        if (found == null) {
          Shell.pause(20);
        } else {
          values.add(new String(found.getBody(), StandardCharsets.UTF_8));
        }
      }
    }
    return values;
  }
}
