package io.angarium.testkit.tck;

import static io.angarium.testkit.tck.DeskScene.deadIds;
import static io.angarium.testkit.tck.StoreScene.A;
import static io.angarium.testkit.tck.StoreScene.B;
import static io.angarium.testkit.tck.StoreScene.LONG;
import static io.angarium.testkit.tck.StoreScene.PARTITION;
import static io.angarium.testkit.tck.StoreScene.SHORT;
import static io.angarium.testkit.tck.StoreScene.ids;
import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.desk.ActResult;
import io.angarium.desk.Stage;
import io.angarium.intake.NewMessage;
import io.angarium.intake.StoredMessage;
import io.angarium.store.DeadEntry;
import io.angarium.store.lease.Lease;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * What each act of {@link io.angarium.desk.MessageActs} does; {@link RestoreTck} says what
 * restoring does. Part of {@link DeskActsTck}.
 */
@SuppressWarnings("doclint:missing") // the tests are named as sentences
public interface MessageActsTck extends DeskFixtureTck {

  @Test
  default void requeuedLetterIsEnqueuedAnewAtTheEndOfItsKey() {
    DeskScene scene = new DeskScene(fixture());
    MessageId dead = scene.put(Stage.WAITING, StoreScene.message("x").key(A));
    scene.bury(scene.row(dead), 5, "no hope", false);
    MessageId later = scene.put(Stage.WAITING, StoreScene.message("y").key(A));

    ActResult result = scene.desk.acts().requeue(List.of(dead), DeskScene.ANN);

    assertThat(result.done()).containsExactly(dead);
    assertThat(ids(scene.store.unsent())).containsExactly(later, dead);
    assertThat(scene.store.unsent().get(1).attempts()).isZero();
    assertThat(deadIds(scene)).isEmpty();
  }

  @Test
  default void requeuedLettersOfAKeyKeepTheirOrder() {
    DeskScene scene = new DeskScene(fixture());
    List<StoredMessage> rows =
        scene.store.commit(IntStream.range(0, 20).mapToObj(i -> scene.store.keyed(A)).toList());
    scene.buryAll(rows);
    List<MessageId> backwards = new ArrayList<>(ids(rows));
    Collections.reverse(backwards);

    scene.desk.acts().requeue(backwards, DeskScene.ANN);

    assertThat(ids(scene.store.unsent())).isEqualTo(ids(rows));
  }

  @Test
  default void requeuedBlockerTakesItsPlaceBeforeTheWaitingOnes() {
    DeskScene scene = new DeskScene(fixture());
    List<StoredMessage> rows = scene.blockedKey(A, 3);

    scene.desk.acts().requeue(List.of(rows.get(0).id()), DeskScene.ANN);

    assertThat(scene.store.parkedOf(A)).isEqualTo(ids(rows));
    assertThat(ids(scene.store.due())).containsExactly(rows.get(0).id());
    assertThat(scene.store.due().get(0).attempts()).isZero();
    assertThat(deadIds(scene)).isEmpty();
  }

  @Test
  default void discardedBlockerLetsTheWaitingOnesGoOn() {
    DeskScene scene = new DeskScene(fixture());
    List<StoredMessage> rows = scene.blockedKey(A, 3);

    scene.desk.acts().discard(List.of(rows.get(0).id()), DeskScene.ANN);

    assertThat(ids(scene.store.due())).containsExactly(rows.get(1).id());
    assertThat(scene.store.parkedOf(A)).isEqualTo(ids(rows.subList(1, 3)));
    assertThat(deadIds(scene)).isEmpty();
  }

  @Test
  default void discardedBlockerFreesAKeyWithNothingWaiting() {
    DeskScene scene = new DeskScene(fixture());
    List<StoredMessage> rows = scene.blockedKey(A, 1);

    scene.desk.acts().discard(ids(rows), DeskScene.ANN);

    assertThat(scene.store.blocked(PARTITION)).isEmpty();
  }

