package io.angarium.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.intake.Position;
import io.angarium.intake.StoredMessage;
import io.angarium.store.DeadEntry;
import io.angarium.store.OutboxStore;
import io.angarium.store.ParkedEntry;
import io.angarium.store.ParkedOutcome;
import io.angarium.store.WriteRefusedException;
import io.angarium.testkit.fake.FakeTransport;
import io.angarium.testkit.fake.FakeTransport.Outcome;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A failure that the database refuses to record holds up its own key and nothing else. */
class RefusedWritesTest {
  private final RelayFixture world = new RelayFixture(FakeTransport.pipelined());
  private final Set<Position> refused = new HashSet<>();
  private String refusedCall = "park|bury|settleParked";

  @ParameterizedTest
  @EnumSource(names = {"FAIL", "REFUSE"})
  void otherKeysAreRecordedAndTheRefusedOneGoesOnWhenItIsTaken(Outcome outcome) {
    Relay relay = relay();
    world.transport.manual();
    world.send("k", "poison");
    world.send("k", "behind");
    world.send("another", "other");
    world.pass(Duration.ofSeconds(1), relay);
    resolve("poison", outcome);
    resolve("behind", Outcome.FAIL);
    resolve("other", Outcome.FAIL);
    world.transport.automatic();
    world.pass(Duration.ofSeconds(10), relay);
    world.send("k", "last");
    world.send("another", "further");
    world.pass(Duration.ofSeconds(130), relay); // the sweep leaves them alone, too

    assertThat(world.received()).containsExactly("other", "further");
    assertThat(relay.recordsAll()).isFalse();
    assertThat(world.broken).isEmpty();

    refused.clear();
    world.pass(Duration.ofSeconds(70), relay);

    assertThat(relay.recordsAll()).isTrue();
    assertThat(world.received())
        .filteredOn(text -> !text.equals("other") && !text.equals("further"))
        .containsExactlyElementsOf(
            outcome == Outcome.FAIL
                ? List.of("poison", "behind", "last")
                : List.of("behind", "last"));
    assertThat(world.database.unsent()).isEmpty();
    assertThat(world.database.parked()).isEmpty();
  }

  @Test
  void resultOfARetryIsRefusedAlone() {
    refusedCall = "settleParked";
    Relay relay = relay();
    world.transport.failNext(2);
    world.send("k", "poison");
    world.send("another", "other");
    world.pass(Duration.ofSeconds(20), relay);

    assertThat(world.database.parked()).hasSize(1);
    assertThat(relay.recordsAll()).isFalse();

    refused.clear();
    world.pass(Duration.ofSeconds(70), relay);

    assertThat(world.database.parked()).isEmpty();
    assertThat(relay.recordsAll()).isTrue();
  }

  @Test
  void partitionIsGivenToANewNodeAllTheSame() {
    Relay relay = relay();
    world.transport.failNext(1);
    for (int i = 0; i < 20; i++) {
      world.send("k" + i, i == 0 ? "poison" : "sound");
      world.pass(Duration.ofMillis(100), relay);
    }
    world.pass(Duration.ofSeconds(5), relay);
    assertThat(relay.recordsAll()).isFalse();

    refused.clear();
    relay.close();
    Relay other = world.relay("b");
    world.pass(Duration.ofSeconds(30), other);

    assertThat(world.received()).hasSize(20);
    assertThat(world.database.unsent()).isEmpty();
  }

  @Test
  void delayedMessagesThatAreRefusedHoldUpNothingElse() {
    refusedCall = "enqueueDue";
    Relay relay = relay();
    Instant due = world.clock.instant().plusSeconds(2);
    world.send(RelayFixture.message("k", "delayed").notBefore(due));
    world.pass(Duration.ofSeconds(5), relay);
    world.send("k", "sound");
    world.pass(Duration.ofSeconds(5), relay);

    assertThat(world.received()).containsExactly("sound");
    assertThat(relay.recordsAll()).isFalse();

    refusedCall = "none";
    world.pass(Duration.ofSeconds(60), relay);

    assertThat(world.received()).containsExactly("sound", "delayed");
    assertThat(relay.recordsAll()).isTrue();
  }

  @Test
  void partitionsThatOthersHaveNowAreNotWaitedFor() {
    refusedCall = "enqueueDue";
    Relay relay = relay();
    Instant due = world.clock.instant().plusSeconds(2);
    for (int i = 0; i < 40; i++) {
      world.send(RelayFixture.message("k" + i, "delayed").notBefore(due));
    }
    world.pass(Duration.ofSeconds(5), relay);
    assertThat(relay.recordsAll()).isFalse();

    world.storedIn(world.database.outboxStore());
    Relay other = world.relay("b");
    world.pass(Duration.ofSeconds(60), relay, other);
    refusedCall = "none"; // of the partitions that are left
    world.pass(Duration.ofSeconds(60), relay, other);

    assertThat(other.partitions()).isPositive();
    assertThat(relay.recordsAll()).isTrue();
    assertThat(world.received()).hasSize(40);
  }

