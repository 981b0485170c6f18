package io.angarium.testkit.tck;

import static io.angarium.testkit.tck.StoreScene.A;
import static io.angarium.testkit.tck.StoreScene.B;
import static io.angarium.testkit.tck.StoreScene.C;
import static io.angarium.testkit.tck.StoreScene.ELSEWHERE;
import static io.angarium.testkit.tck.StoreScene.KEYLESS_PARTITION;
import static io.angarium.testkit.tck.StoreScene.LONG;
import static io.angarium.testkit.tck.StoreScene.OTHER_PARTITION;
import static io.angarium.testkit.tck.StoreScene.PARTITION;
import static io.angarium.testkit.tck.StoreScene.SHORT;
import static io.angarium.testkit.tck.StoreScene.hash;
import static io.angarium.testkit.tck.StoreScene.ids;
import static io.angarium.testkit.tck.StoreScene.positions;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.angarium.intake.StoredMessage;
import io.angarium.store.ParkedEntry;
import io.angarium.store.ParkedOutcome;
import io.angarium.store.ReadLimit;
import io.angarium.store.lease.Lease;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * The contract of {@link io.angarium.store.OutboxStore#settleParked}. Part of {@link
 * OutboxStoreTck}.
 */
@SuppressWarnings("doclint:missing") // the tests are named as sentences
public interface SettleParkedTck extends FixtureTck {

  @Test
  default void acknowledgedMessagesLeaveAndTheNextIsDueAtOnce() {
    StoreScene scene = new StoreScene(fixture());
    Lease lease = scene.lease();
    List<StoredMessage> rows = scene.commit(scene.keyed(A), scene.keyed(A), scene.keyed(A));
    scene.park(lease, rows);

    boolean more = scene.settle(lease, A, positions(rows.subList(0, 1)), List.of());

    assertThat(more).isTrue();
    assertThat(scene.parkedOf(A)).isEqualTo(ids(rows.subList(1, 3)));
    assertThat(ids(scene.due())).containsExactly(rows.get(1).id());
    assertThat(scene.due().get(0).attempts()).isZero();
  }

  @Test
  default void keyIsFreeWhenItsLastMessageIsAcknowledged() {
    StoreScene scene = new StoreScene(fixture());
    Lease lease = scene.lease();
    List<StoredMessage> rows = scene.commit(scene.keyed(A), scene.keyed(A));
    scene.park(lease, rows);

    boolean more = scene.settle(lease, A, positions(rows), List.of());

    assertThat(more).isFalse();
    assertThat(scene.blocked(PARTITION)).isEmpty();
    assertThat(scene.due()).isEmpty();
    assertThat(scene.unsent()).isEmpty();
  }

  @Test
  default void failedMessageWaitsAgainWithItsNewAttempts() {
    StoreScene scene = new StoreScene(fixture());
    Lease lease = scene.lease();
    List<StoredMessage> rows = scene.commit(scene.keyed(A), scene.keyed(A));
    scene.park(lease, rows);

    boolean more =
        scene.settle(lease, A, List.of(), List.of(ParkedEntry.head(rows.get(0), 2, SHORT, "y")));

    assertThat(more).isTrue();
    assertThat(scene.parkedOf(A)).isEqualTo(ids(rows));
    assertThat(scene.outbox.parkedOfKey(PARTITION, hash(A), ReadLimit.rows(10)).get(0).attempts())
        .isEqualTo(2);
    fixture().letPass(SHORT.multipliedBy(2));
    assertThat(ids(scene.due())).containsExactly(rows.get(0).id());
    assertThat(scene.due().get(0).attempts()).isEqualTo(2);
  }

  @Test
  default void failedMessageIsNotDueBeforeItsPause() {
    StoreScene scene = new StoreScene(fixture());
    Lease lease = scene.lease();
    List<StoredMessage> rows = scene.commit(scene.keyed(A), scene.keyed(A));
    scene.park(lease, rows);

    scene.settle(lease, A, List.of(), List.of(ParkedEntry.head(rows.get(0), 2, LONG, "y")));

    assertThat(scene.due()).isEmpty();
  }

  @Test
  default void failureBehindAcknowledgedOnesBecomesTheOnlyHead() {
    StoreScene scene = new StoreScene(fixture());
    Lease lease = scene.lease();
    List<StoredMessage> rows = scene.commit(scene.keyed(A), scene.keyed(A), scene.keyed(A));
    scene.park(lease, rows);

    scene.settle(
        lease,
        A,
        positions(rows.subList(0, 1)),
        List.of(ParkedEntry.head(rows.get(1), 1, Duration.ZERO, "z")));

    assertThat(scene.parkedOf(A)).isEqualTo(ids(rows.subList(1, 3)));
    assertThat(ids(scene.due())).containsExactly(rows.get(1).id());
  }

