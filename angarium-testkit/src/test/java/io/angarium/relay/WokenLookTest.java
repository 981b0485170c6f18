package io.angarium.relay;

import static io.angarium.relay.RelayFixture.message;
import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.Destination;
import io.angarium.intake.Partitioning;
import io.angarium.intake.Position;
import io.angarium.simulation.Planted;
import io.angarium.store.LateRows;
import io.angarium.store.OutboxStore;
import io.angarium.store.ReadLimit;
import io.angarium.store.ReadRows;
import io.angarium.store.SequenceRange;
import io.angarium.store.Snapshot;
import io.angarium.testkit.fake.FakeTransport;
import io.angarium.testkit.memory.Tx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What a look at a partition costs that a commit was announced for, and in which order it sends.
 */
class WokenLookTest {
  private static final int WINDOW = 1 << 20;

  private final RelayFixture world = new RelayFixture(FakeTransport.pipelined()).window(WINDOW);
  private final List<String> asked = new ArrayList<>();
  private Duration readTakes = Duration.ZERO;
  private final Relay relay = world.storedIn(new Asked(world.database.outboxStore())).local();

  /** Notes what the relay asks for. */
  private final class Asked extends Planted {
    Asked(OutboxStore store) {
      super(store);
    }

    @Override
    public ReadRows read(List<SequenceRange> wanted, ReadLimit limit) {
      asked.add("read");
      world.clock.advance(readTakes);
      return super.read(wanted, limit);
    }

    @Override
    public LateRows readLate(
        List<SequenceRange> wanted,
        @Nullable Snapshot since,
        ReadLimit limit,
        Predicate<Position> known) {
      asked.add("late");
      return super.readLate(wanted, since, limit, known);
    }

    @Override
    public long lastSequence() {
      asked.add("last");
      return super.lastSequence();
    }
  }

  /** Polls and periodic looks are further away than what the tests do takes. */
  @BeforeEach
  void comeToRest() {
    world.settle(relay);
    world.pass(Duration.ofSeconds(10), relay);
    asked.clear();
  }

  private void announced(String text) {
    world.send("k", text);
    world.settle(relay);
  }

  /** Rows of a key that get their numbers before others of their partition are sent. */
  private Tx late(int messages, int bytes) {
    Tx late = world.database.begin();
    IntStream.rangeClosed(1, messages)
        .forEach(i -> late.outbox().send(message("k", text("k" + i, bytes))));
    world.send(neighbourOf("k"), "other");
    world.settle(relay);
    asked.clear();
    return late;
  }

  private static String text(String name, int bytes) {
    return name + " ".repeat(Math.max(0, bytes - name.length()));
  }

  private List<String> received() {
    return world.received().stream().map(String::strip).toList();
  }

  private String neighbourOf(String key) {
    Partitioning partitioning = world.database.partitioning();
    int partition = partitioning.ofKeyHash(hash(key));
    return IntStream.range(0, 1_000)
        .mapToObj(i -> "n" + i)
        .filter(n -> partitioning.ofKeyHash(hash(n)) == partition)
        .findFirst()
        .orElseThrow();
  }

  private static long hash(String key) {
    return Partitioning.keyHash(Destination.parse(RelayFixture.ORDERS), key);
  }

  @Test
  void lookBelowTheCursorNeedsNoReadOfItsOwn() {
    announced("k1");
    asked.clear();

    announced("k2");

    assertThat(asked).containsExactly("read");
    assertThat(received()).containsExactly("k1", "k2");
  }

  @Test
  void nextLookWaitsForAsLongAsTheLastOneTook() {
    readTakes = Duration.ofMillis(3);
    announced("k1");
    asked.clear();

    announced("k2");
    world.clock.advance(Duration.ofMillis(2));
    announced("k3");

    assertThat(asked).isEmpty();
    world.clock.advance(Duration.ofMillis(1));
    world.settle(relay);
    assertThat(asked).containsExactly("read");
    assertThat(received()).containsExactly("k1", "k2", "k3");
  }

  @Test
  void lookBehindAPauseIsMadeAtOnce() {
    readTakes = Duration.ofMillis(1);
    announced("k1");
    world.clock.advance(Duration.ofMillis(1));
    asked.clear();

    announced("k2");

    assertThat(asked).containsExactly("read");
  }

  @Test
  void lateRowIsSentBeforeTheNextOneOfItsKey() {
    Tx late = late(1, 10);

    late.commit();
    announced("k2");

    assertThat(asked).containsExactly("read");
    assertThat(received()).containsExactly("other", "k1", "k2");
  }

  @Test
  void lateRowsThatALimitCutsAreAllSentBeforeTheNextOneOfTheirKey() {
    Tx late = late(10, WINDOW / 5);

    late.commit();
    announced("k11");

    assertThat(received()).hasSize(12).doesNotHaveDuplicates().startsWith("other", "k1", "k2");
    assertThat(received()).endsWith("k8", "k9", "k10", "k11");
    assertThat(world.database.unsent()).isEmpty();
  }

  @Test
  void rowsInFlightAreNotSentTwice() {
    world.send("k", "k1");
    relay.runOnce(Relay.Step.SEND);
    relay.runOnce(Relay.Step.SEND); // acknowledged; its row is still there
    world.send("k", "k2");
    relay.runOnce(Relay.Step.SEND);

    assertThat(asked).doesNotContain("late");
    assertThat(world.received()).containsExactly("k1", "k2");
  }

  @Test
  void manyRowsInFlightAreNotReadAgain() {
    for (int i = 0; i < 40; i++) {
      world.send("k", "k" + i);
    }
    relay.runOnce(Relay.Step.SEND);
    asked.clear();

    world.send("k", "next");
    relay.runOnce(Relay.Step.SEND);

    assertThat(asked).containsExactly("read", "late");
    assertThat(world.received()).hasSize(41).endsWith("next");
  }

  @Test
  void largePayloadsInFlightAreNotReadAgain() {
    world.send("k", text("k1", WINDOW / 3));
    relay.runOnce(Relay.Step.SEND);
    asked.clear();

    world.send("k", "k2");
    relay.runOnce(Relay.Step.SEND);

    assertThat(asked).containsExactly("read", "late");
    assertThat(received()).containsExactly("k1", "k2");
  }

  @Test
  void rowsHeldForADestinationAreNotReadAgain() {
    world.transport.unavailable(RelayFixture.ORDERS, true);
    announced("k1");
    asked.clear();

    announced("k2");

    assertThat(asked).startsWith("read", "late");
    assertThat(world.received()).isEmpty();
    world.transport.unavailable(RelayFixture.ORDERS, false);
    world.pass(Duration.ofMinutes(2), relay);
    assertThat(received()).containsExactly("k1", "k2");
  }

  @Test
  void floorFarBehindIsNotWhereALookBegins() {
    Tx open = world.database.begin();
    open.outbox().send(message(neighbourOf("k"), "open"));
    for (int i = 0; i < 1_100; i++) {
      world.send("k", "k" + i);
    }
    world.pass(Duration.ofSeconds(10), relay);
    asked.clear();

    announced("next");

    assertThat(asked).containsExactly("read", "late");
    open.commit();
  }
}
