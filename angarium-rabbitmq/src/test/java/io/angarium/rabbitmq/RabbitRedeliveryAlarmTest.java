package io.angarium.rabbitmq;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.Delivery;
import com.rabbitmq.client.GetResponse;
import com.rabbitmq.client.MessageProperties;
import io.angarium.ConfigurationException;
import io.angarium.rabbitmq.topology.RabbitRedelivery;
import io.angarium.rabbitmq.topology.RabbitTopology;
import io.angarium.testservers.OnOneJdk;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A consumer that cannot process, at a broker that is short of memory. */
@OnOneJdk
@RequiresServer(Server.RABBITMQ)
class RabbitRedeliveryAlarmTest {
  private static final Duration WAIT = Duration.ofSeconds(2);
  private static final long LIMIT_NANOS = Duration.ofSeconds(60).toNanos();

  private final RabbitTopology topology =
      RabbitTopology.of("alarm-work").retryAfter(Duration.ofHours(1));
  private Connection consuming;
  private Connection publishing;
  private Channel channel;
  private RabbitRedelivery redelivery;

  @BeforeEach
  void open() throws Exception {
    consuming = TestBroker.connect();
    publishing = TestBroker.connect(); // requests of channels take up to ten minutes
    channel = consuming.createChannel();
    topology.declare(channel);
    redelivery = RabbitRedelivery.of(topology, publishing, WAIT);
  }

  @AfterEach
  void close() {
    TestBroker.server().ctl("set_vm_memory_high_watermark", "absolute", "1GB");
    redelivery.close();
    consuming.abort(1_000);
    publishing.abort(1_000);
  }

  /** Within a minute: without the limit, requests of a channel wait ten. */
  @Test
  @Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void waitsNoLongerThanAgreedAndLosesNothing() throws Exception {
    work("before");
    assertThat(new String(moveOn().getBody(), UTF_8)).isEqualTo("before");
    work("in the alarm");
    alarm();

    // The first waits for the confirm, the second for the first, and for a channel.
    for (int i = 0; i < 2; i++) {
      Delivery delivery = next();
      assertThatThrownBy(() -> redelivery.failed(channel, delivery, new RuntimeException("x")))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("not confirmed by " + topology.retryQueues().get(0).name())
          .hasMessageContaining("given back")
          .cause()
          .hasMessageContaining("no confirm within 2s: the broker takes no messages at present")
          .hasMessageContaining("memory");
    }
    TestBroker.server().ctl("set_vm_memory_high_watermark", "absolute", "1GB");

    String text = new String(moveOn().getBody(), UTF_8);
    assertThat(text).isEqualTo("in the alarm");
    assertThat(TestBroker.take(topology.retryQueues().get(0).name()))
        .extracting(copy -> new String(copy.getBody(), UTF_8))
        .contains("before", "in the alarm");
    assertThat(TestBroker.take(topology.queue())).isEmpty();
    assertThat(TestBroker.take(topology.deadQueue().name())).isEmpty();
  }

  @Test
  void waitOutOfRangeIsAFault() {
    assertThatThrownBy(() -> RabbitRedelivery.of(topology, publishing, Duration.ZERO))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("redelivery.wait: 0s");
  }

  /** Until the connection that publishes is told so, which it is when it publishes something. */
  private void alarm() throws Exception {
    CountDownLatch blocked = new CountDownLatch(1);
    publishing.addBlockedListener(reason -> blocked.countDown(), () -> {});
    Channel probes = publishing.createChannel();
    TestBroker.server().ctl("set_vm_memory_high_watermark", "0.00001");
    long deadline = System.nanoTime() + LIMIT_NANOS;
    do {
      assertThat(System.nanoTime()).as("an alarm in time").isLessThan(deadline);
      probes.basicPublish("", "nobody", null, new byte[0]);
    } while (!blocked.await(100, TimeUnit.MILLISECONDS));
  }

  private void work(String text) {
    TestBroker.ask(
        asking -> {
          asking.confirmSelect();
          asking.basicPublish(
              "", topology.queue(), MessageProperties.PERSISTENT_BASIC, text.getBytes(UTF_8));
          return confirmed(asking);
        });
  }

  private static boolean confirmed(Channel asking) throws IOException {
    try {
      return asking.waitForConfirms(TimeUnit.NANOSECONDS.toMillis(LIMIT_NANOS));
    } catch (InterruptedException | TimeoutException e) {
      throw new IOException(e);
    }
  }

  /** What was given back is there again after a moment. */
  private Delivery next() throws IOException {
    long deadline = System.nanoTime() + LIMIT_NANOS;
    GetResponse got = channel.basicGet(topology.queue(), false);
    while (got == null) {
      assertThat(System.nanoTime()).as("a delivery in time").isLessThan(deadline);
      got = channel.basicGet(topology.queue(), false);
      LockSupport.parkNanos(10_000_000);
    }
    return new Delivery(got.getEnvelope(), got.getProps(), got.getBody());
  }

  /** As often as it takes: until the end of the alarm is known, or a machine is less busy. */
  private Delivery moveOn() throws IOException {
    long deadline = System.nanoTime() + LIMIT_NANOS;
    while (true) {
      Delivery delivery = next();
      try {
        assertThat(redelivery.failed(channel, delivery, new IllegalStateException("no stock")))
            .isEqualTo(topology.retryQueues().get(0).name());
        return delivery;
      } catch (IOException e) {
        assertThat(System.nanoTime()).as("moved on in time").isLessThan(deadline);
      }
    }
  }
}
