package io.angarium.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.intake.StoredMessage;
import io.angarium.simulation.Planted;
import io.angarium.store.OutboxStore;
import io.angarium.store.ParkedEntry;
import io.angarium.store.ParkedOutcome;
import io.angarium.store.ReadLimit;
import io.angarium.store.lease.Lease;
import io.angarium.testkit.fake.FakeTransport;
import io.angarium.testkit.memory.Tx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Many keys that fail at once cost few writes: when they are parked and after each retry. */
class ManyPoisonKeysTest {
  private static final int KEYS = 400;

  /** Counts the writes that park and settle, and the reads of single keys. */
  private static final class Parks extends Planted {
    private final List<ParkedOutcome> settled = new ArrayList<>();
    private final List<ParkedEntry> parked = new ArrayList<>();
    private int writes;
    private int heads;
    private int settlings;
    private int readsOfKeys;
    private Consumer<List<Lease>> beforeWriting = leases -> {};

    Parks(OutboxStore store) {
      super(store);
    }

    @Override
    public void park(Collection<Lease> leases, List<ParkedEntry> parkings) {
      writes++;
      beforeWriting.accept(List.copyOf(leases));
      heads += (int) parkings.stream().filter(ParkedEntry::head).count();
      super.park(leases, parkings);
      parked.addAll(parkings);
    }

    @Override
    public Set<Long> settleParked(List<ParkedOutcome> settlements) {
      settlings++;
      beforeWriting.accept(settlements.stream().map(ParkedOutcome::lease).distinct().toList());
      Set<Long> stillParked = super.settleParked(settlements);
      settled.addAll(settlements);
      return stillParked;
    }

    @Override
    public List<StoredMessage> parkedOfKey(int partition, long keyHash, ReadLimit limit) {
      readsOfKeys++;
      return super.parkedOfKey(partition, keyHash, limit);
    }
  }

  private final RelayFixture world = new RelayFixture(FakeTransport.pipelined());
  private final Parks parks = new Parks(world.database.outboxStore());
  private final Relay relay = world.storedIn(parks).relay("a");

  @Test
  void headsOfAllPartitionsAreParkedTogether() {
    send();
    world.transport.failWhile(message -> true);

    world.settle(relay);

    assertThat(parks.heads).isEqualTo(KEYS);
    assertThat(parks.writes).as("of eight partitions").isEqualTo(1);
  }

  @Test
  void thoseOfManyRoundsAreParkedTogether() {
    world.settle(world.local());
    world.transport.failWhile(message -> true);

    for (int i = 0; i < 20; i++) {
      world.send("k" + i % 10, "m" + i);
      relay.runOnce(Relay.Step.SEND);
      relay.runOnce(Relay.Step.SEND);
    }

    assertThat(parks.writes).isZero();
    world.clock.advance(Duration.ofMillis(10));
    relay.runOnce(Relay.Step.SEND);
    relay.runOnce(Relay.Step.SEND);
    assertThat(parks.writes).isLessThanOrEqualTo(2);
    assertThat(parks.parked).hasSize(20);
  }

  @Test
  void allOfThemArriveOnceTheyCanBeSent() {
    send();
    world.transport.failWhile(message -> true);
    world.settle(relay);
    world.transport.heal();

    world.pass(Duration.ofSeconds(10), relay);

    assertThat(world.received()).hasSize(KEYS).doesNotHaveDuplicates();
  }

  @Test
  void retriesOfAllPartitionsAreSettledTogether() {
    send();
    world.transport.failWhile(message -> true);
    world.settle(relay);

    world.pass(Duration.ofSeconds(4), relay);

    assertThat(parks.settled).as("after 1 s and 2 s more").hasSize(2 * KEYS);
    assertThat(parks.settlings).as("of eight partitions, twice").isLessThanOrEqualTo(4);
    assertThat(parks.readsOfKeys).isZero();
  }

  @Test
  void retriesThatAreSentAreSettledTogether() {
    send();
    world.transport.failWhile(message -> true);
    world.settle(relay);
    world.transport.heal();

    world.pass(Duration.ofSeconds(2), relay);

    assertThat(parks.settled).hasSize(KEYS);
    assertThat(parks.settlings).as("of eight partitions").isLessThanOrEqualTo(2);
    assertThat(world.received()).hasSize(KEYS).doesNotHaveDuplicates();
  }

  /** The first one of a batch must not be the only one that may be lost. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void lostLeaseDoesNotKeepOthersFromBeingParked(int which) {
    send();
    world.transport.failWhile(message -> true);
    List<Lease> gone = new ArrayList<>();
    parks.beforeWriting = leases -> loseOnce(leases, which, gone);

    world.settle(relay);

    assertThat(parks.parked).hasSizeBetween(KEYS / 2, KEYS - 1).doesNotHaveDuplicates();
    assertThat(parks.parked)
        .extracting(parking -> parking.position().partition())
        .doesNotContain(gone.get(0).partition());
    world.transport.heal();
    world.pass(Duration.ofSeconds(5), relay);
    assertThat(world.received()).hasSize(KEYS).doesNotHaveDuplicates();
  }

  private void loseOnce(List<Lease> leases, int which, List<Lease> gone) {
    if (gone.isEmpty()) {
      gone.add(leases.get(which));
      world.database.leaseStore().release(gone);
    }
  }

  /** The same of a batch of retries. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void lostLeaseDoesNotKeepOthersFromBeingSettled(int which) {
    send();
    world.transport.failWhile(message -> true);
    world.settle(relay);
    List<Lease> gone = new ArrayList<>();
    parks.beforeWriting = leases -> loseOnce(leases, which, gone);
    List<Long> retried = new ArrayList<>();
    world.transport.failWhile(message -> retried.add(message.keyHash()));

    world.pass(Duration.ofSeconds(2), relay);

    Lease lost = gone.get(0);
    List<Long> ofOthers =
        parks.parked.stream()
            .filter(parking -> parking.position().partition() != lost.partition())
            .map(ParkedEntry::keyHash)
            .toList();
    assertThat(ofOthers).hasSizeBetween(KEYS / 2, KEYS - 1);
    assertThat(parks.settled).extracting(ParkedOutcome::lease).doesNotContain(lost);
    assertThat(parks.settled)
        .filteredOn(settlement -> settlement.lease().partition() != lost.partition())
        .extracting(ParkedOutcome::keyHash)
        .as("all of the others, each once")
        .containsExactlyInAnyOrderElementsOf(ofOthers);
    assertThat(retried)
        .filteredOn(ofOthers::contains)
        .as("not sent again because another lease is lost")
        .doesNotHaveDuplicates();
  }

  private void send() {
    try (Tx tx = world.database.begin()) {
      IntStream.range(0, KEYS)
          .forEach(i -> tx.outbox().send(RelayFixture.message("k" + i, "m" + i)));
      tx.commit();
    }
  }
}
