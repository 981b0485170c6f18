package io.angarium.testkit.tck;

import static io.angarium.testkit.tck.StoreScene.A;
import static io.angarium.testkit.tck.StoreScene.ELSEWHERE;
import static io.angarium.testkit.tck.StoreScene.LONG;
import static io.angarium.testkit.tck.StoreScene.OTHER_PARTITION;
import static io.angarium.testkit.tck.StoreScene.PARTITION;
import static io.angarium.testkit.tck.StoreScene.SHORT;
import static io.angarium.testkit.tck.StoreScene.hash;
import static io.angarium.testkit.tck.StoreScene.ids;
import static io.angarium.testkit.tck.StoreScene.node;
import static io.angarium.testkit.tck.StoreScene.positions;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.MessageId;
import io.angarium.intake.StoredMessage;
import io.angarium.store.ParkedEntry;
import io.angarium.store.ParkedOutcome;
import io.angarium.store.lease.Lease;
import io.angarium.store.lease.LeaseLostException;
import io.angarium.store.lease.NodeId;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/**
 * That writes reserved to the owner fail once the lease is lost. Part of {@link OutboxStoreTck}.
 */
@SuppressWarnings("doclint:missing") // the tests are named as sentences
public interface FenceTck extends FixtureTck {

  @Test
  default void parkAfterATakeoverIsRefusedAndWritesNothing() {
    StoreScene scene = new StoreScene(fixture());
    List<StoredMessage> rows = scene.commit(scene.keyed(A));
    Lease lost = scene.lostLease();

    assertThatThrownBy(() -> scene.park(lost, rows)).isInstanceOf(LeaseLostException.class);

    assertThat(ids(scene.unsent())).isEqualTo(ids(rows));
    assertThat(scene.parkedOf(A)).isEmpty();
  }

  @Test
  default void parkWithOneLostLeaseAmongOthersWritesNothing() {
    StoreScene scene = new StoreScene(fixture());
    List<StoredMessage> rows = scene.commit(scene.keyed(A));
    List<StoredMessage> elsewhere = scene.commit(scene.keyed(ELSEWHERE));
    Lease lost = scene.lostLease();
    Lease held = scene.lease(OTHER_PARTITION, "node-a");
    ParkedEntry ofHeld = ParkedEntry.follower(elsewhere.get(0));

    assertThatThrownBy(
            () ->
                scene.outbox.park(
                    List.of(held, lost), List.of(ofHeld, ParkedEntry.follower(rows.get(0)))))
        .isInstanceOf(LeaseLostException.class);

    assertThat(scene.parkedOf(A)).isEmpty();
    assertThat(scene.blocked(OTHER_PARTITION)).isEmpty();
    scene.outbox.park(List.of(held), List.of(ofHeld));
    assertThat(scene.blocked(OTHER_PARTITION)).containsExactly(hash(ELSEWHERE));
  }

  @Test
  default void leasesThatAreHeldAreToldFromLostOnes() {
    StoreScene scene = new StoreScene(fixture());
    Lease lost = scene.lease();
    Lease held = scene.lease(OTHER_PARTITION, "node-a");
    assertThat(scene.outbox.held(List.of(lost, held)))
        .containsExactlyInAnyOrder(PARTITION, OTHER_PARTITION);

    fixture().leases().release(List.of(lost));
    assertThat(scene.outbox.held(List.of(lost, held))).containsExactly(OTHER_PARTITION);
    scene.lease(PARTITION, "node-b");
    assertThat(scene.outbox.held(List.of(lost, held))).containsExactly(OTHER_PARTITION);

    assertThat(scene.outbox.held(List.of(lost))).isEmpty();
    assertThat(scene.outbox.held(List.of())).isEmpty();
  }

  @Test
  default void leaseThatWasHandedOverIsNotHeld() {
    StoreScene scene = new StoreScene(fixture());
    List<StoredMessage> rows = scene.commit(scene.keyed(A));
    Lease given = scene.lease();
    fixture().leases().handOver(given, new NodeId("node-b", new UUID(1, 1)));

    assertThat(scene.outbox.held(List.of(given))).isEmpty();
    assertThatThrownBy(() -> scene.park(given, rows)).isInstanceOf(LeaseLostException.class);
  }

  @Test
  default void leaseOfAnotherEpochOrIncarnationIsNotHeld() {
    StoreScene scene = new StoreScene(fixture());
    Lease first = scene.lease();
    fixture().leases().release(List.of(first));
    Lease second = scene.lease();
    NodeId other = new NodeId(first.node().name(), new UUID(1, 1));

    assertThat(scene.outbox.held(List.of(first))).isEmpty();
    assertThat(scene.outbox.held(List.of(new Lease(PARTITION, other, second.epoch())))).isEmpty();
    assertThat(scene.outbox.held(List.of(second))).containsExactly(PARTITION);
  }

  @Test
  default void settleAfterATakeoverIsRefusedAndWritesNothing() {
    StoreScene scene = new StoreScene(fixture());
    List<StoredMessage> rows = scene.commit(scene.keyed(A));
    scene.park(scene.lease(), rows);
    Lease lost = scene.lostLease();

    assertThatThrownBy(() -> scene.settle(lost, A, positions(rows), List.of()))
        .isInstanceOf(LeaseLostException.class);

    assertThat(scene.parkedOf(A)).isEqualTo(ids(rows));
  }