  @Test
  default void cancelledMessageIsNeverSent() {
    DeskScene scene = new DeskScene(fixture());
    Instant due = fixture().now().plus(SHORT);
    MessageId cancelled = scene.put(Stage.DELAYED, StoreScene.message("x").notBefore(due));
    MessageId kept = scene.put(Stage.DELAYED, StoreScene.message("y").notBefore(due));

    scene.desk.acts().cancel(List.of(cancelled), DeskScene.ANN);
    fixture().letPass(SHORT);

    assertThat(scene.enqueueDue()).containsExactly(kept);
    assertThat(scene.store.outbox.backlog().parked()).isZero();
  }

  @Test
  default void messageThatIsDueAlreadyCanBeCancelled() {
    DeskScene scene = new DeskScene(fixture());
    Instant due = fixture().now().minus(LONG);
    MessageId overdue = scene.put(Stage.DELAYED, StoreScene.message("x").notBefore(due));

    ActResult result = scene.desk.acts().cancel(List.of(overdue), DeskScene.ANN);

    assertThat(result.done()).containsExactly(overdue);
    assertThat(scene.enqueueDue()).isEmpty();
  }

  @Test
  default void delayedMessageThatIsSentNowIsDueAtOnce() {
    DeskScene scene = new DeskScene(fixture());
    MessageId chosen = scene.put(Stage.DELAYED, StoreScene.message("x").key(A));
    scene.put(Stage.DELAYED, StoreScene.message("y").key(A));
    MessageId overdue =
        scene.put(
            Stage.DELAYED, StoreScene.message("z").key(A).notBefore(fixture().now().minus(LONG)));
    assertThat(scene.store.outbox.backlog().overdue()).isEqualTo(1);

    scene.desk.acts().sendNow(List.of(chosen, overdue), DeskScene.ANN);

    assertThat(scene.store.outbox.backlog().overdue())
        .as("an overdue one is not put off")
        .isLessThanOrEqualTo(1);
    assertThat(scene.enqueueDue()).containsExactly(overdue, chosen);
  }

  @Test
  default void retryingMessageThatIsSentNowIsDueAtOnceWithItsAttempts() {
    DeskScene scene = new DeskScene(fixture());
    Lease lease = scene.lease(PARTITION);
    List<StoredMessage> rows = scene.store.commit(scene.store.keyed(A), scene.store.keyed(A));
    List<StoredMessage> other = scene.store.commit(scene.store.keyed(B));
    scene.store.park(lease, rows, LONG);
    scene.store.park(lease, other, LONG);

    ActResult result = scene.desk.acts().sendNow(List.of(rows.get(0).id()), DeskScene.ANN);

    assertThat(result.done()).containsExactly(rows.get(0).id());
    assertThat(ids(scene.store.due())).containsExactly(rows.get(0).id());
    assertThat(scene.store.due().get(0).attempts()).isEqualTo(1);
    assertThat(scene.store.parkedOf(A)).isEqualTo(ids(rows));
  }

  @Test
  default void sameMessageMayBeDeadTwice() {
    DeskScene scene = new DeskScene(fixture());
    Message message = StoreScene.message("x");
    NewMessage twice = scene.fresh(message);
    scene.store.commit(twice);
    scene.store.commit(twice);
    List<StoredMessage> rows = scene.store.unsent();
    scene.store.outbox.bury(
        scene.lease(rows.get(0)),
        rows.stream().map(row -> DeadEntry.of(row, 1, "no hope", false)).toList());

    ActResult result = scene.desk.acts().discard(List.of(twice.id()), DeskScene.ANN);

    assertThat(result.done()).containsExactly(twice.id());
    assertThat(deadIds(scene)).isEmpty();
    scene.desk.acts().restore(List.of(twice.id()), DeskScene.ANN);
    assertThat(deadIds(scene)).containsExactly(twice.id(), twice.id());
  }
}