  @Test
  void rowThatCannotBeDeletedHoldsUpNoOther() {
    refusedCall = "delete";
    Relay relay = relay();
    for (int i = 0; i < 20; i++) {
      world.send("k" + i % 3, i == 7 ? "poison" : "sound");
    }
    world.pass(Duration.ofSeconds(130), relay); // the sweep leaves it alone, too

    assertThat(world.received()).hasSize(20);
    assertThat(world.database.unsent())
        .extracting(row -> RelayFixture.text(row.message()))
        .containsExactly("poison");
    assertThat(relay.recordsAll()).isFalse();
    assertThat(world.broken).isEmpty();

    refused.clear();
    world.pass(Duration.ofSeconds(70), relay);

    assertThat(relay.recordsAll()).isTrue();
    assertThat(world.received()).hasSize(20);
    assertThat(world.database.unsent()).isEmpty();
  }

  @Test
  void partitionsOfRowsThatCannotBeDeletedMoveAndComeBack() {
    refusedCall = "delete";
    Relay relay = relay();
    for (int i = 0; i < 40; i++) {
      world.send("k" + i, "poison");
    }
    world.pass(Duration.ofSeconds(5), relay);
    assertThat(world.received()).hasSize(40);
    world.storedIn(world.database.outboxStore());
    Relay other = world.relay("b");
    world.pass(Duration.ofSeconds(30), relay, other);
    int moved = world.received().size() - 40; // sent once more, and deleted
    assertThat(moved).isBetween(1, 39);
    assertThat(world.database.unsent()).hasSize(40 - moved);
    other.close();
    world.pass(Duration.ofSeconds(30), relay);
    for (int i = 0; i < 40; i++) {
      world.send("k" + i, "further");
    }
    world.pass(Duration.ofSeconds(5), relay);

    assertThat(world.received()).filteredOn("further"::equals).hasSize(40);
    assertThat(world.received()).hasSize(80 + moved);

    relay.close();
    Relay next = world.relay("c");
    world.pass(Duration.ofMillis(100), next);
    assertThat(next.partitions()).isEqualTo(10); // none is left until its lease ends
  }

  @Test
  void deletesThatAreRefusedAreNotHealthy() {
    refusedCall = "delete";
    Relay relay = relay();
    world.send("k", "poison");
    world.pass(Duration.ofSeconds(5), relay);

    assertThat(world.received()).containsExactly("poison");
    assertThat(relay.recordsAll()).isFalse();

    refused.clear();
    world.pass(Duration.ofSeconds(5), relay);

    assertThat(relay.recordsAll()).isTrue();
    assertThat(world.database.unsent()).isEmpty();
  }

  /** Its chain holds it: an empty one would be over, and so refused anew, with each try. */
  @Test
  void rowThatOnlyFollowsIsTriedAgainAfterGrowingPauses() {
    Relay relay = relay();
    world.transport.manual();
    world.send("k", "first");
    world.send("k", "poison");
    world.pass(Duration.ofSeconds(1), relay);
    resolve("first", Outcome.FAIL);
    resolve("poison", Outcome.FAIL);
    calls = 0;
    world.pass(Duration.ofSeconds(60), relay);

    assertThat(relay.recordsAll()).isFalse();
    assertThat(calls).isBetween(3, 12);

    refused.clear();
    resolve("first", Outcome.ACKNOWLEDGE);
    world.transport.automatic();
    world.pass(Duration.ofSeconds(130), relay);

    assertThat(relay.recordsAll()).isTrue();
    assertThat(world.received()).containsExactly("first", "poison");
  }

  private Relay relay() {
    world.storedIn(refusing(world.database.outboxStore()));
    return world.relay("a");
  }

  private void resolve(String text, Outcome outcome) {
    MessageId id =
        world.transport.inFlight().stream()
            .filter(row -> RelayFixture.text(row.message()).equals(text))
            .findFirst()
            .map(StoredMessage::id)
            .orElseThrow();
    world.transport.resolve(id, outcome);
  }

  private OutboxStore refusing(OutboxStore store) {
    return (OutboxStore)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {OutboxStore.class},
            (proxy, method, arguments) -> {
              note();
              if (method.getName().matches(refusedCall)
                  && (method.getName().equals("enqueueDue")
                      || Stream.of(arguments)
                          .flatMap(this::positions)
                          .anyMatch(refused::contains))) {
                calls++;
                throw new WriteRefusedException("simulated: refused. ", null);
              }
              try {
                return method.invoke(store, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  /** That were refused. */
  private int calls;

  private boolean noted;

  /** Where the poisonous message is, from when it is there. */
  private void note() {
    if (!noted) {
      for (StoredMessage row : world.database.unsent()) {
        Message message = row.message();
        if (RelayFixture.text(message).equals("poison")) {
          refused.add(row.position());
          noted = true;
        }
      }
    }
  }

  private Stream<Position> positions(Object argument) {
    if (argument instanceof Collection<?> many) {
      return many.stream().flatMap(this::positions);
    }
    if (argument instanceof Position position) {
      return Stream.of(position);
    }
    if (argument instanceof ParkedEntry parking) {
      return Stream.of(parking.position());
    }
    if (argument instanceof DeadEntry burial) {
      return Stream.of(burial.position());
    }
    return argument instanceof ParkedOutcome settlement
        ? Stream.concat(
            settlement.acknowledged().stream(),
            settlement.failed().stream().map(ParkedEntry::position))
        : Stream.of();
  }
}