  @Test
  default void settleWithOneLostLeaseAmongOthersWritesNothing() {
    StoreScene scene = new StoreScene(fixture());
    List<StoredMessage> rows = scene.commit(scene.keyed(A));
    List<StoredMessage> elsewhere = scene.commit(scene.keyed(ELSEWHERE));
    scene.park(scene.lease(), rows);
    Lease lost = scene.lostLease();
    Lease held = scene.lease(OTHER_PARTITION, "node-a");
    scene.park(held, elsewhere);
    ParkedOutcome ofHeld =
        new ParkedOutcome(held, hash(ELSEWHERE), positions(elsewhere), List.of());
    ParkedOutcome ofLost = new ParkedOutcome(lost, hash(A), positions(rows), List.of());

    assertThatThrownBy(() -> scene.outbox.settleParked(List.of(ofHeld, ofLost)))
        .isInstanceOf(LeaseLostException.class);

    assertThat(scene.parkedOf(A)).isEqualTo(ids(rows));
    assertThat(scene.blocked(OTHER_PARTITION)).containsExactly(hash(ELSEWHERE));
    assertThat(scene.outbox.settleParked(List.of(ofHeld))).isEmpty();
    assertThat(scene.blocked(OTHER_PARTITION)).isEmpty();
  }

  @Test
  default void buryAfterATakeoverIsRefusedAndWritesNothing() {
    StoreScene scene = new StoreScene(fixture());
    List<StoredMessage> rows = scene.commit(scene.keyed(A));
    Lease lost = scene.lostLease();

    assertThatThrownBy(() -> scene.bury(lost, rows.get(0), false))
        .isInstanceOf(LeaseLostException.class);

    assertThat(ids(scene.unsent())).isEqualTo(ids(rows));
    assertThat(scene.outbox.deadLetters().page(null, null, 10)).isEmpty();
  }

  @Test
  default void enqueueAfterATakeoverIsRefusedAndWritesNothing() {
    StoreScene scene = new StoreScene(fixture());
    Lease lost = scene.lostLease();
    Lease held = scene.lease(OTHER_PARTITION, "node-a");
    scene.commit(
        scene.of(StoreScene.message("x").key(ELSEWHERE).notBefore(fixture().now().plus(SHORT))));
    long waiting = scene.outbox.backlog().parked();
    fixture().letPass(SHORT);

    assertThatThrownBy(() -> scene.outbox.enqueueDue(List.of(held, lost), 10))
        .isInstanceOf(LeaseLostException.class);

    assertThat(scene.outbox.backlog().parked()).isEqualTo(waiting);
  }

  @Test
  default void releasedLeaseIsLost() {
    StoreScene scene = new StoreScene(fixture());
    List<StoredMessage> rows = scene.commit(scene.keyed(A));
    Lease released = scene.lease();
    fixture().leases().release(List.of(released));

    assertThatThrownBy(() -> scene.park(released, rows)).isInstanceOf(LeaseLostException.class);

    assertThat(ids(scene.unsent())).isEqualTo(ids(rows));
  }

  @Test
  default void olderEpochOfTheSameNodeIsLost() {
    StoreScene scene = new StoreScene(fixture());
    List<StoredMessage> rows = scene.commit(scene.keyed(A));
    Lease older = scene.lease();
    Lease newer = scene.lease();

    assertThatThrownBy(() -> scene.park(older, rows)).isInstanceOf(LeaseLostException.class);
    scene.park(newer, rows);

    assertThat(scene.parkedOf(A)).isEqualTo(ids(rows));
  }

  @Test
  default void deleteNeedsNoLease() {
    StoreScene scene = new StoreScene(fixture());
    List<StoredMessage> rows = scene.commit(scene.keyed(A));
    scene.lostLease();

    scene.outbox.delete(positions(rows));

    assertThat(scene.unsent()).isEmpty();
  }

  @Test
  default void noFencedWriteOfTheOldOwnerFollowsATakeover() throws Exception {
    StoreScene scene = new StoreScene(fixture());
    NodeId next = node("node-b");
    for (int round = 0; round < 40; round++) {
      List<StoredMessage> rows = scene.commit(scene.keyed(A), scene.keyed(A));
      Lease old = scene.lease();
      fixture().leases().heartbeat(old.node(), true, Duration.ofMillis(1));
      fixture().letPass(Duration.ofMillis(2));
      fixture().leases().heartbeat(next, true, LONG);
      CyclicBarrier start = new CyclicBarrier(2);
      CompletableFuture<Boolean> oldOwner =
          CompletableFuture.supplyAsync(() -> parkUnlessLost(scene, start, old, rows));

      start.await(30, TimeUnit.SECONDS);
      List<Lease> taken = fixture().leases().acquire(next, List.of(PARTITION), Duration.ZERO);
      List<MessageId> seenByNext = ids(scene.unsent());

      assertThat(taken).hasSize(1);
      oldOwner.get(30, TimeUnit.SECONDS);
      assertThat(ids(scene.unsent())).as("rows after round %s", round).isEqualTo(seenByNext);
      scene.settle(taken.get(0), A, positions(rows), List.of());
      scene.outbox.delete(positions(rows));
      fixture().leases().leave(next);
    }
  }

  private static boolean parkUnlessLost(
      StoreScene scene, CyclicBarrier start, Lease lease, List<StoredMessage> rows) {
    try {
      start.await(30, TimeUnit.SECONDS);
      scene.park(lease, rows);
      return true;
    } catch (LeaseLostException e) {
      return false;
    } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
      throw new IllegalStateException(e);
    }
  }
}
