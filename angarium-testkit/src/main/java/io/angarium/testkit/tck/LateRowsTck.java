package io.angarium.testkit.tck;

import static io.angarium.testkit.tck.StoreScene.A;
import static io.angarium.testkit.tck.StoreScene.B;
import static io.angarium.testkit.tck.StoreScene.ELSEWHERE;
import static io.angarium.testkit.tck.StoreScene.OTHER_PARTITION;
import static io.angarium.testkit.tck.StoreScene.PARTITION;
import static io.angarium.testkit.tck.StoreScene.ids;
import static io.angarium.testkit.tck.StoreScene.sequence;
import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.MessageId;
import io.angarium.intake.NewMessage;
import io.angarium.intake.StoredMessage;
import io.angarium.store.LateRows;
import io.angarium.store.ReadLimit;
import io.angarium.store.SequenceRange;
import io.angarium.store.Snapshot;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * The contract of {@link io.angarium.store.OutboxStore#readLate}. Part of {@link OutboxStoreTck}.
 */
@SuppressWarnings("doclint:missing") // the tests are named as sentences
public interface LateRowsTck extends FixtureTck {
  @Test
  default void firstLookReturnsEveryRowOfTheSpans() {
    StoreScene scene = new StoreScene(fixture());
    List<StoredMessage> rows = scene.commit(scene.keyed(A), scene.keyed(B), scene.keyed(A));
    scene.commit(scene.keyed(ELSEWHERE));

    LateRows late =
        scene.outbox.readLate(
            List.of(new SequenceRange(PARTITION, 0, sequence(rows.get(1)))),
            null,
            ReadLimit.rows(100));

    assertThat(ids(late.rows())).containsExactlyInAnyOrderElementsOf(ids(rows.subList(0, 2)));
    assertThat(late.complete()).isTrue();
  }

  /** Otherwise a caller that asks for the rest would never get any further. */
  @Test
  default void rowBehindManyOfOthersIsFoundAtOnce() {
    StoreScene scene = new StoreScene(fixture());
    List<NewMessage> others = new ArrayList<>();
    for (int i = 0; i < 1_100; i++) {
      others.add(scene.keyed(ELSEWHERE));
    }
    scene.commit(others);
    NewMessage behind = scene.keyed(A);
    scene.commit(behind);

    LateRows late =
        scene.outbox.readLate(List.of(SequenceRange.after(PARTITION, 0)), null, ReadLimit.rows(1));

    assertThat(ids(late.rows())).containsExactly(behind.id());
  }

  @Test
  default void lookWithoutSpansOnlyTakesASnapshot() {
    StoreScene scene = new StoreScene(fixture());
    scene.commit(scene.keyed(A));

    LateRows nothing = scene.outbox.readLate(List.of(), null, ReadLimit.rows(1));

    StoredMessage row = scene.commit(scene.keyed(B)).get(0);
    List<SequenceRange> all = List.of(SequenceRange.after(PARTITION, 0));
    assertThat(nothing.rows()).isEmpty();
    assertThat(nothing.complete()).isTrue();
    assertThat(ids(scene.outbox.readLate(all, nothing.snapshot(), ReadLimit.rows(10)).rows()))
        .contains(row.id());
  }

  @Test
  default void rowCommittedAfterTheSnapshotIsFoundBelowTheCursor() {
    StoreScene scene = new StoreScene(fixture());
    NewMessage late = scene.keyed(A);
    try (StoreFixture.OpenTransaction open = scene.open(late)) {
      StoredMessage early = scene.commit(scene.keyed(B)).get(0);
      List<SequenceRange> below = List.of(new SequenceRange(PARTITION, 0, sequence(early)));
      Snapshot before = scene.outbox.readLate(below, null, ReadLimit.rows(100)).snapshot();

      open.commit();

      LateRows found = scene.outbox.readLate(below, before, ReadLimit.rows(100));
      assertThat(ids(found.rows())).contains(late.id());
      assertThat(found.complete()).isTrue();
    }
  }

  @Test
  default void rowWrittenAfterTheSnapshotIsFound() {
    StoreScene scene = new StoreScene(fixture());
    List<SequenceRange> all = List.of(SequenceRange.after(PARTITION, 0));
    Snapshot before = scene.outbox.readLate(all, null, ReadLimit.rows(100)).snapshot();

    StoredMessage row = scene.commit(scene.keyed(A)).get(0);

    assertThat(ids(scene.outbox.readLate(all, before, ReadLimit.rows(100)).rows()))
        .contains(row.id());
  }

  @Test
  default void uncommittedRowsAreNotLateYet() {
    StoreScene scene = new StoreScene(fixture());
    List<SequenceRange> all = List.of(SequenceRange.after(PARTITION, 0));
    Snapshot before = scene.outbox.readLate(all, null, ReadLimit.rows(100)).snapshot();

    try (StoreFixture.OpenTransaction open = scene.open(scene.keyed(A))) {
      assertThat(scene.outbox.readLate(all, before, ReadLimit.rows(100)).rows()).isEmpty();
      open.rollback();
    }

    assertThat(scene.outbox.readLate(all, before, ReadLimit.rows(100)).rows()).isEmpty();
  }

  @Test
  default void lateRowsStayWithinTheSpans() {
    StoreScene scene = new StoreScene(fixture());
    List<StoredMessage> rows = scene.commit(scene.keyed(A), scene.keyed(A), scene.keyed(A));
    StoredMessage elsewhere = scene.commit(scene.keyed(ELSEWHERE)).get(0);

    LateRows late =
        scene.outbox.readLate(
            List.of(
                new SequenceRange(PARTITION, sequence(rows.get(0)), sequence(rows.get(1))),
                SequenceRange.after(OTHER_PARTITION, sequence(elsewhere))),
            null,
            ReadLimit.rows(100));

    assertThat(ids(late.rows())).isEqualTo(ids(rows.subList(1, 2)));
  }

  @Test
  default void limitCutsLateRowsShortAndSaysSo() {
    StoreScene scene = new StoreScene(fixture());
    List<SequenceRange> all =
        List.of(SequenceRange.after(PARTITION, 0), SequenceRange.after(OTHER_PARTITION, 0));
    Snapshot before = scene.outbox.readLate(all, null, ReadLimit.rows(100)).snapshot();
    List<StoredMessage> rows = scene.commit(scene.keyed(A), scene.keyed(ELSEWHERE), scene.keyed(A));

    LateRows cut = scene.outbox.readLate(all, before, ReadLimit.rows(2));
    assertThat(cut.rows()).hasSizeLessThanOrEqualTo(2);
    assertThat(cut.complete()).isFalse();
    scene.outbox.delete(StoreScene.positions(cut.rows()));
    LateRows rest = scene.outbox.readLate(all, before, ReadLimit.rows(100));

    assertThat(rest.complete()).isTrue();
    Set<MessageId> found = new HashSet<>(ids(cut.rows()));
    found.addAll(ids(rest.rows()));
    assertThat(found).containsExactlyInAnyOrderElementsOf(ids(rows));
  }

  @Test
  default void chainOfCompleteLooksMissesNoRow() {
    StoreScene scene = new StoreScene(fixture());
    Random random = new Random(20);
    List<SequenceRange> all = List.of(SequenceRange.after(PARTITION, 0));
    List<StoreFixture.OpenTransaction> open = new ArrayList<>();
    Set<MessageId> found = new HashSet<>();
    @Nullable Snapshot since = null;
    for (int step = 0; step < 120; step++) {
      int choice = random.nextInt(3);
      if (choice == 0 && open.size() < 5) {
        open.add(scene.open(scene.keyed(A)));
      } else if (choice == 1 && !open.isEmpty()) {
        endOne(open.remove(random.nextInt(open.size())), random);
      } else {
        LateRows late = scene.outbox.readLate(all, since, ReadLimit.rows(10_000));
        found.addAll(ids(late.rows()));
        since = late.snapshot();
      }
    }
    open.forEach(transaction -> endOne(transaction, random));
    found.addAll(ids(scene.outbox.readLate(all, since, ReadLimit.rows(10_000)).rows()));

    assertThat(found).containsExactlyInAnyOrderElementsOf(ids(scene.unsent()));
  }

  private static void endOne(StoreFixture.OpenTransaction transaction, Random random) {
    try (transaction) {
      if (random.nextInt(4) > 0) {
        transaction.commit();
      }
    }
  }
}
