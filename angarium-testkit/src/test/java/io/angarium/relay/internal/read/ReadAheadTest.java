package io.angarium.relay.internal.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.Message;
import io.angarium.StoreException;
import io.angarium.intake.Partitioning;
import io.angarium.intake.StoredMessage;
import io.angarium.relay.internal.partition.PartitionState;
import io.angarium.store.ReadLimit;
import io.angarium.store.SequenceRange;
import io.angarium.store.lease.Lease;
import io.angarium.store.lease.NodeId;
import io.angarium.testkit.ManualClock;
import io.angarium.testkit.memory.InMemoryDatabase;
import io.angarium.testkit.memory.StoreCall;
import io.angarium.testkit.memory.Tx;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class ReadAheadTest {
  private static final int ROOM = 100;
  private static final long BYTES = 1_000;

  private final InMemoryDatabase database =
      InMemoryDatabase.create(ManualClock.create(), new Partitioning(1, 1));
  private final List<Runnable> waiting = new ArrayList<>();
  private final ReadAhead ahead = new ReadAhead(database.outboxStore(), waiting::add);
  private final Map<Integer, PartitionState> owned = new HashMap<>();
  private final PartitionState keyed = own(0);

  private PartitionState own(int partition) {
    NodeId node = new NodeId("a", new UUID(0, 1));
    PartitionState state = new PartitionState(new Lease(partition, node, 1), Set.of());
    owned.put(partition, state);
    return state;
  }

  private void commit(int messages) {
    try (Tx tx = database.begin()) {
      for (int i = 0; i < messages; i++) {
        tx.outbox().send(Message.of("orders", new byte[0]).key("k"));
      }
      tx.commit();
    }
  }

  private static Function<List<PartitionState>, ReadPlan> look(int rows) {
    BacklogPlanner stride = new BacklogPlanner(rows, partition -> Long.MAX_VALUE);
    return partitions -> stride.plan(partitions, 0, rows, BYTES);
  }

  private boolean fits() {
    return ahead.fits(owned::get, ROOM, BYTES);
  }

  private void runReads() {
    waiting.forEach(Runnable::run);
    waiting.clear();
  }

  @Test
  void whatIsReadForTheSecondTimeIsNotReadAhead() {
    commit(10);
    keyed.read(5);
    keyed.rewind(2); // what it took back is read again, others up to 5 may be in flight
    ahead.begin(List.of(keyed), look(ROOM));
    assertThat(fits()).isFalse();
    assertThat(waiting).isEmpty();

    keyed.read(5);
    ahead.begin(List.of(keyed), look(ROOM));
    runReads();
    assertThat(ahead.take().read().rows()).hasSize(5);
  }

  @Test
  void nextRowsAreReadFromTheCursorOn() {
    commit(5);
    keyed.read(2);

    ahead.begin(List.of(keyed), look(2));
    runReads();

    assertThat(fits()).isTrue();
    assertThat(ahead.take().read().rows())
        .extracting((StoredMessage row) -> row.position().sequence())
        .containsExactly(3L, 4L);
  }

  @Test
  void whatWasReadAheadIsUsedOnce() {
    commit(1);
    ahead.begin(List.of(keyed), look(ROOM));
    runReads();
    ahead.take();

    assertThat(fits()).isFalse();
  }

  @Test
  void whatWasReadAheadDoesNotFitAfterTheCursorMoved() {
    commit(5);
    keyed.read(2);
    ahead.begin(List.of(keyed), look(ROOM));

    keyed.rewind(1);

    assertThat(fits()).isFalse();
  }

  @Test
  void whatWasReadAheadDoesNotFitAPartitionThatWasTakenAnew() {
    ahead.begin(List.of(keyed), look(ROOM));

    own(0);

    assertThat(fits()).isFalse();
  }

  @Test
  void whatWasReadAheadDoesNotFitALostPartition() {
    ahead.begin(List.of(keyed), look(ROOM));

    owned.clear();

    assertThat(fits()).isFalse();
  }

  @Test
  void whatWasReadAheadWaitsForRoom() {
    ahead.begin(List.of(keyed), look(ROOM));

    assertThat(ahead.fits(owned::get, ROOM - 1, BYTES)).isFalse();
    assertThat(ahead.fits(owned::get, ROOM, BYTES - 1)).isFalse();
    assertThat(fits()).isTrue();
  }

  /**
   * What becomes visible between the read and its use lies above the floor, or there is nothing.
   */
  @Test
  void whatWasReadAheadIsCompleteUpToTheFloorOnly() {
    commit(5);
    assertThat(ahead.isDecided()).isFalse();
    ahead.begin(
        List.of(keyed),
        partitions ->
            new ReadPlan(
                partitions,
                List.of(new SequenceRange(0, 0, 3)),
                new ReadLimit(3, BYTES),
                3,
                false));

    keyed.decide(2, false);
    assertThat(ahead.isDecided()).isFalse();

    keyed.decide(3, false);
    assertThat(ahead.isDecided()).isTrue();
  }

  @Test
  void keylessPartitionsAreNotReadAhead() {
    ahead.begin(List.of(own(-1)), look(ROOM));

    assertThat(waiting).isEmpty();
    assertThat(fits()).isFalse();
  }

  @Test
  void everyFourthLookReadsForItself() {
    for (int i = 0; i < 3; i++) {
      ahead.begin(List.of(keyed), look(ROOM));
      runReads();
      ahead.take();
    }

    ahead.begin(List.of(keyed), look(ROOM));

    assertThat(fits()).isFalse();
  }

  @Test
  void failureOfTheReadIsTheFailureOfTheLook() {
    database.faults().failNext(StoreCall.READ);
    ahead.begin(List.of(keyed), look(ROOM));
    runReads();

    assertThatThrownBy(ahead::take).isInstanceOf(StoreException.class);
    assertThat(fits()).isFalse();
  }
}
