package io.angarium.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.example.trustmessage.middlewareapi.common.MessageResponse;
import com.example.trustmessage.middlewareapi.common.MiddlewareMessage;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessages;
import io.angarium.half.HalfState;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.dubbo.rpc.RpcException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How much TrustMessage's callers may send, and how often, over real Dubbo. */
public class ServerDubboLimitsTest {
  private static final String DUBBO = "angarium.server.dubbo.";

  private final int port = DubboShop.freePort();
  private final DubboShop shop = new DubboShop(port, (business, key) -> 1);
  private final List<ServerUnderTest> started = new ArrayList<>();

  @AfterEach
  void stop() {
    shop.close();
    started.forEach(ServerUnderTest::close);
  }

  private void start(String... limits) {
    List<String> properties =
        new ArrayList<>(
            List.of(
                "angarium.relay.enabled=false",
                DUBBO + "enabled=true",
                DUBBO + "port=" + port,
                DUBBO + "forward-transport=log",
                DUBBO + "businesses=*",
                DUBBO + "destinations=log:*",
                "angarium.server.check-back.dubbo.allowed-addresses=" + shop.address()));
    properties.addAll(List.of(limits));
    started.add(ServerUnderTest.open(properties.toArray(String[]::new)));
  }

  private MiddlewareMessage message(String key, String topic, String payload) {
    MiddlewareMessage message = DubboShop.message(key, topic, shop.address());
    message.setMessage(payload);
    return message;
  }

  private HalfState state(String key) {
    return started.get(0).bean(HalfMessages.class).state(new HalfKey("7", key));
  }

  private void assertAccepted(String key, String payload) {
    MessageResponse response = shop.centre().prepareMessage(message(key, "orders", payload));

    assertThat(response.getCode()).as(response.toString()).isEqualTo(200);
    assertThat(state(key)).isEqualTo(HalfState.PREPARED);
  }

  private String refusal(String key, MiddlewareMessage message) {
    MessageResponse response = shop.centre().prepareMessage(message);

    assertThat(response.getCode()).as(response.toString()).isEqualTo(1000);
    assertThat(state(key)).isEqualTo(HalfState.UNKNOWN);
    return String.valueOf(response.getMessage());
  }

  @Test
  void payloadBeyondItsLimitIsRefusedWithSizeAndLimit() {
    start(DUBBO + "payload-max=10B");

    assertAccepted("ten", "0123456789");
    assertThat(refusal("eleven", message("eleven", "orders", "0123456789a")))
        .contains("payload of 11 bytes (expected: at most 10", DUBBO + "payload-max");
    assertThat(refusal("in UTF-8", message("in UTF-8", "orders", "\u00fc".repeat(6))))
        .contains("payload of 12 bytes (expected: at most 10");
  }

  /** However long the rest of the message is, of which an answer has the beginning only. */
  @Test
  void withoutALimitOfItsOwnThatOfAllMessagesHolds() {
    start("angarium.limits.payload=1KB");
    MiddlewareMessage large = message("large", "t".repeat(200), "x".repeat(1_025));
    large.setForwardKey("k".repeat(500));

    assertAccepted("small", "x".repeat(1_024));
    assertThat(refusal("large", large))
        .contains("payload of 1025 bytes (expected: at most 1024", "angarium.limits.payload");
  }

  @Test
  void limitOfItsOwnDoesNotRaiseThatOfAllMessages() {
    start("angarium.limits.payload=1KB", DUBBO + "payload-max=1MB");

    assertThat(refusal("large", message("large", "orders", "x".repeat(1_025))))
        .contains("payload of 1025 bytes (expected: at most 1024");
  }

  @Test
  void callsBeyondTheRateHaveNoEffectAndAreTakenWhenTheyComeAgain() {
    start(DUBBO + "rate=1");
    int calls = 0;
    RpcException refused = null;
    while (refused == null && calls < 100) { // a call in a second would have to take that long
      calls++;
      refused = refused("" + calls);
    }

    assertThat(refused)
        .isNotNull()
        .hasMessageContaining("127.0.0.1 makes more calls in a second than " + DUBBO + "rate")
        .hasMessageContaining("nothing took effect, repeat the call in ")
        .rootCause() // Dubbo's client wraps what comes from the other side
        .isInstanceOfSatisfying(
            RpcException.class, cause -> assertThat(cause.isLimitExceed()).isTrue());
    assertThat(state("" + calls)).isEqualTo(HalfState.UNKNOWN);
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (refused("" + calls) != null) {
      assertThat(System.nanoTime()).isLessThan(deadline);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
    }
    assertThat(state("" + calls)).isEqualTo(HalfState.PREPARED);
  }

  @Test
  void businessWithTooManyUndecidedIsRefusedLikeOneAboveTheRate() {
    start("angarium.server.undecided-max=1");
    assertAccepted("1", "paid");

    assertThat(refused("2"))
        .isNotNull()
        .hasMessageContaining("business 7 has 1 undecided half messages")
        .rootCause()
        .isInstanceOfSatisfying(
            RpcException.class, cause -> assertThat(cause.isLimitExceed()).isTrue());
    assertThat(state("2")).isEqualTo(HalfState.UNKNOWN);
  }

  /** Null if it is taken. */
  private RpcException refused(String key) {
    try {
      assertAccepted(key, "paid");
      return null;
    } catch (RpcException e) {
      return e;
    }
  }

  @Test
  void withoutARateThereMayBeAnyNumberOfCalls() {
    start();
    for (int i = 0; i < 300; i++) {
      assertAccepted("" + i, "paid");
    }
  }
}
