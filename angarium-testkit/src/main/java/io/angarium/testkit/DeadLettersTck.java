package io.angarium.testkit;

import static io.angarium.testkit.StoreScene.A;
import static io.angarium.testkit.StoreScene.B;
import static io.angarium.testkit.StoreScene.C;
import static io.angarium.testkit.StoreScene.ELSEWHERE;
import static io.angarium.testkit.StoreScene.KEYLESS_PARTITION;
import static io.angarium.testkit.StoreScene.LONG;
import static io.angarium.testkit.StoreScene.OTHER_PARTITION;
import static io.angarium.testkit.StoreScene.PARTITION;
import static io.angarium.testkit.StoreScene.hash;
import static io.angarium.testkit.StoreScene.ids;
import static io.angarium.testkit.StoreScene.sequence;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.store.Burial;
import io.angarium.store.DeadLetter;
import io.angarium.store.DeadLetters;
import io.angarium.store.Lease;
import io.angarium.store.Position;
import io.angarium.store.ReadLimit;
import io.angarium.store.Snapshot;
import io.angarium.store.Span;
import io.angarium.store.StoredMessage;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The contract of {@link io.angarium.store.DeadLetters}. Part of {@link OutboxStoreTck}. */
@SuppressWarnings("doclint:missing") // the tests are named as sentences
public interface DeadLettersTck extends FixtureTck {

  @Test
  default void pagesGoThroughAllDeadLettersOldestFirst() {
    StoreScene scene = new StoreScene(fixture());
    List<StoredMessage> here = scene.commit(scene.keyed(A), scene.keyed(B));
    List<StoredMessage> there = scene.commit(scene.keyed(ELSEWHERE));
    List<StoredMessage> again = scene.commit(scene.keyed(C), scene.keyed(A));
    Lease lease = scene.lease();
    scene.bury(lease, again.get(1), false);
    scene.bury(scene.lease(OTHER_PARTITION, "node-a"), there.get(0), false);
    scene.bury(lease, again.get(0), false);
    scene.bury(lease, here.get(1), false);
    scene.bury(lease, here.get(0), false);

    DeadLetters dead = scene.outbox.deadLetters();
    List<DeadLetter> first = dead.page(null, null, 2);
    List<DeadLetter> second = dead.page(null, last(first), 2);
    List<DeadLetter> third = dead.page(null, last(second), 2);

    assertThat(deadIds(first)).isEqualTo(ids(here));
    assertThat(deadIds(second)).containsExactly(there.get(0).id(), again.get(0).id());
    assertThat(deadIds(third)).containsExactly(again.get(1).id());
    assertThat(dead.page(null, last(third), 2)).isEmpty();
  }

  @Test
  default void pageCanBeOfOneDestination() {
    StoreScene scene = new StoreScene(fixture());
    Message toOther = Message.of("fake:other", new byte[0]);
    List<StoredMessage> rows =
        scene.commit(scene.keyless(), scene.of(toOther), scene.keyless(), scene.of(toOther));
    Lease lease = scene.lease(KEYLESS_PARTITION, "node-a");
    rows.forEach(row -> scene.bury(lease, row, false));

    DeadLetters dead = scene.outbox.deadLetters();
    List<DeadLetter> page = dead.page("fake:other", null, 1);

    assertThat(deadIds(page)).containsExactly(rows.get(1).id());
    assertThat(deadIds(dead.page("fake:other", last(page), 9))).containsExactly(rows.get(3).id());
    assertThat(dead.page("fake:none", null, 9)).isEmpty();
  }

