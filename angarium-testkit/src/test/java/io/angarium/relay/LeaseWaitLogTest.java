package io.angarium.relay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.testkit.fake.FakeTransport;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/** Whoever starts a node after a crash reads in the log why it sends nothing yet. */
@ResourceLock(Resources.SYSTEM_ERR)
class LeaseWaitLogTest {
  private static final Duration LEASE_IS_OVER = Duration.ofSeconds(40);

  private final RelayFixture world = new RelayFixture(FakeTransport.pipelined());
  private final Relay a = world.relay("a");
  private final Relay b = world.relay("b");
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

  @Test
  void waitForTheLeasesOfADeadNodeIsToldOnce() {
    world.settle(a);
    world.send("k", "1");

    world.pass(LEASE_IS_OVER, b);

    assertThat(world.received()).containsExactly("1");
    assertThat(waits()).hasSize(1).allMatch(line -> line.contains("partitions of {a="));
  }

  @Test
  void handOverBetweenLiveNodesIsNotTold() {
    world.settle(a);

    world.pass(LEASE_IS_OVER, a, b);

    assertThat(waits()).isEmpty();
  }

  private List<String> waits() {
    return log.toString(UTF_8).lines().filter(line -> line.contains(" waits for ")).toList();
  }
}
