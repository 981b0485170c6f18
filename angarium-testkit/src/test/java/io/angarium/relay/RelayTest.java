package io.angarium.relay;

import static io.angarium.relay.RelayFixture.ORDERS;
import static io.angarium.relay.RelayFixture.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.ConfigurationException;
import io.angarium.Destination;
import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.intake.CommittedMessages;
import io.angarium.intake.Handover;
import io.angarium.intake.Partitioning;
import io.angarium.intake.Position;
import io.angarium.intake.StoredMessage;
import io.angarium.relay.settings.DestinationPolicy;
import io.angarium.relay.settings.RelayConfig;
import io.angarium.simulation.Planted;
import io.angarium.store.OutboxStore;
import io.angarium.store.ReadLimit;
import io.angarium.store.ReadRows;
import io.angarium.store.SequenceRange;
import io.angarium.store.lease.NodeIdInUseException;
import io.angarium.testkit.fake.FakeTransport;
import io.angarium.testkit.memory.InMemoryDatabase;
import io.angarium.testkit.memory.StoreCall;
import io.angarium.testkit.memory.Tx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RelayTest {
  private final RelayFixture world = new RelayFixture(FakeTransport.pipelined());
  private final Relay relay = world.local();

  @Test
  void aKeylessMessageIsSentStraightAfterItsCommitAndDeleted() {
    world.settle(relay);

    world.send(null, "one");
    world.settle(relay);

    assertThat(world.received()).containsExactly("one");
    assertThat(world.events).containsExactly("sent one PROMPT");
    assertThat(world.database.unsent()).isEmpty();
  }

  @Test
  void aKeyedMessageIsSentByItsWokenOwnerWithoutWaitingForAPoll() {
    world.settle(relay);
    world.pass(Duration.ofSeconds(5), relay); // polls are a second apart by now

    world.send("k", "one");
    world.settle(relay);

    assertThat(world.received()).containsExactly("one");
    assertThat(world.events).containsExactly("sent one PROMPT");
  }

  @Test
  void wakeMakesTheRelayLookAtOnce() {
    world.settle(relay);
    world.pass(Duration.ofSeconds(5), relay); // polls are a second apart by now
    try (Tx tx = world.database.begin(Handover.NONE)) {
      tx.outbox().send(message("k", "one"));
      tx.commit();
    }
    world.settle(relay);
    assertThat(world.received()).isEmpty();

    relay.wake();
    world.settle(relay);

    assertThat(world.received()).containsExactly("one");
  }

  @Test
  void aRolledBackMessageIsNeverSent() {
    world.settle(relay);

    try (Tx tx = world.database.begin()) {
      tx.outbox().send(message("k", "never"));
      tx.outbox().send(message(null, "never"));
    }
    world.send("k", "one");
    world.pass(Duration.ofMinutes(2), relay);

    assertThat(world.received()).containsExactly("one");
  }

  @Test
  void keylessMessagesThatNobodyHandedOverAreSentAfterTheGrace() {
    try (Tx tx = world.database.begin(Handover.NONE)) {
      tx.outbox().send(message(null, "left behind"));
      tx.commit();
    }

    world.pass(Duration.ofMillis(2_900), relay);
    assertThat(world.received()).isEmpty();
    world.pass(Duration.ofMillis(1_500), relay);

    assertThat(world.received()).containsExactly("left behind");
    assertThat(world.events).containsExactly("sent left behind COMPENSATED");
  }

  /** As those of a connection whose transactions are the application's. */
  @Test
  void ofKeylessMessagesThatMayBeGoneThoseThatAreThereAreSentAtOnce() {
    world.settle(relay);
    try (Tx tx = world.database.begin(Handover.NONE)) {
      tx.outbox().sendAll(List.of(message(null, "there"), message(null, "there, too")));
      tx.commit();
    }
    Set<Position> places = new HashSet<>();
    for (StoredMessage row : world.database.unsent()) {
      places.add(row.position());
      places.add(new Position(row.position().partition(), row.position().sequence() + 1_000));
    }

    relay.committed(
        new CommittedMessages(Set.of(), List.of(), places, world.database.outboxStore().source()),
        Duration.ZERO);
    world.settle(relay);

    assertThat(world.received()).containsExactlyInAnyOrder("there", "there, too");
    world.pass(Duration.ofSeconds(5), relay);
    assertThat(world.received()).hasSize(2);
    assertThat(world.events).allMatch(event -> event.endsWith("PROMPT")).hasSize(2);
  }

  /** The owner may be sending them already. */
  @Test
  void placesWhoseReadTakesLongAreLeftToTheOwner() {
    OutboxStore slow =
        new Planted(world.database.outboxStore()) {
          @Override
          public ReadRows read(List<SequenceRange> spans, ReadLimit limit) {
            ReadRows read = super.read(spans, limit);
            if (!read.rows().isEmpty()) {
              world.clock.advance(Duration.ofMillis(1_600)); // more than half the grace
            }
            return read;
          }
        };
    Relay other = world.storedIn(slow).relay("slow");
    world.settle(other);
    try (Tx tx = world.database.begin(Handover.NONE)) {
      tx.outbox().send(message(null, "late"));
      tx.commit();
    }
    StoredMessage row = world.database.unsent().get(0);

    other.committed(
        new CommittedMessages(Set.of(), List.of(), Set.of(row.position()), slow.source()),
        Duration.ZERO);
    other.runOnce(Relay.Step.SEND);

    assertThat(world.received()).isEmpty();
  }

  /** Of another database at the same places: they would be deleted here, unsent. */
  @Test
  void handOverOfAnotherOutboxIsLeftToItsOwnRelay() {
    world.settle(relay);
    InMemoryDatabase other =
        InMemoryDatabase.create(world.clock, world.database.partitioning()).handover(relay);
    try (Tx tx = other.begin()) {
      tx.outbox().sendAll(List.of(message(null, "foreign"), message("k", "foreign")));
      tx.commit();
    }
    try (Tx tx = world.database.begin(Handover.NONE)) {
      tx.outbox().sendAll(List.of(message(null, "own"), message(null, "own, too")));
      tx.commit();
    }
    Set<Position> places =
        Set.copyOf(world.database.unsent().stream().map(StoredMessage::position).toList());
    relay.committed(
        new CommittedMessages(Set.of(), List.of(), places, other.outboxStore().source()),
        Duration.ZERO);
    world.settle(relay);
    assertThat(world.received()).isEmpty();

    world.pass(Duration.ofSeconds(5), relay);

    assertThat(world.received()).containsExactlyInAnyOrder("own", "own, too");
    assertThat(world.database.unsent()).isEmpty();
    assertThat(other.unsent()).hasSize(2);
  }

  @Test
  void keylessMessageHandedOverLateIsLeftToTheOwnerWhoMaySendItAlready() {
    world.settle(relay);
    try (Tx tx = world.database.begin()) {
      tx.outbox().send(message(null, "slow commit"));
      world.clock.advance(Duration.ofMillis(1_600)); // more than half the grace
      tx.commit();
    }

    world.settle(relay);
    assertThat(world.received()).isEmpty();
    world.pass(Duration.ofSeconds(4), relay);

    assertThat(world.received()).containsExactly("slow commit");
    assertThat(world.events).containsExactly("sent slow commit COMPENSATED");
  }

  @Test
  void aBacklogIsDrainedInTheOrderOfEachKey() {
    for (int i = 0; i < 30_000; i++) {
      world.send(i % 10 == 0 ? null : "k" + i % 100, "k" + i % 100 + ":" + i);
    }

    world.pass(Duration.ofSeconds(6), relay);

    assertThat(world.received()).hasSize(30_000).doesNotHaveDuplicates();
    assertInOrderPerKey(world.received());
    assertThat(world.database.unsent()).isEmpty();
  }

  private static void assertInOrderPerKey(List<String> received) {
    Map<String, Integer> last = new HashMap<>();
    for (String text : received) {
      String key = text.substring(0, text.indexOf(':'));
      int number = Integer.parseInt(text.substring(text.indexOf(':') + 1));
      if (!key.endsWith("0")) { // keyless ones have no order
        assertThat(last.getOrDefault(key, -1)).as("before " + text).isLessThan(number);
        last.put(key, number);
      }
    }
  }

  @Test
  void aRowCommittedBelowTheCursorIsFound() {
    Tx late = world.database.begin();
    late.outbox().send(message("k", "late"));
    late.outbox().send(message(null, "late keyless"));
    world.send("k", "early");
    world.pass(Duration.ofSeconds(1), relay);
    assertThat(world.received()).containsExactly("early");

    late.commit();
    world.pass(Duration.ofMillis(400), relay);

    assertThat(world.received()).containsExactlyInAnyOrder("early", "late", "late keyless");
  }

  /**
   * Found by killing processes: the late look came only every 200 ms, new rows were read sooner.
   */
  @Test
  void aRowCommittedBelowTheCursorIsNotOvertakenByALaterOneOfItsKey() {
    world.settle(relay);
    Tx late = world.database.begin();
    late.outbox().send(message("k", "k1"));
    world.send(neighbourOf("k"), "other");
    world.settle(relay);
    assertThat(world.received()).containsExactly("other");

    late.commit();
    world.send("k", "k2");
    world.settle(relay);

    assertThat(world.received()).containsExactly("other", "k1", "k2");
  }

  private String neighbourOf(String key) {
    Destination orders = Destination.parse(ORDERS);
    Partitioning partitioning = world.database.partitioning();
    int partition = partitioning.ofKeyHash(Partitioning.keyHash(orders, key));
    return IntStream.range(0, 1_000)
        .mapToObj(i -> "n" + i)
        .filter(n -> partitioning.ofKeyHash(Partitioning.keyHash(orders, n)) == partition)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aRowWhoseTransactionStayedOpenForAnHourIsFoundAtOnce() {
    Tx late = world.database.begin();
    late.outbox().send(message("k", "late"));
    world.send("k", "early");
    for (int i = 0; i < 60; i++) {
      world.clock.advance(Duration.ofSeconds(2));
      world.settle(relay);
      world.send("k", "m" + i);
    }

    late.commit();
    world.pass(Duration.ofMillis(400), relay);

    assertThat(world.received()).contains("late").hasSize(62);
  }

  @Test
  void theMessagesBehindAFailedOneWaitAndOtherKeysGoOn() {
    world.settle(relay);
    world.transport.failWhile(row -> RelayFixture.text(row.message()).equals("k1"));

    world.send("k", "k1");
    world.send("k", "k2");
    world.send("j", "j1");
    world.settle(relay);
    world.send("k", "k3");
    world.settle(relay);

    assertThat(world.received()).containsExactly("j1");
    world.transport.heal();
    world.pass(Duration.ofSeconds(3), relay);
    assertThat(world.received()).containsExactly("j1", "k1", "k2", "k3");
    assertThat(world.database.parked()).isEmpty();
    world.send("k", "k4");
    world.settle(relay);
    assertThat(world.received()).endsWith("k4");
  }

  @Test
  void aMessageThatFailsToTheLimitBecomesADeadLetterAndItsKeyGoesOn() {
    world.settle(relay);
    world.transport.failWhile(row -> RelayFixture.text(row.message()).equals("k1"));

    world.send("k", "k1");
    world.send("k", "k2");
    world.pass(Duration.ofSeconds(20), relay);

    assertThat(world.received()).containsExactly("k2");
    assertThat(world.database.dead())
        .singleElement()
        .satisfies(dead -> assertThat(dead.message().attempts()).isEqualTo(4));
    assertThat(world.events).containsExactly("dead k1", "sent k2 RETRIED");
  }

  @Test
  void aRefusedMessageIsDeadAtOnceAndItsKeyGoesOn() {
    world.settle(relay);
    world.transport.refuseWhile(row -> RelayFixture.text(row.message()).equals("k1"));

    world.send("k", "k1");
    world.send("k", "k2");
    world.send(null, "free");
    world.settle(relay);

    assertThat(world.received()).containsExactlyInAnyOrder("k2", "free");
    assertThat(world.database.dead()).hasSize(1);
    assertThat(world.database.parked()).isEmpty();
  }

  @Test
  void aKeyBlockedByADeadLetterGoesOnAfterTheRequeueInTheOldOrder() {
    world.onDead(DestinationPolicy.OnDead.BLOCK_KEY);
    world.settle(relay);
    world.transport.refuseNext(1);
    MessageId dead = world.send("k", "k1");
    world.send("k", "k2");
    world.settle(relay);
    world.send("k", "k3");
    world.pass(Duration.ofMinutes(1), relay);
    assertThat(world.received()).isEmpty();

    world.database.outboxStore().deadLetters().requeue(List.of(dead), "me");
    world.pass(Duration.ofSeconds(3), relay);

    assertThat(world.received()).containsExactly("k1", "k2", "k3");
    world.send("k", "k4");
    world.settle(relay);
    assertThat(world.received()).endsWith("k4");
  }

  @Test
  void aKeyBlockedByADeadLetterGoesOnAfterTheDiscard() {
    world.onDead(DestinationPolicy.OnDead.BLOCK_KEY);
    world.settle(relay);
    world.transport.refuseNext(1);
    MessageId dead = world.send("k", "k1");
    world.settle(relay);

    world.database.outboxStore().deadLetters().discard(List.of(dead), "me");
    world.pass(Duration.ofSeconds(3), relay);
    world.send("k", "k2");
    world.pass(Duration.ofSeconds(1), relay);

    assertThat(world.received()).containsExactly("k2");
  }

  @Test
  void anOutageBurnsNoAttemptAndHoldsUpNoOtherDestination() {
    world.settle(relay);
    world.transport.unavailable(ORDERS, true);

    for (int i = 0; i < 3_000; i++) {
      world.send("k" + i % 7, "k" + i % 7 + ":" + i);
    }
    world.send(Message.of("fake:other", new byte[] {'o'}).key("k"));
    world.pass(Duration.ofMinutes(3), relay);

    assertThat(world.received("fake:other")).hasSize(1);
    assertThat(world.received()).isEmpty();
    assertThat(world.database.dead()).isEmpty();
    assertThat(world.database.parked()).isEmpty();
    assertThat(relay.circuits()).hasSize(1);

    world.transport.heal();
    world.pass(Duration.ofSeconds(10), relay);

    assertThat(world.received()).hasSize(3_000);
    assertInOrderPerKey(world.received().stream().map(t -> "x" + t).toList());
    assertThat(relay.circuits()).isEmpty();
  }

  @Test
  void aDestinationWithoutATransportWaitsAndSaysSo() {
    world.settle(relay);

    world.send(Message.of("pigeon:post", new byte[0]).key("k"));
    world.pass(Duration.ofSeconds(30), relay);

    assertThat(relay.circuits()).containsKey(Destination.parse("pigeon:post"));
    assertThat(world.database.unsent()).hasSize(1);
  }

  @Test
  void aLostAcknowledgementGivesADuplicateButKeepsTheOrder() {
    world.settle(relay);
    world.transport.loseAckNext(1);

    world.send("k", "k1");
    world.send("k", "k2");
    world.pass(Duration.ofSeconds(5), relay);

    assertThat(world.received()).containsExactly("k1", "k2", "k1");
  }

  @Test
  void aDelayedMessageIsSentWhenItsTimeHasCome() {
    world.settle(relay);

    world.send(message("k", "later").notBefore(world.clock.instant().plusSeconds(60)));
    world.send("k", "now");
    world.pass(Duration.ofSeconds(59), relay);
    assertThat(world.received()).containsExactly("now");
    world.pass(Duration.ofSeconds(3), relay);

    assertThat(world.received()).containsExactly("now", "later");
  }

  @Test
  void anotherNodeTakesOverAfterACrashAndLosesNothing() {
    Relay other = world.relay("b");
    world.settle(relay, other);
    world.pass(Duration.ofSeconds(10), relay, other);
    assertThat(relay.partitions() + other.partitions()).isEqualTo(10);
    assertThat(other.partitions()).isPositive();

    for (int i = 0; i < 100; i++) {
      world.send("k" + i, "k" + i);
      world.send(null, "free" + i);
    }
    world.pass(Duration.ofSeconds(20), other); // the first one is never run again

    assertThat(other.partitions()).isEqualTo(10);
    assertThat(world.received()).hasSize(200).doesNotHaveDuplicates();
  }

  @Test
  void aNodeThatWakesAfterItsLeaseEndedSendsNothingKeyedBeforeItAsksAgain() {
    Relay other = world.relay("b");
    world.settle(relay, other);
    world.pass(Duration.ofSeconds(10), relay, other);
    world.pass(Duration.ofSeconds(20), other);
    for (int i = 0; i < 50; i++) {
      world.send("k" + i, "k" + i);
    }

    relay.runOnce(Relay.Step.SEND);

    assertThat(world.transport.stored(ORDERS)).isEmpty();
    world.pass(Duration.ofSeconds(20), relay, other);
    assertThat(world.received()).hasSize(50).doesNotHaveDuplicates();
  }

  @Test
  void closingGivesThePartitionsToTheOtherNodeAtOnce() {
    Relay other = world.relay("b");
    world.settle(relay, other);
    world.pass(Duration.ofSeconds(10), relay, other);

    relay.close();
    world.pass(Duration.ofSeconds(4), other);

    assertThat(other.partitions()).isEqualTo(10);
    assertThatThrownBy(relay::start).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void closesOnTheThreadOfItsCallerThatRanIt() {
    world.settle(relay);
    List<Thread> threads = new ArrayList<>();
    world.database.faults().beforeNext(StoreCall.LEAVE, () -> threads.add(Thread.currentThread()));

    relay.close();

    assertThat(threads).containsExactly(Thread.currentThread());
  }

  @Test
  void twoNodesOfOneNameDoNotBothRun() {
    world.settle(relay);
    Relay twin =
        Relay.builder(world.database.outboxStore(), world.database.leaseStore())
            .config(
                new RelayConfig(
                    "a",
                    world.database.partitioning(),
                    RelayConfig.Leasing.DEFAULTS,
                    RelayConfig.Polling.DEFAULTS,
                    RelayConfig.Window.DEFAULTS,
                    Duration.ZERO))
            .incarnation(new UUID(1, 2))
            .transport(world.transport)
            .time(world.clock)
            .build();

    assertThatThrownBy(twin::runOnce).isInstanceOf(NodeIdInUseException.class);
  }

  @Test
  void aNodeWhoseSendsKeepFailingRestsWhileAnotherTakesOver() {
    Relay other = world.relay("b");
    world.settle(relay, other);
    world.pass(Duration.ofSeconds(10), relay, other);
    world.transport.unavailable(ORDERS, true);
    for (int i = 0; i < 40; i++) {
      world.send("k" + i, "k" + i);
    }

    world.pass(Duration.ofSeconds(60), relay, other);

    assertThat(relay.partitions() + other.partitions()).isEqualTo(10);
    assertThat(Math.min(relay.partitions(), other.partitions())).isZero();
    world.transport.heal();
    world.pass(Duration.ofMinutes(3), relay, other);
    assertThat(world.received()).hasSize(40).doesNotHaveDuplicates();
    assertThat(relay.partitions()).isPositive();
    assertThat(other.partitions()).isPositive();
  }

  @Test
  void aDatabaseThatFailsInBetweenLosesNothing() {
    world.settle(relay);
    for (StoreCall call : StoreCall.values()) {
      if (call == StoreCall.COMMIT) {
        continue;
      }
      world.database.faults().failNext(call).loseAnswerNext(call);
      world.transport.failNext(1);
      world.send("k", call + "-k");
      world.send(null, call + "-free");
      world.pass(Duration.ofSeconds(20), relay);
    }

    world.pass(Duration.ofMinutes(2), relay);

    assertThat(world.received().stream().distinct()).hasSize(2 * (StoreCall.values().length - 1));
    assertThat(world.database.unsent()).isEmpty();
    assertThat(world.database.parked()).isEmpty();
  }

  @Test
  void wrongPartitioningStopsTheStart() {
    world.settle(relay);
    Relay wrong =
        Relay.builder(world.database.outboxStore(), world.database.leaseStore())
            .transport(world.transport)
            .time(world.clock)
            .build();

    assertThatThrownBy(wrong::start).isInstanceOf(ConfigurationException.class);
  }

  @Test
  void noTransportIsAnErrorAtTheBuild() {
    assertThatThrownBy(
            Relay.builder(world.database.outboxStore(), world.database.leaseStore())::build)
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("transport");
  }

  @Test
  void wallClockJumpsChangeNothing() {
    world.settle(relay);

    world.clock.jumpWall(Duration.ofDays(-30));
    world.send("k", "k1");
    world.pass(Duration.ofSeconds(5), relay);
    world.clock.jumpWall(Duration.ofDays(60));
    world.send("k", "k2");
    world.pass(Duration.ofSeconds(5), relay);

    assertThat(world.received()).containsExactly("k1", "k2");
  }

  @Test
  void moreFollowersThanOneGroupKeepTheirOrder() {
    world.settle(relay);
    world.transport.failNext(1);
    for (int i = 0; i < 1_300; i++) {
      world.send("k", "k:" + i);
    }
    world.settle(relay);
    assertThat(world.received()).isEmpty();

    world.pass(Duration.ofSeconds(10), relay);

    assertThat(world.received()).hasSize(1_300);
    assertInOrderPerKey(world.received());
    assertThat(world.database.parked()).isEmpty();
  }
}
