package io.angarium.testkit.tck;

import static io.angarium.testkit.tck.DeskScene.ANN;
import static io.angarium.testkit.tck.DeskScene.deadIds;
import static io.angarium.testkit.tck.StoreScene.A;
import static io.angarium.testkit.tck.StoreScene.PARTITION;
import static io.angarium.testkit.tck.StoreScene.SHORT;
import static io.angarium.testkit.tck.StoreScene.hash;
import static io.angarium.testkit.tck.StoreScene.ids;
import static io.angarium.testkit.tck.StoreScene.positions;
import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.deadletter.DeadLetterRow;
import io.angarium.desk.ActResult;
import io.angarium.desk.MessageActs;
import io.angarium.desk.Stage;
import io.angarium.intake.StoredMessage;
import io.angarium.store.ParkedEntry;
import io.angarium.store.lease.Lease;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The contract of {@link MessageActs#restore}: what was discarded comes back as it was. Part of
 * {@link DeskActsTck}.
 */
@SuppressWarnings("doclint:missing") // the tests are named as sentences
public interface RestoreTck extends DeskFixtureTck {

  @Test
  default void restoredLetterTakesItsOldPlaceBeforeTheWaitingOnes() {
    DeskScene scene = new DeskScene(fixture());
    List<StoredMessage> rows = scene.blockedKey(A, 3);
    List<MessageId> first = List.of(rows.get(0).id());
    scene.desk.acts().discard(first, ANN);
    assertThat(ids(scene.store.due())).containsExactly(rows.get(1).id());

    ActResult result = scene.desk.acts().restore(first, ANN);

    assertThat(result.done()).isEqualTo(first);
    assertThat(deadIds(scene)).isEqualTo(first);
    assertThat(scene.store.due()).as("wait again").isEmpty();
    assertThat(scene.store.blocked(PARTITION)).containsExactly(hash(A));
    scene.desk.acts().requeue(first, ANN);
    assertThat(scene.store.parkedOf(A)).isEqualTo(ids(rows));
    assertThat(ids(scene.store.due())).isEqualTo(first);
  }

  @Test
  default void restoredLetterForWhichNothingWaitedDoesNotBlockItsKey() {
    DeskScene scene = new DeskScene(fixture());
    List<StoredMessage> rows = scene.blockedKey(A, 1);
    scene.desk.acts().discard(ids(rows), ANN);
    List<StoredMessage> later = scene.store.commit(scene.store.keyed(A));

    scene.desk.acts().restore(ids(rows), ANN);

    assertThat(deadIds(scene)).isEqualTo(ids(rows));
    assertThat(scene.store.blocked(PARTITION)).isEmpty();
    scene.desk.acts().requeue(ids(rows), ANN);
    assertThat(ids(scene.store.unsent())).containsExactly(later.get(0).id(), rows.get(0).id());
  }

  @Test
  default void letterBlocksWhileTheNextOneIsTriedAgain() {
    DeskScene scene = new DeskScene(fixture());
    Lease lease = scene.lease(PARTITION);
    List<StoredMessage> rows = scene.blockedKey(A, 3);
    List<MessageId> first = List.of(rows.get(0).id());
    scene.desk.acts().discard(first, ANN);
    scene.store.settle(
        lease, A, List.of(), List.of(ParkedEntry.head(rows.get(1), 1, Duration.ZERO, "again")));

    scene.desk.acts().restore(first, ANN);

    assertThat(scene.store.due()).isEmpty();
    boolean blocked = scene.store.settle(lease, A, positions(rows.subList(1, 3)), List.of());
    assertThat(blocked).as("what was under way leaves the key blocked").isTrue();
    assertThat(scene.store.blocked(PARTITION)).containsExactly(hash(A));
  }

  @Test
  default void letterBlocksWithTheNextOneThatDiedMeanwhile() {
    DeskScene scene = new DeskScene(fixture());
    List<StoredMessage> rows = scene.blockedKey(A, 3);
    List<MessageId> first = List.of(rows.get(0).id());
    scene.desk.acts().discard(first, ANN);
    scene.bury(rows.get(1), 1, "no hope either", true);

    scene.desk.acts().restore(first, ANN);

    scene.desk.acts().discard(List.of(rows.get(1).id()), ANN);
    assertThat(scene.store.due()).as("the restored one blocks").isEmpty();
    scene.desk.acts().requeue(first, ANN);
    assertThat(ids(scene.store.due())).isEqualTo(first);
  }

  @Test
  default void lettersOfAKeyThatWereDiscardedOneAfterTheOtherBlockItTogether() {
    DeskScene scene = new DeskScene(fixture());
    List<StoredMessage> rows = scene.blockedKey(A, 3);
    scene.desk.acts().discard(List.of(rows.get(0).id()), ANN);
    scene.bury(rows.get(1), 1, "no hope either", true);
    scene.desk.acts().discard(List.of(rows.get(1).id()), ANN);

    scene.desk.acts().restore(ids(rows.subList(0, 2)), ANN);

    assertThat(scene.store.due()).isEmpty();
    scene.desk.acts().requeue(ids(rows.subList(0, 2)), ANN);
    assertThat(scene.store.parkedOf(A)).isEqualTo(ids(rows));
    assertThat(ids(scene.store.due())).containsExactly(rows.get(0).id());
  }

  @Test
  default void letterThatDidNotBlockDoesNotBlockWhenItIsRestored() {
    DeskScene scene = new DeskScene(fixture());
    List<StoredMessage> rows = scene.store.commit(scene.store.keyed(A), scene.store.keyed(A));
    scene.bury(rows.get(0), 1, "no hope", false);
    scene.desk.acts().discard(List.of(rows.get(0).id()), ANN);

    scene.desk.acts().restore(List.of(rows.get(0).id()), ANN);

    assertThat(scene.store.blocked(PARTITION)).isEmpty();
    assertThat(deadIds(scene)).containsExactly(rows.get(0).id());
    assertThat(ids(scene.store.unsent())).containsExactly(rows.get(1).id());
  }

  @Test
  default void letterDoesNotBlockIfALaterMessageOfItsKeyWasSentMeanwhile() {
    DeskScene scene = new DeskScene(fixture());
    Lease lease = scene.lease(PARTITION);
    List<StoredMessage> rows = scene.blockedKey(A, 3);
    List<MessageId> first = List.of(rows.get(0).id());
    scene.desk.acts().discard(first, ANN);
    scene.store.settle(lease, A, List.of(rows.get(1).position()), List.of());

    scene.desk.acts().restore(first, ANN);

    assertThat(deadIds(scene)).isEqualTo(first);
    assertThat(ids(scene.store.due())).containsExactly(rows.get(2).id());
    scene.store.settle(lease, A, List.of(rows.get(2).position()), List.of());
    assertThat(scene.store.blocked(PARTITION)).isEmpty();
    scene.desk.acts().requeue(first, ANN);
    assertThat(ids(scene.store.unsent())).isEqualTo(first);
  }

  @Test
  default void letterDoesNotBlockIfAllThatWaitedForItWereSentMeanwhile() {
    DeskScene scene = new DeskScene(fixture());
    List<StoredMessage> rows = scene.blockedKey(A, 3);
    List<MessageId> first = List.of(rows.get(0).id());
    scene.desk.acts().discard(first, ANN);
    scene.store.settle(
        scene.lease(PARTITION), A, StoreScene.positions(rows.subList(1, 3)), List.of());

    scene.desk.acts().restore(first, ANN);

    assertThat(deadIds(scene)).isEqualTo(first);
    assertThat(scene.store.blocked(PARTITION)).isEmpty();
  }

  @Test
  default void restoredLetterIsAsItWasBefore() {
    DeskScene scene = new DeskScene(fixture());
    Message message = described().key(A);
    MessageId id = scene.put(Stage.WAITING, message);
    scene.bury(scene.row(id), 3, "too large: größer als 1 MB 😀", false);
    DeadLetterRow before = scene.store.outbox.deadLetters().rows(List.of(id)).get(0);
    scene.desk.acts().discard(List.of(id), ANN);

    scene.desk.acts().restore(List.of(id), ANN);

    DeadLetterRow after = scene.store.outbox.deadLetters().rows(List.of(id)).get(0);
    assertThat(after).usingRecursiveComparison().ignoringFields("updatedBy").isEqualTo(before);
    assertThat(scene.store.outbox.deadLetters().find(List.of(id)).get(0).message().message())
        .usingRecursiveComparison()
        .isEqualTo(message);
  }

  private static Message described() {
    return Message.of(StoreScene.ORDERS, new byte[] {0, 1, -1, 127, -128})
        .type("order-paid")
        .business("order", "4711")
        .createdBy("shop")
        .header("colour", "blau")
        .header("größe", "");
  }

  @Test
  default void restoredKeylessLetterIsSentAgainWhenItIsRequeued() {
    DeskScene scene = new DeskScene(fixture());
    MessageId id = scene.put(Stage.DEAD, Message.of(StoreScene.ORDERS, "keyless"));
    scene.desk.acts().discard(List.of(id), ANN);
    assertThat(deadIds(scene)).isEmpty();

    scene.desk.acts().restore(List.of(id), ANN);
    scene.desk.acts().requeue(List.of(id), ANN);

    assertThat(ids(scene.store.unsent())).containsExactly(id);
  }

  @Test
  default void restoredDelayedMessageIsDueWhenItWas() {
    DeskScene scene = new DeskScene(fixture());
    Instant due = fixture().now().plus(SHORT);
    Message message = described().key(A).notBefore(due);
    MessageId id = scene.put(Stage.DELAYED, message);
    scene.desk.acts().cancel(List.of(id), ANN);
    assertThat(scene.store.outbox.backlog().parked()).isZero();

    ActResult result = scene.desk.acts().restore(List.of(id), ANN);

    assertThat(result.done()).containsExactly(id);
    assertThat(scene.store.outbox.backlog().parked()).isEqualTo(1);
    List<MessageId> early = scene.enqueueDue();
    if (!early.isEmpty()) { // a slow database
      assertThat(fixture().now()).isAfterOrEqualTo(due);
    }
    fixture().letPass(SHORT);
    scene.enqueueDue();
    StoredMessage sent = scene.store.unsent().get(0);
    assertThat(sent.id()).isEqualTo(id);
    assertThat(sent.message())
        .usingRecursiveComparison()
        .ignoringFields("notBefore")
        .isEqualTo(message);
  }

  @Test
  default void delayedMessageThatIsRestoredLateIsDueAtOnce() {
    DeskScene scene = new DeskScene(fixture());
    Instant due = fixture().now().plus(SHORT);
    MessageId id = scene.put(Stage.DELAYED, StoreScene.message("x").notBefore(due));
    scene.desk.acts().cancel(List.of(id), ANN);
    fixture().letPass(SHORT);
    assertThat(scene.enqueueDue()).isEmpty();

    scene.desk.acts().restore(List.of(id), ANN);

    assertThat(scene.enqueueDue()).containsExactly(id);
  }

  @Test
  default void messagesCanBeDiscardedAndRestoredAgainAndAgain() {
    DeskScene scene = new DeskScene(fixture());
    List<StoredMessage> rows = scene.blockedKey(A, 2);
    List<MessageId> first = List.of(rows.get(0).id());
    List<MessageId> delayed = List.of(scene.put(Stage.DELAYED));

    for (int i = 0; i < 3; i++) {
      assertThat(scene.desk.acts().discard(first, ANN).done()).isEqualTo(first);
      assertThat(scene.desk.acts().restore(first, ANN).done()).isEqualTo(first);
      assertThat(scene.desk.acts().cancel(delayed, ANN).done()).isEqualTo(delayed);
      assertThat(scene.desk.acts().restore(delayed, ANN).done()).isEqualTo(delayed);
    }

    assertThat(deadIds(scene)).isEqualTo(first);
    assertThat(scene.store.due()).isEmpty();
    assertThat(scene.store.outbox.backlog().parked()).isEqualTo(2);
  }

  @Test
  default void deadAndDelayedMessagesAreRestoredInOneCall() {
    DeskScene scene = new DeskScene(fixture());
    MessageId dead = scene.put(Stage.DEAD);
    MessageId delayed = scene.put(Stage.DELAYED);
    scene.desk.acts().discard(List.of(dead), ANN);
    scene.desk.acts().cancel(List.of(delayed), ANN);

    ActResult result = scene.desk.acts().restore(List.of(delayed, dead), ANN);

    assertThat(result.done()).containsExactlyInAnyOrder(dead, delayed);
    assertThat(deadIds(scene)).containsExactly(dead);
    assertThat(scene.store.outbox.backlog().parked()).isEqualTo(1);
  }
}