  @Test
  default void failureBelowAnAcknowledgedOneStaysTheOnlyHead() {
    StoreScene scene = new StoreScene(fixture());
    Lease lease = scene.lease();
    List<StoredMessage> rows = scene.commit(scene.keyed(A), scene.keyed(A), scene.keyed(A));
    scene.park(lease, rows);

    scene.settle(
        lease,
        A,
        positions(rows.subList(1, 2)),
        List.of(ParkedEntry.head(rows.get(0), 2, Duration.ZERO, "lost")));

    assertThat(scene.parkedOf(A)).containsExactly(rows.get(0).id(), rows.get(2).id());
    assertThat(ids(scene.due())).containsExactly(rows.get(0).id());
  }

  @Test
  default void keylessMessagesAreSettledTogether() {
    StoreScene scene = new StoreScene(fixture());
    Lease lease = scene.lease(KEYLESS_PARTITION, "node-a");
    List<StoredMessage> rows =
        scene.commit(scene.keyless(), scene.keyless(), scene.keyless(), scene.keyless());
    rows.forEach(row -> scene.park(lease, List.of(row)));

    Set<Long> stillParked =
        scene.outbox.settleParked(
            List.of(
                new ParkedOutcome(
                    lease,
                    0,
                    positions(rows.subList(0, 1)),
                    List.of(
                        ParkedEntry.head(rows.get(1), 2, LONG, "a"),
                        ParkedEntry.head(rows.get(2), 5, Duration.ZERO, "b")))));

    assertThat(stillParked).isEmpty();
    assertThat(
            scene.outbox.dueHeads(List.of(KEYLESS_PARTITION), List.of(), ReadLimit.rows(10)).rows())
        .extracting(StoredMessage::id, StoredMessage::attempts)
        .containsExactlyInAnyOrder(tuple(rows.get(2).id(), 5), tuple(rows.get(3).id(), 1));
    assertThat(scene.outbox.backlog().parked()).isEqualTo(3);
  }

  @Test
  default void rowsAlreadySettledArePassedOver() {
    StoreScene scene = new StoreScene(fixture());
    Lease lease = scene.lease();
    List<StoredMessage> rows = scene.commit(scene.keyed(A));
    scene.park(lease, rows);
    scene.settle(lease, A, positions(rows), List.of());

    boolean more =
        scene.settle(
            lease, A, positions(rows), List.of(ParkedEntry.head(rows.get(0), 2, LONG, "y")));

    assertThat(more).isFalse();
    assertThat(scene.parkedOf(A)).isEmpty();
  }

  @Test
  default void otherKeysOfThePartitionAreLeftAlone() {
    StoreScene scene = new StoreScene(fixture());
    Lease lease = scene.lease();
    List<StoredMessage> rows =
        scene.commit(scene.keyed(A), scene.keyed(B), scene.keyed(B), scene.keyed(A));
    scene.park(lease, List.of(rows.get(0), rows.get(3)));
    scene.park(lease, rows.subList(1, 3), LONG);

    scene.settle(lease, A, positions(rows.subList(0, 1)), List.of());

    assertThat(scene.parkedOf(B)).isEqualTo(ids(rows.subList(1, 3)));
    assertThat(ids(scene.due())).containsExactly(rows.get(3).id());
  }

  @Test
  default void rowsStillInTheOutboxAreNotSettled() {
    StoreScene scene = new StoreScene(fixture());
    List<StoredMessage> rows = scene.commit(scene.keyed(A));

    boolean more = scene.settle(scene.lease(), A, positions(rows), List.of());

    assertThat(more).isFalse();
    assertThat(ids(scene.unsent())).isEqualTo(ids(rows));
  }

  @Test
  default void keysOfSeveralPartitionsAreSettledTogether() {
    StoreScene scene = new StoreScene(fixture());
    Lease lease = scene.lease();
    Lease other = scene.lease(OTHER_PARTITION, "node-a");
    Lease keyless = scene.lease(KEYLESS_PARTITION, "node-a");
    List<StoredMessage> a = scene.commit(scene.keyed(A), scene.keyed(A));
    List<StoredMessage> b = scene.commit(scene.keyed(B), scene.keyed(B));
    List<StoredMessage> c = scene.commit(scene.keyed(C));
    List<StoredMessage> elsewhere = scene.commit(scene.keyed(ELSEWHERE), scene.keyed(ELSEWHERE));
    List<StoredMessage> free = scene.commit(scene.keyless());
    List.of(a, b, c).forEach(rows -> scene.park(lease, rows));
    scene.park(other, elsewhere);
    scene.park(keyless, free);

    Set<Long> stillParked =
        scene.outbox.settleParked(
            List.of(
                acknowledged(lease, A, a.subList(0, 1)),
                failed(other, ELSEWHERE, elsewhere.get(0), 3, LONG),
                failed(lease, B, b.get(0), 2, Duration.ZERO),
                new ParkedOutcome(keyless, 0, positions(free), List.of()),
                acknowledged(lease, C, c)));

    assertThat(stillParked).containsExactlyInAnyOrder(hash(A), hash(B), hash(ELSEWHERE));
    assertThat(scene.due())
        .extracting(StoredMessage::id, StoredMessage::attempts)
        .containsExactlyInAnyOrder(tuple(a.get(1).id(), 0), tuple(b.get(0).id(), 2));
    assertThat(
            scene.outbox.dueHeads(List.of(OTHER_PARTITION), List.of(), ReadLimit.rows(10)).rows())
        .isEmpty();
    assertThat(scene.outbox.parkedOfKey(OTHER_PARTITION, hash(ELSEWHERE), ReadLimit.rows(10)))
        .extracting(StoredMessage::id, StoredMessage::attempts)
        .containsExactly(tuple(elsewhere.get(0).id(), 3), tuple(elsewhere.get(1).id(), 0));
    assertThat(scene.blocked(PARTITION)).containsExactlyInAnyOrder(hash(A), hash(B));
    assertThat(scene.outbox.backlog().parked()).isEqualTo(5);
  }

