package io.angarium.server.dubbo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.half.HalfCall;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfState;
import io.angarium.half.WhenUnknown;
import io.angarium.server.ServerDubboLimitsTest;
import io.angarium.testkit.ManualClock;
import io.angarium.testkit.memory.InMemoryHalfMessages;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import org.apache.dubbo.rpc.RpcContext;
import org.apache.dubbo.rpc.RpcException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The rate of each address; {@link ServerDubboLimitsTest} has it over real Dubbo. */
class PacedHalfMessagesTest {
  private static final int RATE = 5;

  private final ManualClock clock = ManualClock.create();
  private final InMemoryHalfMessages half = new InMemoryHalfMessages(clock);
  private final PacedHalfMessages paced = new PacedHalfMessages(half, RATE, clock);

  @AfterEach
  void leave() {
    RpcContext.removeServiceContext();
  }

  private static void comeFrom(@Nullable String address, int port) {
    RpcContext.getServiceContext()
        .setRemoteAddress(address == null ? null : new InetSocketAddress(address, port));
  }

  private static List<HalfCall> decisionFor(String key) {
    return List.of(new HalfCall.Commit(new HalfKey("7", key), WhenUnknown.REMEMBER));
  }

  private void useUp() {
    for (int i = 0; i < RATE; i++) {
      paced.callAll(decisionFor("" + i));
    }
  }

  private void assertRefused() {
    assertThatThrownBy(() -> paced.callAll(decisionFor("refused")))
        .isInstanceOf(RpcException.class)
        .hasMessageContaining("nothing took effect");
    assertThat(half.state(new HalfKey("7", "refused"))).isEqualTo(HalfState.UNKNOWN);
  }

  private void assertTaken(String key) {
    paced.callAll(decisionFor(key));
    assertThat(half.state(new HalfKey("7", key))).isEqualTo(HalfState.COMMIT_REMEMBERED);
  }

  @Test
  void addressHasOneRateWhateverItsConnections() {
    comeFrom("10.0.0.7", 1);
    useUp();
    comeFrom("10.0.0.7", 2);

    assertRefused();
  }

  @Test
  void addressDoesNotUseUpTheRateOfAnother() {
    comeFrom("10.0.0.7", 1);
    useUp();
    assertRefused();

    comeFrom("10.0.0.8", 1);
    assertTaken("of another");
  }

  @Test
  void whatIsRefusedIsTakenAfterThePauseThatWasTold() {
    comeFrom("10.0.0.7", 1);
    useUp();
    assertRefused();

    clock.advance(Duration.ofMillis(1));
    assertTaken("again");
    assertThatThrownBy(() -> paced.callAll(decisionFor("again")))
        .hasMessageContaining("10.0.0.7 makes more calls")
        .hasMessageContaining("repeat the call in 200ms");
  }

  @Test
  void callersWithoutAnAddressShareOneRate() {
    comeFrom(null, 0);
    useUp();

    assertRefused();
  }

  @Test
  void questionsCountLikewise() {
    comeFrom("10.0.0.7", 1);
    useUp();

    assertThatThrownBy(() -> paced.state(new HalfKey("7", "1"))).isInstanceOf(RpcException.class);
  }
}
