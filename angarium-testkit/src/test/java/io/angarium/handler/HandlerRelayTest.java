package io.angarium.handler;

import static io.angarium.handler.HandlerScene.text;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.Message;
import io.angarium.TimeSource;
import io.angarium.intake.Partitioning;
import io.angarium.relay.Relay;
import io.angarium.relay.settings.CircuitTiming;
import io.angarium.relay.settings.DestinationPolicy;
import io.angarium.relay.settings.DestinationPolicy.OnDead;
import io.angarium.relay.settings.ExponentialBackoff;
import io.angarium.testkit.ManualClock;
import io.angarium.testkit.memory.InMemoryDatabase;
import io.angarium.testkit.memory.InMemoryInbox;
import io.angarium.testkit.memory.Tx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Handlers behind a relay, from the commit of a message to that of its handler. */
class HandlerRelayTest {
  private final ManualClock clock = ManualClock.create();
  private final InMemoryDatabase database = InMemoryDatabase.create(clock, new Partitioning(8, 2));
  private final InMemoryInbox inbox = new InMemoryInbox();
  private final Map<String, Integer> calls = new ConcurrentHashMap<>();
  private final Random random = new Random(1);
  private final HandlerTransport<List<String>> transport =
      HandlerTransport.open(
          inbox, List.of(NamedHandler.of("orders", this::handle)), HandlerConfig.DEFAULTS);
  private final Relay relay =
      Relay.builder(database.outboxStore(), database.leaseStore())
          .transport(transport)
          .policies(
              destination ->
                  new DestinationPolicy(
                      new ExponentialBackoff(
                          new ExponentialBackoff.Timing(
                              Duration.ofSeconds(1), 2, Duration.ofSeconds(2), 0, 6),
                          random::nextLong),
                      OnDead.SKIP,
                      CircuitTiming.DEFAULTS))
          .time(clock)
          .build();

  @AfterEach
  void close() {
    relay.close();
    transport.close();
  }

  /** Every third message fails twice, and one is refused. */
  private void handle(List<String> writes, Delivery delivery) {
    String text = text(delivery);
    int number = Integer.parseInt(text.substring(text.indexOf(' ') + 1));
    int call = calls.merge(text, 1, Integer::sum);
    writes.add(text);
    if (number == 13) {
      throw new RefusedByHandlerException("unlucky");
    }
    if (number % 3 == 0 && call <= 2) {
      throw new IllegalStateException("planned");
    }
  }

  @Test
  void messagesOfAKeyTakeEffectOnceAndInTheirOrder() {
    int keys = 5;
    int perKey = 20;
    for (int number = 0; number < perKey; number++) {
      for (int key = 0; key < keys; key++) {
        send("key-" + key, "key-" + key + " " + number);
      }
    }

    runUntil(() -> database.dead().size() == keys && isEmpty());

    Map<String, List<String>> expected = new HashMap<>();
    for (int key = 0; key < keys; key++) {
      List<String> ofKey = expected.computeIfAbsent("key-" + key, k -> new ArrayList<>());
      for (int number = 0; number < perKey; number++) {
        if (number != 13) {
          ofKey.add("key-" + key + " " + number);
        }
      }
    }
    assertThat(effects()).isEqualTo(expected);
  }

  @Test
  void outageOfTheDatabaseOfTheInboxCostsNoAttemptAndLosesNothing() {
    inbox.unreachable(true);
    for (int number = 1; number < 30; number += 3) {
      send("key", "key " + number);
    }
    runFor(Duration.ofMinutes(2));
    assertThat(calls).isEmpty();

    inbox.unreachable(false);
    runUntil(this::isEmpty);

    assertThat(effects().get("key")).hasSize(9).doesNotContain("key 13");
    assertThat(database.dead()).hasSize(1);
    assertThat(database.dead().get(0).reason()).contains("unlucky");
  }

  @Test
  void messageOfAHandlerThatIsNotHereIsADeadLetterAfterItsAttempts() {
    try (Tx tx = database.begin()) {
      tx.outbox().send(Message.of("handler:nobody", new byte[0]));
      tx.commit();
    }

    runUntil(() -> database.dead().size() == 1);

    assertThat(database.dead().get(0).reason()).contains("no handler 'nobody'");
    assertThat(database.dead().get(0).message().attempts()).isEqualTo(6);
  }

  private Map<String, List<String>> effects() {
    Map<String, List<String>> effects = new HashMap<>();
    for (String line : inbox.written()) {
      String key = line.substring(0, line.indexOf(' '));
      effects.computeIfAbsent(key, k -> new ArrayList<>()).add(line);
    }
    return effects;
  }

  private boolean isEmpty() {
    return database.unsent().isEmpty() && database.parked().isEmpty();
  }

  private void send(String key, String text) {
    try (Tx tx = database.begin()) {
      tx.outbox().send(Message.of("handler:orders", text.getBytes(UTF_8)).key(key));
      tx.commit();
    }
  }

  private void runFor(Duration time) {
    for (Duration t = Duration.ZERO; t.compareTo(time) < 0; t = t.plusMillis(200)) {
      step();
    }
  }

  private void runUntil(BooleanSupplier done) {
    long deadline = TimeSource.SYSTEM.nanoTime() + HandlerScene.PATIENCE.toNanos();
    while (!done.getAsBoolean()) {
      step();
      assertThat(TimeSource.SYSTEM.nanoTime()).as("in time").isLessThan(deadline);
    }
  }

  /** Handlers run on threads of their own: they get a moment of real time in each step. */
  private void step() {
    clock.advance(Duration.ofMillis(200));
    for (int i = 0; i < 5; i++) {
      relay.runOnce();
      LockSupport.parkNanos(200_000);
    }
  }
}
