package io.angarium.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.example.trustmessage.middlewareapi.common.MessageResponse;
import com.example.trustmessage.middlewareapi.common.MiddlewareMessage;
import io.angarium.Message;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessage;
import io.angarium.half.HalfMessages;
import io.angarium.half.HalfState;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** TrustMessage's producers at the server, over real Dubbo. */
class ServerDubboTest {
  private static final int PREPARED = 1;
  private static final int COMMITTED = 2;
  private static final int ROLLED_BACK = 3;

  private final Map<String, Integer> answers = new ConcurrentHashMap<>();
  private final HookReceiver consumer = new HookReceiver();
  private final int port = DubboShop.freePort();
  private DubboShop shop;
  private ServerUnderTest server;

  @BeforeEach
  void start() {
    shop = new DubboShop(port, (business, key) -> answers.getOrDefault(key, PREPARED));
    server =
        ServerUnderTest.open(
            "angarium.server.dubbo.enabled=true",
            "angarium.server.dubbo.port=" + port,
            "angarium.server.dubbo.forward-transport=http",
            "angarium.server.dubbo.businesses=7",
            "angarium.server.dubbo.destinations=http:orders",
            "angarium.server.check-back.dubbo.allowed-addresses=" + shop.address(),
            "angarium.http.hooks.orders.url=" + consumer.url(),
            "angarium.half.check.first=1s",
            "angarium.half.check.min-pause=100ms",
            "angarium.half.check.unreachable-max-pause=200ms",
            // beside Dubbo, whose javassist it would bring in another version
            "angarium.rocketmq.enabled=true",
            "angarium.rocketmq.name-servers=127.0.0.1:1");
  }

  @AfterEach
  void stop() {
    server.close();
    shop.close();
    consumer.close();
  }

  private MiddlewareMessage message(String key) {
    return DubboShop.message(key, "orders", shop.address());
  }

  private HalfState state(String business, String key) {
    return server.bean(HalfMessages.class).state(new HalfKey(business, key));
  }

  private void awaitState(String key, HalfState state) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (state("7", key) != state) {
      assertThat(System.nanoTime()).as("%s is %s", key, state("7", key)).isLessThan(deadline);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
    }
  }

  private void awaitReceived(String... payloads) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (consumer.received().size() < payloads.length) {
      assertThat(System.nanoTime()).as("%s", consumer.received()).isLessThan(deadline);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
    }
    assertThat(consumer.received()).containsExactlyInAnyOrder(payloads);
  }

  private static void assertCode(MessageResponse response, int code) {
    assertThat(response.getCode()).as(response.toString()).isEqualTo(code);
  }

  @Test
  void messageIsPreparedCommittedAndForwarded() {
    assertCode(shop.centre().prepareMessage(message("1")), 200);
    assertThat(state("7", "1")).isEqualTo(HalfState.PREPARED);
    assertCode(shop.centre().prepareMessage(message("2")), 200);

    assertCode(shop.centre().commitMessage(message("1")), 200);
    assertCode(shop.centre().rollBackMessage(message("2")), 200);

    awaitReceived("paid 1");
    assertCode(shop.centre().rollBackMessage(message("1")), 1002);
    assertCode(shop.centre().commitMessage(message("2")), 1003);
    assertCode(shop.centre().commitMessage(message("3")), 1001);
  }

  @Test
  void producerThatFallsSilentIsAskedOverDubbo() {
    answers.put("committed", COMMITTED);
    answers.put("rolled back", ROLLED_BACK);
    assertCode(shop.centre().prepareMessage(message("committed")), 200);
    assertCode(shop.centre().prepareMessage(message("rolled back")), 200);

    awaitState("committed", HalfState.COMMITTED);
    awaitState("rolled back", HalfState.ROLLED_BACK);
    awaitReceived("paid committed");
  }

  @Test
  void producerThatPreparedOverHttpIsAskedOverDubboToo() {
    answers.put("1", COMMITTED);

    server
        .half()
        .prepare(
            HalfMessage.of(new HalfKey("7", "1"), Message.of("log:orders", new byte[1]))
                .checkBack(URI.create(shop.address() + "?version=1.0.0")));

    awaitState("1", HalfState.COMMITTED);
  }

  @Test
  void whatIsNotPermittedIsIllegalAndHasNoEffect() {
    MiddlewareMessage elsewhere = DubboShop.message("1", "payroll", shop.address());
    MiddlewareMessage asOther = message("1");
    asOther.setBizID(8);

    MessageResponse topic = shop.centre().prepareMessage(elsewhere);
    MessageResponse business = shop.centre().prepareMessage(asOther);

    assertCode(topic, 1000);
    assertThat(topic.getMessage()).contains("angarium.server.dubbo.destinations");
    assertCode(business, 1000);
    assertThat(business.getMessage()).contains("angarium.server.dubbo.businesses");
    assertCode(shop.centre().commitMessage(asOther), 1000);
    assertThat(state("7", "1")).isEqualTo(HalfState.UNKNOWN);
    assertThat(state("8", "1")).isEqualTo(HalfState.UNKNOWN);
  }

  @Test
  void anAddressThatMustNotBeAskedIsRefusedAtOnce() {
    MessageResponse response =
        shop.centre().prepareMessage(DubboShop.message("1", "orders", "dubbo://10.0.0.7:20880"));

    assertCode(response, 1000);
    assertThat(response.getMessage()).contains("dubbo://10.0.0.7:20880 is not allowed");
    assertThat(state("7", "1")).isEqualTo(HalfState.UNKNOWN);
  }

  /** All of 127.0.0.0/8 is this machine, and reaches what listens at every address. */
  @Test
  void nothingListensBeyondTheAddress() throws IOException {
    InetAddress other = InetAddress.getByAddress(new byte[] {127, 0, 0, 2});

    try (Socket there = new Socket(InetAddress.getLoopbackAddress(), port)) {
      assertThat(there.isConnected()).isTrue();
    }
    assertThatThrownBy(() -> new Socket(other, port).close()).isInstanceOf(IOException.class);
  }
}