  @Test
  default void pageOfAWrongSizeIsRefused() {
    DeadLetters dead = fixture().outbox().deadLetters();

    assertThatThrownBy(() -> dead.page(null, null, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("0");
    assertThatThrownBy(() -> dead.page(null, null, DeadLetters.PAGE_MAX + 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("1001");
    assertThat(dead.page(null, null, DeadLetters.PAGE_MAX)).isEmpty();
  }

  @Test
  default void deadLettersAreFoundById() {
    StoreScene scene = new StoreScene(fixture());
    List<StoredMessage> rows = scene.commit(scene.keyed(A), scene.keyed(B), scene.keyed(C));
    Lease lease = scene.lease();
    scene.bury(lease, rows.get(0), false);
    scene.bury(lease, rows.get(2), true);

    List<DeadLetter> found = scene.outbox.deadLetters().find(ids(rows));

    assertThat(deadIds(found)).containsExactlyInAnyOrder(rows.get(0).id(), rows.get(2).id());
    assertThat(scene.outbox.deadLetters().find(List.of())).isEmpty();
  }

  @Test
  default void requeuedMessageIsEnqueuedAnewAtTheEndOfItsKey() {
    StoreScene scene = new StoreScene(fixture());
    StoredMessage row = scene.commit(scene.keyed(A)).get(0);
    scene.outbox.bury(scene.lease(), List.of(Burial.of(row, 5, "x", false)));
    StoredMessage later = scene.commit(scene.keyed(A)).get(0);

    int requeued = scene.outbox.deadLetters().requeue(List.of(row.id()), "ann");

    assertThat(requeued).isEqualTo(1);
    assertThat(ids(scene.unsent())).containsExactly(later.id(), row.id());
    assertThat(scene.unsent().get(1).attempts()).isZero();
    assertThat(scene.outbox.lastSequence()).isGreaterThanOrEqualTo(sequence(scene.unsent().get(1)));
    assertThat(scene.outbox.deadLetters().page(null, null, 10)).isEmpty();
  }

  @Test
  default void requeuedMessageIsALateRowForThoseWhoReadBefore() {
    StoreScene scene = new StoreScene(fixture());
    StoredMessage row = scene.commit(scene.keyed(A)).get(0);
    scene.bury(scene.lease(), row, false);
    List<Span> all = List.of(Span.after(PARTITION, 0));
    Snapshot before = scene.outbox.readLate(all, null, ReadLimit.rows(10)).snapshot();

    scene.outbox.deadLetters().requeue(List.of(row.id()), "ann");

    assertThat(ids(scene.outbox.readLate(all, before, ReadLimit.rows(10)).rows()))
        .contains(row.id());
  }

  @Test
  default void requeuedBlockerTakesItsOldPlaceBeforeTheWaitingOnes() {
    StoreScene scene = new StoreScene(fixture());
    Lease lease = scene.lease();
    List<StoredMessage> rows = scene.commit(scene.keyed(A), scene.keyed(A), scene.keyed(A));
    scene.park(lease, rows);
    scene.bury(lease, rows.get(0), true);

    int requeued = scene.outbox.deadLetters().requeue(ids(rows), "ann");

    assertThat(requeued).isEqualTo(1);
    assertThat(scene.parkedOf(A)).isEqualTo(ids(rows));
    assertThat(ids(scene.due())).containsExactly(rows.get(0).id());
    assertThat(scene.due().get(0).attempts()).isZero();
    assertThat(scene.blocked(PARTITION)).containsExactly(hash(A));
    assertThat(scene.outbox.deadLetters().page(null, null, 10)).isEmpty();
  }

  @Test
  default void discardedBlockerLetsTheWaitingOnesGoOn() {
    StoreScene scene = new StoreScene(fixture());
    Lease lease = scene.lease();
    List<StoredMessage> rows = scene.commit(scene.keyed(A), scene.keyed(A), scene.keyed(A));
    scene.park(lease, rows, LONG);
    scene.bury(lease, rows.get(0), true);

    int discarded = scene.outbox.deadLetters().discard(List.of(rows.get(0).id()), "ann");

    assertThat(discarded).isEqualTo(1);
    assertThat(ids(scene.due())).containsExactly(rows.get(1).id());
    assertThat(scene.parkedOf(A)).isEqualTo(ids(rows.subList(1, 3)));
    assertThat(scene.outbox.deadLetters().page(null, null, 10)).isEmpty();
  }

  @Test
  default void discardedBlockerFreesAKeyWithNothingWaiting() {
    StoreScene scene = new StoreScene(fixture());
    StoredMessage row = scene.commit(scene.keyed(A)).get(0);
    scene.bury(scene.lease(), row, true);

    scene.outbox.deadLetters().discard(List.of(row.id()), "ann");

    assertThat(scene.blocked(PARTITION)).isEmpty();
    assertThat(scene.unsent()).isEmpty();
  }

  @Test
  default void discardOfOneThatDoesNotBlockLeavesItsKeyAlone() {
    StoreScene scene = new StoreScene(fixture());
    Lease lease = scene.lease();
    List<StoredMessage> rows = scene.commit(scene.keyed(A), scene.keyed(A));
    scene.bury(lease, rows.get(0), false);
    scene.park(lease, rows.subList(1, 2), LONG);

    scene.outbox.deadLetters().discard(List.of(rows.get(0).id()), "ann");

    assertThat(scene.due()).isEmpty();
    assertThat(scene.parkedOf(A)).containsExactly(rows.get(1).id());
  }

  @Test
  default void unknownIdsAreNotCounted() {
    StoreScene scene = new StoreScene(fixture());
    StoredMessage unsent = scene.commit(scene.keyed(A)).get(0);
    DeadLetters dead = scene.outbox.deadLetters();

    assertThat(dead.requeue(List.of(unsent.id()), "ann")).isZero();
    assertThat(dead.discard(List.of(unsent.id()), "ann")).isZero();
    assertThat(dead.requeue(List.of(), "ann")).isZero();
    assertThat(dead.discard(List.of(), "ann")).isZero();

    assertThat(ids(scene.unsent())).containsExactly(unsent.id());
  }

  @Test
  default void requeueOfAKeylessMessageSendsItAgain() {
    StoreScene scene = new StoreScene(fixture());
    StoredMessage row = scene.commit(scene.keyless()).get(0);
    scene.bury(scene.lease(KEYLESS_PARTITION, "node-a"), row, true);

    scene.outbox.deadLetters().requeue(List.of(row.id()), "ann");

    assertThat(ids(scene.unsent())).containsExactly(row.id());
  }

  private static List<MessageId> deadIds(List<DeadLetter> page) {
    return page.stream().map(dead -> dead.message().id()).toList();
  }

  private static Position last(List<DeadLetter> page) {
    return page.get(page.size() - 1).message().position();
  }
}
