package io.angarium.testkit.tck;

import static io.angarium.testkit.tck.StoreScene.A;
import static io.angarium.testkit.tck.StoreScene.B;
import static io.angarium.testkit.tck.StoreScene.ELSEWHERE;
import static io.angarium.testkit.tck.StoreScene.KEYLESS_PARTITION;
import static io.angarium.testkit.tck.StoreScene.OTHER_PARTITION;
import static io.angarium.testkit.tck.StoreScene.PARTITION;
import static io.angarium.testkit.tck.StoreScene.ids;
import static io.angarium.testkit.tck.StoreScene.sequence;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.MessageId;
import io.angarium.intake.NewMessage;
import io.angarium.intake.StoredMessage;
import io.angarium.store.OutboxStore;
import io.angarium.store.ReadLimit;
import io.angarium.store.SequenceRange;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The contract of reading the outbox. Part of {@link OutboxStoreTck}. */
@SuppressWarnings("doclint:missing") // the tests are named as sentences
public interface OutboxReadTck extends FixtureTck {
  @Test
  default void committedRowsAreReadInOrderOfSequence() {
    StoreScene scene = new StoreScene(fixture());
    List<NewMessage> sent = List.of(scene.keyed(A), scene.keyed(B), scene.keyed(A));

    scene.commit(sent.get(0));
    scene.commit(sent.subList(1, 3));

    List<StoredMessage> read =
        scene.outbox.read(List.of(SequenceRange.after(PARTITION, 0)), ReadLimit.rows(10)).rows();
    assertThat(ids(read)).containsExactlyElementsOf(sent.stream().map(NewMessage::id).toList());
    assertThat(read).extracting(StoreScene::sequence).isSorted().doesNotHaveDuplicates();
    assertThat(sequence(read.get(0))).isPositive();
    assertThat(read).allSatisfy(row -> assertThat(row.position().partition()).isEqualTo(PARTITION));
  }

  @Test
  default void uncommittedRowsAreNotRead() {
    StoreScene scene = new StoreScene(fixture());

    try (StoreFixture.OpenTransaction open = scene.open(scene.keyed(A))) {
      assertThat(scene.unsent()).isEmpty();
      open.rollback();
    }

    assertThat(scene.unsent()).isEmpty();
  }

  @Test
  default void spanExcludesItsLowerAndIncludesItsUpperEnd() {
    StoreScene scene = new StoreScene(fixture());
    List<StoredMessage> rows =
        scene.commit(scene.keyed(A), scene.keyed(A), scene.keyed(A), scene.keyed(A));

    SequenceRange middle =
        new SequenceRange(PARTITION, sequence(rows.get(0)), sequence(rows.get(2)));
    SequenceRange rest = SequenceRange.after(PARTITION, sequence(rows.get(2)));
    SequenceRange none = SequenceRange.after(PARTITION, sequence(rows.get(3)));

    assertThat(ids(scene.outbox.read(List.of(middle), ReadLimit.rows(10)).rows()))
        .isEqualTo(ids(rows.subList(1, 3)));
    assertThat(ids(scene.outbox.read(List.of(rest), ReadLimit.rows(10)).rows()))
        .isEqualTo(ids(rows.subList(3, 4)));
    assertThat(scene.outbox.read(List.of(none), ReadLimit.rows(10)).rows()).isEmpty();
  }

  @Test
  default void limitHoldsForEachSpanByItself() {
    StoreScene scene = new StoreScene(fixture());
    List<StoredMessage> here = scene.commit(scene.keyed(A), scene.keyed(A), scene.keyed(A));
    List<StoredMessage> there = scene.commit(scene.keyed(ELSEWHERE));
    List<StoredMessage> keyless = scene.commit(scene.keyless(), scene.keyless(), scene.keyless());

    List<StoredMessage> read =
        scene
            .outbox
            .read(
                List.of(
                    SequenceRange.after(PARTITION, 0),
                    SequenceRange.after(OTHER_PARTITION, 0),
                    SequenceRange.after(KEYLESS_PARTITION, 0)),
                ReadLimit.rows(2))
            .rows();

    assertThat(of(PARTITION, read)).isEqualTo(ids(here.subList(0, 2)));
    assertThat(of(OTHER_PARTITION, read)).isEqualTo(ids(there));
    assertThat(of(KEYLESS_PARTITION, read)).isEqualTo(ids(keyless.subList(0, 2)));
  }