  @Test
  default void failedMessagesThatAreGoneLeaveTheirKeysToTheNext() {
    StoreScene scene = new StoreScene(fixture());
    Lease lease = scene.lease();
    List<StoredMessage> a = scene.commit(scene.keyed(A), scene.keyed(A));
    List<StoredMessage> b = scene.commit(scene.keyed(B), scene.keyed(B));
    List<StoredMessage> c = scene.commit(scene.keyed(C));
    List.of(a, b, c).forEach(rows -> scene.park(lease, rows, LONG));
    scene.settle(lease, A, positions(a.subList(0, 1)), List.of());
    scene.settle(lease, C, positions(c), List.of());

    Set<Long> stillParked =
        scene.outbox.settleParked(
            List.of(
                failed(lease, A, a.get(0), 2, LONG),
                failed(lease, B, b.get(0), 2, LONG),
                failed(lease, C, c.get(0), 2, LONG)));

    assertThat(stillParked).containsExactlyInAnyOrder(hash(A), hash(B));
    assertThat(ids(scene.due())).containsExactly(a.get(1).id());
    assertThat(scene.parkedOf(B)).isEqualTo(ids(b));
  }

  @Test
  default void keyThatADeadLetterBlocksGetsNoHead() {
    StoreScene scene = new StoreScene(fixture());
    Lease lease = scene.lease();
    List<StoredMessage> a = scene.commit(scene.keyed(A), scene.keyed(A), scene.keyed(A));
    List<StoredMessage> b = scene.commit(scene.keyed(B), scene.keyed(B));
    scene.park(lease, a);
    scene.park(lease, b);
    scene.bury(lease, a.get(0), true);

    Set<Long> stillParked =
        scene.outbox.settleParked(
            List.of(
                acknowledged(lease, A, a.subList(1, 2)), acknowledged(lease, B, b.subList(0, 1))));

    assertThat(stillParked).containsExactlyInAnyOrder(hash(A), hash(B));
    assertThat(ids(scene.due())).containsExactly(b.get(1).id());
  }

  @Test
  default void keyThatADeadLetterBlocksStaysBlockedWithoutParkedMessages() {
    StoreScene scene = new StoreScene(fixture());
    Lease lease = scene.lease();
    List<StoredMessage> rows = scene.commit(scene.keyed(A), scene.keyed(A));
    scene.park(lease, rows);
    scene.bury(lease, rows.get(0), true);

    Set<Long> stillBlocked =
        scene.outbox.settleParked(List.of(acknowledged(lease, A, rows.subList(1, 2))));

    assertThat(stillBlocked).containsExactly(hash(A));
    assertThat(scene.blocked(PARTITION)).containsExactly(hash(A));
  }

  @Test
  default void failureBehindADeadLetterThatBlocksItsKeyIsNoHead() {
    StoreScene scene = new StoreScene(fixture());
    Lease lease = scene.lease();
    List<StoredMessage> rows = scene.commit(scene.keyed(A), scene.keyed(A));
    scene.park(lease, rows);
    scene.bury(lease, rows.get(0), true);

    Set<Long> stillBlocked =
        scene.outbox.settleParked(List.of(failed(lease, A, rows.get(1), 3, Duration.ZERO)));

    assertThat(stillBlocked).containsExactly(hash(A));
    assertThat(scene.due()).isEmpty();
    assertThat(scene.outbox.parkedOfKey(PARTITION, hash(A), ReadLimit.rows(10)))
        .extracting(StoredMessage::attempts)
        .containsExactly(3);
  }

  @Test
  default void nothingToSettleIsNoFault() {
    StoreScene scene = new StoreScene(fixture());
    Lease lease = scene.lease();
    List<StoredMessage> rows = scene.commit(scene.keyed(A));
    scene.park(lease, rows);

    Set<Long> ofNoKey = scene.outbox.settleParked(List.of());
    boolean more = scene.settle(lease, A, List.of(), List.of());

    assertThat(ofNoKey).isEmpty();
    assertThat(more).isTrue();
    assertThat(scene.parkedOf(A)).isEqualTo(ids(rows));
  }

  private static ParkedOutcome acknowledged(Lease lease, String key, List<StoredMessage> rows) {
    return new ParkedOutcome(lease, hash(key), positions(rows), List.of());
  }

  private static ParkedOutcome failed(
      Lease lease, String key, StoredMessage row, int attempts, Duration pause) {
    ParkedEntry head = ParkedEntry.head(row, attempts, pause, "again");
    return new ParkedOutcome(lease, hash(key), List.of(), List.of(head));
  }
}
