package io.angarium.testkit.tck;

import static io.angarium.testkit.tck.StoreScene.A;
import static io.angarium.testkit.tck.StoreScene.B;
import static io.angarium.testkit.tck.StoreScene.KEYLESS_PARTITION;
import static io.angarium.testkit.tck.StoreScene.LONG;
import static io.angarium.testkit.tck.StoreScene.PARTITION;
import static io.angarium.testkit.tck.StoreScene.hash;
import static io.angarium.testkit.tck.StoreScene.ids;
import static io.angarium.testkit.tck.StoreScene.positions;
import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.deadletter.DeadLetter;
import io.angarium.intake.StoredMessage;
import io.angarium.store.DeadEntry;
import io.angarium.store.ReadLimit;
import io.angarium.store.lease.Lease;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The contract of {@link io.angarium.store.OutboxStore#bury}. Part of {@link OutboxStoreTck}. */
@SuppressWarnings("doclint:missing") // the tests are named as sentences
public interface BurialTck extends FixtureTck {

  @Test
  default void messageIsBuriedFromTheOutbox() {
    StoreScene scene = new StoreScene(fixture());
    StoredMessage row = scene.commit(scene.keyed(A)).get(0);
    Instant before = fixture().now();

    scene.outbox.bury(scene.lease(), List.of(DeadEntry.of(row, 4, "too large", false)));

    assertThat(scene.unsent()).isEmpty();
    DeadLetter dead = scene.outbox.deadLetters().page(null, null, 10).get(0);
    assertThat(dead.message().id()).isEqualTo(row.id());
    assertThat(dead.message().position()).isEqualTo(row.position());
    assertThat(dead.message().attempts()).isEqualTo(4);
    assertThat(dead.message().createdAt()).isEqualTo(row.createdAt());
    assertThat(dead.reason()).isEqualTo("too large");
    assertThat(dead.blocksKey()).isFalse();
    assertThat(dead.deadSince()).isBetween(before.minusMillis(1), fixture().now().plusMillis(1));
  }

  @Test
  default void messageIsBuriedFromTheParkedList() {
    StoreScene scene = new StoreScene(fixture());
    Lease lease = scene.lease();
    List<StoredMessage> rows = scene.commit(scene.keyed(A));
    scene.park(lease, rows);

    scene.bury(lease, rows.get(0), false);

    assertThat(scene.parkedOf(A)).isEmpty();
    assertThat(scene.due()).isEmpty();
    assertThat(scene.blocked(PARTITION)).isEmpty();
    assertThat(scene.outbox.deadLetters().page(null, null, 10)).hasSize(1);
  }

  @Test
  default void nextOfTheKeyIsDueAtOnceBehindADeadOneThatDoesNotBlock() {
    StoreScene scene = new StoreScene(fixture());
    Lease lease = scene.lease();
    List<StoredMessage> rows = scene.commit(scene.keyed(A), scene.keyed(A), scene.keyed(A));
    scene.park(lease, rows, LONG);

    scene.bury(lease, rows.get(0), false);

    assertThat(ids(scene.due())).containsExactly(rows.get(1).id());
    assertThat(scene.parkedOf(A)).isEqualTo(ids(rows.subList(1, 3)));
  }

  @Test
  default void deadOneFromTheOutboxLetsTheParkedOnesGoOn() {
    StoreScene scene = new StoreScene(fixture());
    Lease lease = scene.lease();
    List<StoredMessage> rows = scene.commit(scene.keyed(A), scene.keyed(A), scene.keyed(A));
    scene.park(lease, rows.subList(1, 3), LONG);
    assertThat(scene.due()).isEmpty();

    scene.bury(lease, rows.get(0), false);

    assertThat(ids(scene.due())).containsExactly(rows.get(1).id());
  }

  @Test
  default void blockingDeadLetterHoldsItsKeyBack() {
    StoreScene scene = new StoreScene(fixture());
    Lease lease = scene.lease();
    List<StoredMessage> rows = scene.commit(scene.keyed(A), scene.keyed(A), scene.keyed(B));
    scene.park(lease, rows.subList(0, 2));
    scene.park(lease, rows.subList(2, 3));

    scene.bury(lease, rows.get(0), true);

    assertThat(ids(scene.due())).containsExactly(rows.get(2).id());
    assertThat(scene.blocked(PARTITION)).containsExactlyInAnyOrder(hash(A), hash(B));
    assertThat(scene.outbox.deadLetters().page(null, null, 10))
        .singleElement()
        .extracting(DeadLetter::blocksKey)
        .isEqualTo(true);
  }

  @Test
  default void blockingDeadLetterBlocksItsKeyWithNothingBehindIt() {
    StoreScene scene = new StoreScene(fixture());
    StoredMessage row = scene.commit(scene.keyed(A)).get(0);

    scene.bury(scene.lease(), row, true);

    assertThat(scene.blocked(PARTITION)).containsExactly(hash(A));
  }

  @Test
  default void severalAreBuriedTogether() {
    StoreScene scene = new StoreScene(fixture());
    Lease lease = scene.lease();
    List<StoredMessage> rows =
        scene.commit(scene.keyed(A), scene.keyed(A), scene.keyed(B), scene.keyed(B));
    scene.park(lease, rows.subList(0, 2), LONG);

    scene.outbox.bury(
        lease,
        List.of(
            DeadEntry.of(rows.get(0), 1, "a", false), DeadEntry.of(rows.get(2), 2, "b", false)));

    assertThat(scene.outbox.deadLetters().page(null, null, 10))
        .extracting(dead -> dead.message().id())
        .containsExactly(rows.get(0).id(), rows.get(2).id());
    assertThat(ids(scene.due())).containsExactly(rows.get(1).id());
    assertThat(ids(scene.unsent())).containsExactly(rows.get(3).id());
  }

  @Test
  default void keylessMessageIsBuriedAndBlocksNothing() {
    StoreScene scene = new StoreScene(fixture());
    Lease lease = scene.lease(KEYLESS_PARTITION, "node-a");
    List<StoredMessage> rows = scene.commit(scene.keyless(), scene.keyless());
    scene.park(lease, rows.subList(1, 2), LONG);

    scene.bury(lease, rows.get(0), true);

    assertThat(scene.blocked(KEYLESS_PARTITION)).isEmpty();
    assertThat(
            scene.outbox.dueHeads(List.of(KEYLESS_PARTITION), List.of(), ReadLimit.rows(10)).rows())
        .isEmpty();
    assertThat(scene.outbox.deadLetters().page(null, null, 10)).hasSize(1);
  }

  @Test
  default void messageAlreadyGoneIsPassedOver() {
    StoreScene scene = new StoreScene(fixture());
    Lease lease = scene.lease();
    List<StoredMessage> rows = scene.commit(scene.keyed(A), scene.keyed(A));
    scene.outbox.delete(positions(rows.subList(0, 1)));
    scene.bury(lease, rows.get(1), false);

    scene.outbox.bury(
        lease,
        List.of(
            DeadEntry.of(rows.get(0), 1, "a", false), DeadEntry.of(rows.get(1), 9, "b", false)));
    scene.outbox.bury(lease, List.of());

    assertThat(scene.outbox.deadLetters().page(null, null, 10))
        .singleElement()
        .satisfies(dead -> assertThat(dead.message().attempts()).isEqualTo(1));
  }

  @Test
  default void longReasonIsTaken() {
    StoreScene scene = new StoreScene(fixture());
    StoredMessage row = scene.commit(scene.keyed(A)).get(0);
    String reason = "\ud83d\udce8".repeat(3_000);

    scene.outbox.bury(scene.lease(), List.of(DeadEntry.of(row, 1, reason, false)));

    DeadLetter dead = scene.outbox.deadLetters().page(null, null, 10).get(0);
    assertThat(reason).startsWith(dead.reason());
    assertThat(dead.reason().length()).isGreaterThanOrEqualTo(998);
  }
}
