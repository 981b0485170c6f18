package io.angarium.testkit;

import static io.angarium.testkit.StoreScene.A;
import static io.angarium.testkit.StoreScene.B;
import static io.angarium.testkit.StoreScene.KEYLESS_PARTITION;
import static io.angarium.testkit.StoreScene.LONG;
import static io.angarium.testkit.StoreScene.PARTITION;
import static io.angarium.testkit.StoreScene.SHORT;
import static io.angarium.testkit.StoreScene.hash;
import static io.angarium.testkit.StoreScene.ids;
import static io.angarium.testkit.StoreScene.positions;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.angarium.store.Lease;
import io.angarium.store.Parking;
import io.angarium.store.ReadLimit;
import io.angarium.store.StoredMessage;
import java.time.Duration;
import java.util.List;
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

    boolean more =
        scene.outbox.settleParked(lease, hash(A), positions(rows.subList(0, 1)), List.of());

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

    boolean more = scene.outbox.settleParked(lease, hash(A), positions(rows), List.of());

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
        scene.outbox.settleParked(
            lease, hash(A), List.of(), List.of(Parking.head(rows.get(0), 2, SHORT, "y")));

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

    scene.outbox.settleParked(
        lease, hash(A), List.of(), List.of(Parking.head(rows.get(0), 2, LONG, "y")));

    assertThat(scene.due()).isEmpty();
  }

  @Test
  default void failureBehindAcknowledgedOnesBecomesTheOnlyHead() {
    StoreScene scene = new StoreScene(fixture());
    Lease lease = scene.lease();
    List<StoredMessage> rows = scene.commit(scene.keyed(A), scene.keyed(A), scene.keyed(A));
    scene.park(lease, rows);

    scene.outbox.settleParked(
        lease,
        hash(A),
        positions(rows.subList(0, 1)),
        List.of(Parking.head(rows.get(1), 1, Duration.ZERO, "z")));

    assertThat(scene.parkedOf(A)).isEqualTo(ids(rows.subList(1, 3)));
    assertThat(ids(scene.due())).containsExactly(rows.get(1).id());
  }

  @Test
  default void failureBelowAnAcknowledgedOneStaysTheOnlyHead() {
    StoreScene scene = new StoreScene(fixture());
    Lease lease = scene.lease();
    List<StoredMessage> rows = scene.commit(scene.keyed(A), scene.keyed(A), scene.keyed(A));
    scene.park(lease, rows);

    scene.outbox.settleParked(
        lease,
        hash(A),
        positions(rows.subList(1, 2)),
        List.of(Parking.head(rows.get(0), 2, Duration.ZERO, "lost")));

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

    boolean more =
        scene.outbox.settleParked(
            lease,
            0,
            positions(rows.subList(0, 1)),
            List.of(
                Parking.head(rows.get(1), 2, LONG, "a"),
                Parking.head(rows.get(2), 5, Duration.ZERO, "b")));

    assertThat(more).isFalse();
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
    scene.outbox.settleParked(lease, hash(A), positions(rows), List.of());

    boolean more =
        scene.outbox.settleParked(
            lease, hash(A), positions(rows), List.of(Parking.head(rows.get(0), 2, LONG, "y")));

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

    scene.outbox.settleParked(lease, hash(A), positions(rows.subList(0, 1)), List.of());

    assertThat(scene.parkedOf(B)).isEqualTo(ids(rows.subList(1, 3)));
    assertThat(ids(scene.due())).containsExactly(rows.get(3).id());
  }

  @Test
  default void rowsStillInTheOutboxAreNotSettled() {
    StoreScene scene = new StoreScene(fixture());
    List<StoredMessage> rows = scene.commit(scene.keyed(A));

    boolean more = scene.outbox.settleParked(scene.lease(), hash(A), positions(rows), List.of());

    assertThat(more).isFalse();
    assertThat(ids(scene.unsent())).isEqualTo(ids(rows));
  }
}
