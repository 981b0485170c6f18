package io.angarium.tests.spring;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import io.angarium.ConfigurationException;
import io.angarium.rabbitmq.topology.RabbitTopology;
import io.angarium.spring.rabbit.RedeliveringRecoverer;
import io.angarium.testservers.RabbitServer;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.ServerOptions;
import java.net.URI;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.amqp.AmqpException;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageProperties;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory.ConfirmType;

/** A listener that cannot process, at a broker that is short of memory. */
@OnOneBoot
@RequiresServer(Server.RABBITMQ)
class RabbitListenerAlarmTest {
  private static final Duration WAIT = Duration.ofSeconds(2);
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final RabbitTopology TOPOLOGY =
      RabbitTopology.of("spring-alarm").retryAfter(Duration.ofHours(1));

  private static RabbitServer rabbit;
  private Connection connection;
  private Channel channel;
  private CachingConnectionFactory connections;
  private RedeliveringRecoverer recoverer;

  @BeforeAll
  static void startBroker() {
    rabbit = RabbitServer.start(ServerOptions.standard().ownProcess());
  }

  @AfterAll
  static void stopBroker() {
    rabbit.close();
  }

  @BeforeEach
  void connect() throws Exception {
    ConnectionFactory plain = new ConnectionFactory();
    plain.setUri(rabbit.uri());
    plain.setHandshakeTimeout(60_000); // the machine may be busy
    connection = plain.newConnection();
    channel = connection.createChannel();
    TOPOLOGY.declare(channel);
    connections = new CachingConnectionFactory(URI.create(rabbit.uri()));
    connections.setPublisherConfirmType(ConfirmType.CORRELATED);
    connections.setPublisherReturns(true);
    recoverer = RedeliveringRecoverer.of(connections, WAIT, TOPOLOGY);
  }

  @AfterEach
  void disconnect() {
    rabbit.ctl("set_vm_memory_high_watermark", "absolute", "1GB");
    recoverer.close();
    connections.destroy();
    connection.abort(1_000);
  }

  /** As a container hands it over. */
  private void fail(String text) {
    MessageProperties properties = new MessageProperties();
    properties.setConsumerQueue(TOPOLOGY.queue());
    recoverer.recover(
        new Message(text.getBytes(UTF_8), properties), new IllegalStateException("no stock"));
  }

  /** Within a minute: without the limit, requests of a channel wait ten. */
  @Test
  @Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void waitsNoLongerThanAgreedAndGoesOnAfterwards() throws Exception {
    failUntilMovedOn("before");
    rabbit.ctl("set_vm_memory_high_watermark", "0.00001");

    // The first waits for the confirm, the second for a channel, the third for the second.
    for (int i = 0; i < 3; i++) {
      long since = System.nanoTime();
      assertThatThrownBy(() -> fail("in the alarm"))
          .isInstanceOf(AmqpException.class)
          .hasMessageContaining("no confirm by " + TOPOLOGY.retryQueues().get(0).name())
          .hasMessageContaining("given back");
      assertThat(Duration.ofNanos(System.nanoTime() - since)).isLessThan(LIMIT);
    }
    rabbit.ctl("set_vm_memory_high_watermark", "absolute", "1GB");

    failUntilMovedOn("afterwards");
    assertThat(inTheRetryQueue()).contains("before", "afterwards");
  }

  private void failUntilMovedOn(String text) {
    long deadline = System.nanoTime() + LIMIT.toNanos();
    while (true) {
      try {
        fail(text);
        return;
      } catch (AmqpException e) {
        assertThat(System.nanoTime()).as("moved on in time").isLessThan(deadline);
      }
    }
  }

  private Set<String> inTheRetryQueue() throws Exception {
    Set<String> texts = new HashSet<>();
    String queue = TOPOLOGY.retryQueues().get(0).name();
    for (GetResponse next = channel.basicGet(queue, true);
        next != null;
        next = channel.basicGet(queue, true)) {
      texts.add(new String(next.getBody(), UTF_8));
    }
    return texts;
  }

  @Test
  void waitOutOfRangeIsAFault() {
    assertThatThrownBy(() -> RedeliveringRecoverer.of(connections, Duration.ZERO, TOPOLOGY))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("redelivery.wait: 0s");
  }
}
