package io.angarium.testkit.tck;

import static io.angarium.testkit.tck.StoreScene.A;
import static io.angarium.testkit.tck.StoreScene.B;
import static io.angarium.testkit.tck.StoreScene.ids;
import static io.angarium.testkit.tck.StoreScene.positions;
import static io.angarium.testkit.tck.StoreScene.sequence;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.MessageId;
import io.angarium.StoreException;
import io.angarium.intake.Position;
import io.angarium.intake.StoredMessage;
import io.angarium.store.OutboxStore;
import io.angarium.store.SentMessage;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The contract of {@link OutboxStore#era} and {@link OutboxStore#deleteExact}. Part of {@link
 * OutboxStoreTck}.
 */
@SuppressWarnings("doclint:missing") // the tests are named as sentences
public interface EraTck extends FixtureTck {
  @Test
  default void nothingIsDeletedBeforeTheNewEraIsAdopted() {
    StoreScene scene = new StoreScene(fixture());
    List<StoredMessage> rows = scene.commit(scene.keyed(A));
    int before = scene.outbox.era();
    if (!fixture().goBack()) {
      assertThat(before).as("the era of a store that cannot tell").isZero();
      return;
    }

    assertThatThrownBy(() -> scene.outbox.delete(positions(rows)))
        .isInstanceOf(StoreException.class);
    assertThatThrownBy(() -> scene.outbox.deleteExact(sent(rows)))
        .isInstanceOf(StoreException.class);

    assertThat(scene.outbox.era()).isGreaterThan(before);
    scene.outbox.adopt(scene.outbox.era());
    assertThat(ids(scene.unsent())).isEqualTo(ids(rows));
  }

  @Test
  default void exactDeleteTakesARowThatHoldsTheMessage() {
    StoreScene scene = new StoreScene(fixture());
    List<StoredMessage> rows = scene.commit(scene.keyed(A), scene.keyed(B), scene.keyless());
    if (fixture().goBack()) {
      assertThatThrownBy(scene.outbox::lastSequence).isInstanceOf(StoreException.class);
      scene.outbox.adopt(scene.outbox.era());
    }

    assertThat(scene.outbox.deleteExact(sent(List.of(rows.get(0), rows.get(2))))).isEmpty();

    assertThat(ids(scene.unsent())).containsExactly(rows.get(1).id());
  }

  @Test
  default void exactDeleteLeavesARowThatHoldsAnotherMessage() {
    StoreScene scene = new StoreScene(fixture());
    List<StoredMessage> rows = scene.commit(scene.keyed(A), scene.keyed(A), scene.keyless());
    List<SentMessage> others =
        Stream.of(rows.get(0), rows.get(2))
            .map(row -> new SentMessage(row.position(), new MessageId(new UUID(7, sequence(row)))))
            .toList();
    List<SentMessage> all =
        Stream.concat(others.stream(), sent(List.of(rows.get(1))).stream()).toList();

    assertThat(scene.outbox.deleteExact(all))
        .containsExactlyInAnyOrder(rows.get(0).position(), rows.get(2).position());

    assertThat(ids(scene.unsent())).containsExactly(rows.get(0).id(), rows.get(2).id());
  }

  @Test
  default void exactDeletePassesOverRowsThatAreGoneOrElsewhere() {
    StoreScene scene = new StoreScene(fixture());
    StoredMessage row = scene.commit(scene.keyed(A)).get(0);
    Position elsewhere = new Position(StoreScene.OTHER_PARTITION, sequence(row));
    Position gone = new Position(StoreScene.PARTITION, sequence(row) + 1_000);

    assertThat(
            scene.outbox.deleteExact(
                List.of(new SentMessage(elsewhere, row.id()), new SentMessage(gone, row.id()))))
        .isEmpty();
    assertThat(scene.outbox.deleteExact(List.of())).isEmpty();

    assertThat(ids(scene.unsent())).containsExactly(row.id());
  }

  private static List<SentMessage> sent(List<StoredMessage> rows) {
    return rows.stream().map(row -> new SentMessage(row.position(), row.id())).toList();
  }
}
