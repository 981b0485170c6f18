package io.angarium.testkit.tck;

import static io.angarium.testkit.tck.StoreScene.A;
import static io.angarium.testkit.tck.StoreScene.B;
import static io.angarium.testkit.tck.StoreScene.ELSEWHERE;
import static io.angarium.testkit.tck.StoreScene.PARTITION;
import static io.angarium.testkit.tck.StoreScene.ids;
import static io.angarium.testkit.tck.StoreScene.positions;
import static io.angarium.testkit.tck.StoreScene.sequence;
import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.intake.NewMessage;
import io.angarium.intake.Position;
import io.angarium.intake.StoredMessage;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The contract of {@link io.angarium.store.OutboxStore#delete}. Part of {@link OutboxStoreTck}. */
@SuppressWarnings("doclint:missing") // the tests are named as sentences
public interface DeleteTck extends FixtureTck {
  @Test
  default void deleteTakesExactlyTheRowsNamed() {
    StoreScene scene = new StoreScene(fixture());
    List<StoredMessage> rows =
        scene.commit(
            scene.keyed(A),
            scene.keyed(B),
            scene.keyed(ELSEWHERE),
            scene.keyless(),
            scene.keyed(A));

    scene.outbox.delete(positions(List.of(rows.get(0), rows.get(2), rows.get(4))));

    assertThat(ids(scene.unsent())).isEqualTo(ids(List.of(rows.get(1), rows.get(3))));
  }

  @Test
  default void rowCommittedLateBetweenDeletedOnesSurvives() {
    StoreScene scene = new StoreScene(fixture());
    StoredMessage first = scene.commit(scene.keyed(A)).get(0);
    NewMessage late = scene.keyed(A);
    try (StoreFixture.OpenTransaction open = scene.open(late)) {
      StoredMessage last = scene.commit(scene.keyed(A)).get(0);

      scene.outbox.delete(positions(List.of(first, last)));
      open.commit();
      scene.outbox.delete(positions(List.of(first, last)));

      assertThat(ids(scene.unsent())).containsExactly(late.id());
    }
  }

  @Test
  default void rowsAlreadyGoneArePassedOver() {
    StoreScene scene = new StoreScene(fixture());
    List<StoredMessage> rows = scene.commit(scene.keyed(A), scene.keyed(A));
    scene.outbox.delete(positions(rows.subList(0, 1)));

    scene.outbox.delete(
        List.of(
            rows.get(0).position(),
            rows.get(1).position(),
            new Position(PARTITION, sequence(rows.get(1)) + 1_000)));
    scene.outbox.delete(List.of());

    assertThat(scene.unsent()).isEmpty();
  }

  @Test
  default void deleteOfThePartitionAndSequenceMustBothMatch() {
    StoreScene scene = new StoreScene(fixture());
    StoredMessage row = scene.commit(scene.keyed(A)).get(0);

    scene.outbox.delete(List.of(new Position(StoreScene.OTHER_PARTITION, sequence(row))));

    assertThat(scene.unsent()).hasSize(1);
  }

  @Test
  default void deleteLeavesParkedMessagesAlone() {
    StoreScene scene = new StoreScene(fixture());
    List<StoredMessage> rows = scene.commit(scene.keyed(A));
    scene.park(scene.lease(), rows);

    scene.outbox.delete(positions(rows));

    assertThat(scene.parkedOf(A)).isEqualTo(ids(rows));
  }

  @Test
  default void thousandsAreDeletedInOneCall() {
    StoreScene scene = new StoreScene(fixture());
    List<NewMessage> messages = IntStream.range(0, 2_501).mapToObj(i -> scene.keyed(A)).toList();
    List<StoredMessage> rows = scene.commit(messages);

    scene.outbox.delete(positions(rows.subList(0, 2_500)));

    assertThat(ids(scene.unsent())).isEqualTo(ids(rows.subList(2_500, 2_501)));
  }
}