  @Test
  default void rowsOfOtherPartitionsAreNotRead() {
    StoreScene scene = new StoreScene(fixture());
    scene.commit(scene.keyed(A), scene.keyed(ELSEWHERE), scene.keyless());

    assertThat(
            scene
                .outbox
                .read(List.of(SequenceRange.after(OTHER_PARTITION, 0)), ReadLimit.rows(10))
                .rows())
        .hasSize(1);
    assertThat(scene.outbox.read(List.of(SequenceRange.after(3, 0)), ReadLimit.rows(10)).rows())
        .isEmpty();
    assertThat(scene.outbox.read(List.of(), ReadLimit.rows(10)).rows()).isEmpty();
  }

  @Test
  default void rowCommittedLateAppearsBelowRowsReadBefore() {
    StoreScene scene = new StoreScene(fixture());
    NewMessage late = scene.keyed(A);
    try (StoreFixture.OpenTransaction open = scene.open(late)) {
      List<StoredMessage> early = scene.commit(scene.keyed(B));
      assertThat(ids(scene.unsent())).isEqualTo(ids(early));

      open.commit();

      assertThat(ids(scene.unsent())).containsExactly(late.id(), early.get(0).id());
    }
  }

  @Test
  default void messagesOfOneTransactionKeepTheirOrder() {
    StoreScene scene = new StoreScene(fixture());
    List<NewMessage> sent = IntStream.range(0, 300).mapToObj(i -> scene.keyed(A)).toList();

    scene.commit(sent);

    List<StoredMessage> read =
        scene.outbox.read(List.of(SequenceRange.after(PARTITION, 0)), ReadLimit.rows(1_000)).rows();
    assertThat(ids(read)).containsExactlyElementsOf(sent.stream().map(NewMessage::id).toList());
  }

  @Test
  default void lastSequenceIsZeroBeforeTheFirstMessage() {
    StoreScene scene = new StoreScene(fixture());

    assertThat(scene.outbox.lastSequence()).isZero();
  }

  @Test
  default void noCommittedRowIsAboveTheLastSequence() {
    StoreScene scene = new StoreScene(fixture());
    for (int i = 0; i < 3; i++) {
      List<StoredMessage> rows = scene.commit(scene.keyed(A), scene.keyless());

      assertThat(scene.outbox.lastSequence()).isGreaterThanOrEqualTo(sequence(rows.get(1)));
    }
  }

  @Test
  default void lastSequenceStaysWhenRowsAreDeleted() {
    StoreScene scene = new StoreScene(fixture());
    List<StoredMessage> rows = scene.commit(scene.keyed(A));

    scene.outbox.delete(StoreScene.positions(rows));
    List<StoredMessage> next = scene.commit(scene.keyed(A));

    assertThat(sequence(next.get(0))).isGreaterThan(sequence(rows.get(0)));
    assertThat(scene.outbox.lastSequence()).isGreaterThanOrEqualTo(sequence(next.get(0)));
  }

  @Test
  default void allStoresOfADatabaseSeeTheSameRows() {
    StoreScene scene = new StoreScene(fixture());
    List<StoredMessage> rows = scene.commit(scene.keyed(A), scene.keyed(B));

    try (OutboxStore another = fixture().anotherOutbox()) {
      another.delete(StoreScene.positions(rows.subList(0, 1)));
      assertThat(
              another.read(List.of(SequenceRange.after(PARTITION, 0)), ReadLimit.rows(10)).rows())
          .hasSize(1);
    }

    assertThat(ids(scene.unsent())).isEqualTo(ids(rows.subList(1, 2)));
  }

  @Test
  default void closedStoreRefusesCallsAndMayBeClosedAgain() {
    StoreScene scene = new StoreScene(fixture());
    OutboxStore another = fixture().anotherOutbox();

    another.close();
    another.close();

    assertThatThrownBy(another::lastSequence).isInstanceOf(RuntimeException.class);
    assertThat(scene.outbox.lastSequence()).isZero();
  }

  private static List<MessageId> of(int partition, List<StoredMessage> rows) {
    return ids(rows.stream().filter(row -> row.position().partition() == partition).toList());
  }
}
