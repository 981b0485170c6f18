package io.angarium.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.testkit.fake.FakeTransport;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** A retry comes when its pause is over, though writes are gathered and the relay rests between. */
class RetryTimesTest {
  private static final Duration STEP = Duration.ofMillis(5);
  private static final Duration LATE_MAX = Duration.ofMillis(50);

  private final RelayFixture world = new RelayFixture(FakeTransport.pipelined());
  private final Relay relay = world.local();
  private final Map<String, List<Instant>> attempts = new TreeMap<>();

  @Test
  void pausesOfOneKeyAreKept() {
    poison();
    world.send("a", "a1");

    run(Duration.ofSeconds(8));

    assertPauses("a1", 1, 2, 4);
  }

  @Test
  void pausesOfKeysThatFailInTurnAreKept() {
    poison();
    world.send("a", "a1");
    run(Duration.ofMillis(630));
    world.send("b", "b1");
    run(Duration.ofMillis(700));
    world.send("c", "c1");

    run(Duration.ofSeconds(8));

    assertPauses("a1", 1, 2, 4);
    assertPauses("b1", 1, 2, 4);
    assertPauses("c1", 1, 2, 4);
  }

  private void poison() {
    world.settle(relay);
    world.transport.failWhile(
        row ->
            attempts
                .computeIfAbsent(RelayFixture.text(row.message()), t -> new ArrayList<>())
                .add(world.clock.instant()));
  }

  /** In the steps of a relay's threads, which do not write at once what they gather. */
  private void run(Duration time) {
    for (Duration t = Duration.ZERO; t.compareTo(time) < 0; t = t.plus(STEP)) {
      world.clock.advance(STEP);
      relay.runOnce(Relay.Step.BEAT);
      while (relay.runOnce(Relay.Step.SEND)) {
        // on
      }
      relay.runOnce(Relay.Step.DELETE);
    }
  }

  private void assertPauses(String text, long... seconds) {
    List<Instant> times = attempts.get(text);
    assertThat(times).hasSize(seconds.length + 1);
    for (int i = 0; i < seconds.length; i++) {
      assertThat(Duration.between(times.get(i), times.get(i + 1)))
          .as("pause %d of %s", i + 1, text)
          .isBetween(Duration.ofSeconds(seconds[i]), Duration.ofSeconds(seconds[i]).plus(LATE_MAX));
    }
  }
}
