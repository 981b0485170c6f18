package io.angarium.testkit.tck;

import static io.angarium.testkit.tck.StoreScene.A;
import static io.angarium.testkit.tck.StoreScene.LONG;
import static io.angarium.testkit.tck.StoreScene.OTHER_PARTITION;
import static io.angarium.testkit.tck.StoreScene.PARTITION;
import static io.angarium.testkit.tck.StoreScene.SHORT;
import static io.angarium.testkit.tck.StoreScene.ids;
import static io.angarium.testkit.tck.StoreScene.sequence;
import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.intake.NewMessage;
import io.angarium.intake.Position;
import io.angarium.intake.StoredMessage;
import io.angarium.store.ReadLimit;
import io.angarium.store.SequenceRange;
import io.angarium.store.Snapshot;
import io.angarium.store.lease.Lease;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The contract of delayed messages. Part of {@link OutboxStoreTck}. */
@SuppressWarnings("doclint:missing") // the tests are named as sentences
public interface DelayedTck extends FixtureTck {

  @Test
  default void delayedMessageIsNotReadBeforeItsTime() {
    StoreScene scene = new StoreScene(fixture());
    Lease lease = scene.lease();
    scene.commit(delayed(scene, LONG));

    assertThat(scene.outbox.enqueueDue(List.of(lease), 10)).isEmpty();

    assertThat(scene.unsent()).isEmpty();
    assertThat(scene.due()).isEmpty();
    assertThat(scene.parkedOf(A)).isEmpty();
    assertThat(scene.blocked(PARTITION)).isEmpty();
    assertThat(scene.outbox.backlog().parked()).isEqualTo(1);
  }

  @Test
  default void dueMessageComesIntoTheOutboxAtTheEndOfItsKey() {
    StoreScene scene = new StoreScene(fixture());
    Lease lease = scene.lease();
    NewMessage later = delayed(scene, SHORT);
    scene.commit(later);
    StoredMessage prompt = scene.commit(scene.keyed(A)).get(0);
    fixture().letPass(SHORT);

    assertThat(scene.outbox.enqueueDue(List.of(lease), 10)).hasSize(1);

    List<StoredMessage> rows = scene.unsent();
    assertThat(ids(rows)).containsExactly(prompt.id(), later.id());
    assertThat(rows.get(1).message().payload()).isEqualTo(later.message().payload());
    assertThat(rows.get(1).message().key()).isEqualTo(A);
    assertThat(rows.get(1).attempts()).isZero();
    assertThat(scene.outbox.lastSequence()).isGreaterThanOrEqualTo(sequence(rows.get(1)));
    assertThat(scene.outbox.backlog().parked()).isZero();
    assertThat(scene.outbox.enqueueDue(List.of(lease), 10)).isEmpty();
  }

  @Test
  default void enqueuedMessageIsALateRowForThoseWhoReadBefore() {
    StoreScene scene = new StoreScene(fixture());
    Lease lease = scene.lease();
    NewMessage later = delayed(scene, SHORT);
    scene.commit(later);
    List<SequenceRange> all = List.of(SequenceRange.after(PARTITION, 0));
    Snapshot before = scene.outbox.readLate(all, null, ReadLimit.rows(10)).snapshot();
    fixture().letPass(SHORT);

    scene.outbox.enqueueDue(List.of(lease), 10);

    assertThat(ids(scene.outbox.readLate(all, before, ReadLimit.rows(10)).rows()))
        .contains(later.id());
  }

  @Test
  default void enqueueTellsWhereTheMessagesAreNow() {
    StoreScene scene = new StoreScene(fixture());
    Instant due = fixture().now().plus(SHORT);
    NewMessage keyless = scene.of(StoreScene.message("keyless").notBefore(due));
    scene.commit(due(scene, due), scene.keyed(A), keyless);
    Lease lease = scene.lease();
    Lease other = scene.lease(keyless.partition(), lease.node().name());
    StoredMessage between = scene.commit(scene.keyed(A)).get(0);
    fixture().letPass(SHORT);

    List<Position> moved = scene.outbox.enqueueDue(List.of(lease, other), 10);

    List<SequenceRange> spans =
        List.of(
            SequenceRange.after(PARTITION, sequence(between)),
            SequenceRange.after(other.partition(), 0));
    assertThat(moved)
        .hasSize(2)
        .containsExactlyInAnyOrderElementsOf(
            scene.outbox.read(spans, ReadLimit.rows(10)).rows().stream()
                .map(StoredMessage::position)
                .toList());
  }

  @Test
  default void enqueueKeepsToItsLimit() {
    StoreScene scene = new StoreScene(fixture());
    Lease lease = scene.lease();
    scene.commit(delayed(scene, SHORT), delayed(scene, SHORT), delayed(scene, SHORT));
    fixture().letPass(SHORT);

    assertThat(scene.outbox.enqueueDue(List.of(lease), 2)).hasSize(2);
    assertThat(scene.unsent()).hasSize(2);
    assertThat(scene.outbox.enqueueDue(List.of(lease), 2)).hasSize(1);
    assertThat(scene.unsent()).hasSize(3);
  }

  @Test
  default void earlierDueTimeComesFirst() {
    StoreScene scene = new StoreScene(fixture());
    Lease lease = scene.lease();
    Instant now = fixture().now();
    NewMessage second = due(scene, now.plus(SHORT));
    NewMessage first = due(scene, now.plus(SHORT.dividedBy(2)));
    scene.commit(second, first);
    fixture().letPass(SHORT);

    scene.outbox.enqueueDue(List.of(lease), 10);

    assertThat(ids(scene.unsent())).containsExactly(first.id(), second.id());
  }

  @Test
  default void onlyPartitionsOfTheLeasesAreEnqueued() {
    StoreScene scene = new StoreScene(fixture());
    Lease elsewhere = scene.lease(OTHER_PARTITION, "node-a");
    scene.commit(delayed(scene, SHORT));
    fixture().letPass(SHORT);

    assertThat(scene.outbox.enqueueDue(List.of(elsewhere), 10)).isEmpty();
    assertThat(scene.outbox.enqueueDue(List.of(), 10)).isEmpty();

    assertThat(scene.unsent()).isEmpty();
    assertThat(scene.outbox.enqueueDue(List.of(elsewhere, scene.lease()), 10)).hasSize(1);
  }

  @Test
  default void uncommittedDelayedMessageIsNotEnqueued() {
    StoreScene scene = new StoreScene(fixture());
    Lease lease = scene.lease();
    try (StoreFixture.OpenTransaction open = scene.open(delayed(scene, SHORT))) {
      fixture().letPass(SHORT);

      assertThat(scene.outbox.enqueueDue(List.of(lease), 10)).isEmpty();

      open.commit();
      assertThat(scene.outbox.enqueueDue(List.of(lease), 10)).hasSize(1);
    }
  }

  private static NewMessage delayed(StoreScene scene, Duration delay) {
    return due(scene, scene.fixture.now().plus(delay));
  }

  private static NewMessage due(StoreScene scene, Instant notBefore) {
    return scene.of(StoreScene.message("delayed").key(A).notBefore(notBefore));
  }
}
