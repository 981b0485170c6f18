package io.angarium.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.Message;
import io.angarium.intake.Handover;
import io.angarium.testkit.fake.FakeTransport;
import io.angarium.testkit.memory.Tx;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Delayed messages leave when they are due, whether they have a key or not. */
class DelayedTimesTest {
  private static final Duration LATE_MAX = Duration.ofMillis(100);
  private static final Duration STEP = Duration.ofMillis(10);
  private static final List<Integer> DELAYS =
      List.of(1, 60, 300, 310, 990, 1_000, 1_700, 2_500, 2_505, 9_000);

  private final RelayFixture world = new RelayFixture(FakeTransport.pipelined());
  private final Relay relay = world.local();
  private final Map<String, Instant> due = new HashMap<>();
  private final Map<String, Instant> sent = new HashMap<>();

  @Test
  void thoseOfThisProcessLeaveAtOnceHoweverShortTheDelay() {
    rest();
    DELAYS.forEach(
        delay -> {
          world.send(delayed("k", delay));
          world.send(delayed(null, delay));
        });

    pass(Duration.ofSeconds(10));

    assertSentInTime();
  }

  @Test
  void thoseOfOthersLeaveAtOnceIfTheDelayIsNoShorterThanAnIdlePause() {
    rest();
    DELAYS.stream()
        .filter(delay -> delay >= 1_000)
        .forEach(
            delay -> {
              try (Tx elsewhere = world.database.begin(Handover.NONE)) {
                elsewhere.outbox().send(delayed("k", delay));
                elsewhere.outbox().send(delayed(null, delay));
                elsewhere.commit();
              }
            });

    pass(Duration.ofSeconds(10));

    assertSentInTime();
  }

  @Test
  void retriesOfOthersKeepNoneBack() {
    rest();
    world.transport.failNext(1);
    world.send("poison", "poison");
    world.settle(relay);
    DELAYS.forEach(delay -> world.send(delayed(null, delay)));

    pass(Duration.ofSeconds(10));

    assertSentInTime();
  }

  private void rest() {
    world.settle(relay);
    pass(Duration.ofMillis(4_330));
  }

  private Message delayed(String key, int millis) {
    String text = key + " in " + millis;
    Instant at = world.clock.instant().plusMillis(millis);
    due.put(text, at);
    return RelayFixture.message(key, text).notBefore(at);
  }

  private void pass(Duration time) {
    Instant end = world.clock.instant().plus(time);
    while (world.clock.instant().isBefore(end)) {
      world.clock.advance(STEP);
      world.settle(relay);
      world.received().forEach(text -> sent.putIfAbsent(text, world.clock.instant()));
    }
  }

  private void assertSentInTime() {
    assertThat(sent).containsKeys(due.keySet().toArray(String[]::new));
    due.forEach((text, at) -> assertThat(sent.get(text)).as(text).isBetween(at, at.plus(LATE_MAX)));
    assertThat(world.received()).doesNotHaveDuplicates();
  }
}
