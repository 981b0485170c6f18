package io.angarium.testkit.tck;

import static io.angarium.testkit.tck.DeskScene.ANN;
import static io.angarium.testkit.tck.StoreScene.A;
import static io.angarium.testkit.tck.StoreScene.ids;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.StoreException;
import io.angarium.desk.Stage;
import io.angarium.intake.StoredMessage;
import io.angarium.operation.Operation;
import io.angarium.operation.Operation.Counts;
import io.angarium.operation.Operation.Refusal;
import io.angarium.operation.Operation.State;
import io.angarium.operation.OperationKind;
import io.angarium.operation.OperationPlan;
import io.angarium.operation.OperationScope;
import io.angarium.operation.OperationScope.Part;
import io.angarium.operation.OperationStore;
import io.angarium.operation.OperationStore.Turn;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/**
 * The contract of {@link OperationStore}: how nodes carry out operations. Part of {@link DeskTck}.
 */
@SuppressWarnings("doclint:missing") // the tests are named as sentences
public interface OperationStepTck extends DeskFixtureTck {

  private static void outlast(OperationScene scene, Turn turn) {
    scene.store.step(turn, 1, OperationScene.NO_LEASE, null);
    scene.messages.fixture.letPass(Duration.ofMillis(2));
  }

  @Test
  default void everyKindActsOnItsStage() {
    OperationScene scene = new OperationScene(fixture());
    List<MessageId> dead = scene.messages.put(Stage.DEAD, 3);
    scene.messages.put(Stage.DELAYED, 2);
    scene.messages.put(Stage.WAITING, 2);
    scene.messages.lease(0);
    scene.messages.desk.pauses().pause("fake:*", Duration.ofHours(1), ANN);
    scene.applied();

    assertThat(scene.run(scene.plan(OperationKind.DISCARD), 2).counts().done()).isEqualTo(3);
    assertThat(scene.messages.ids(Stage.DISCARDED)).containsExactlyInAnyOrderElementsOf(dead);
    assertThat(scene.run(scene.plan(OperationKind.RESTORE), 2).counts().done()).isEqualTo(3);
    assertThat(scene.messages.ids(Stage.DEAD)).containsExactlyInAnyOrderElementsOf(dead);
    assertThat(scene.run(scene.plan(OperationKind.CANCEL), 2).counts().done()).isEqualTo(2);
    assertThat(scene.messages.ids(Stage.DELAYED)).isEmpty();
    assertThat(scene.run(scene.plan(OperationKind.BURY), 1).counts().done()).isEqualTo(2);
    assertThat(scene.messages.ids(Stage.WAITING)).isEmpty();
    scene
        .messages
        .desk
        .pauses()
        .pauses()
        .forEach(pause -> scene.messages.desk.pauses().resume(pause.id(), ANN));
    assertThat(scene.run(scene.plan(OperationKind.REQUEUE), 2).counts().done()).isEqualTo(5);
    assertThat(scene.messages.ids(Stage.DEAD)).isEmpty();
  }

  @Test
  default void stepChangesNoMoreThanItMayAndMessagesThatFit() {
    OperationScene scene = new OperationScene(fixture());
    scene.messages.put(Stage.DEAD, 5);
    MessageId other = scene.messages.put(Stage.DEAD, Message.of("fake:other", "x").key(A));
    OperationPlan plan =
        scene.plan(OperationKind.DISCARD, new GivenFilter().destinations("fake:ord*").filter());
    Turn turn = scene.taken(plan);

    Operation first = scene.step(turn, 3).orElseThrow();

    assertThat(first.state()).isEqualTo(State.RUNNING);
    assertThat(first.counts().done()).isEqualTo(3);
    assertThat(scene.messages.ids(Stage.DISCARDED)).hasSize(3);
    Operation last = scene.finish(turn, 3);
    assertThat(last.counts()).isEqualTo(new Counts(6, 5, 0, 0));
    assertThat(last.endedAt()).isBetween(last.createdAt(), fixture().now());
    assertThat(scene.messages.ids(Stage.DEAD)).containsExactly(other);
    assertThat(scene.find(turn)).isEqualTo(last);
  }

  @Test
  default void messagesThatDieLaterAreNotTouched() {
    OperationScene scene = new OperationScene(fixture());
    List<MessageId> before = scene.messages.put(Stage.DEAD, 3);
    OperationPlan plan = scene.plan(OperationKind.DISCARD);
    fixture().letPass(Duration.ofMillis(1));
    List<MessageId> between = scene.messages.put(Stage.DEAD, 1);
    Turn turn = scene.taken(plan);
    scene.step(turn, 2);
    List<MessageId> later = new ArrayList<>(between);
    later.addAll(scene.messages.put(Stage.DEAD, 2));

    Operation after = scene.finish(turn, 2);

    assertThat(after.counts().done()).isEqualTo(3);
    assertThat(scene.messages.ids(Stage.DISCARDED)).containsExactlyInAnyOrderElementsOf(before);
    assertThat(scene.messages.ids(Stage.DEAD)).isEqualTo(later);
  }

  @Test
  default void operationUpToAnInstantToComeIsFrozenAtItsBegin() {
    OperationScene scene = new OperationScene(fixture());
    scene.messages.put(Stage.DEAD, 2);
    Instant future = fixture().now().plusSeconds(3_600);
    Turn turn = scene.taken(scene.plan(OperationKind.DISCARD).until(future));
    fixture().letPass(Duration.ofMillis(1));
    List<MessageId> later = scene.messages.put(Stage.DEAD, 2);

    assertThat(scene.finish(turn, 2).counts().done()).isEqualTo(2);

    assertThat(scene.messages.ids(Stage.DEAD)).isEqualTo(later);
  }

  @Test
  default void messagesThatAreDelayedLaterAreNotTouched() {
    OperationScene scene = new OperationScene(fixture());
    scene.messages.put(Stage.DELAYED, 2);
    OperationPlan plan = scene.plan(OperationKind.CANCEL);
    fixture().letPass(Duration.ofMillis(1));
    List<MessageId> later = scene.messages.put(Stage.DELAYED, 2);

    assertThat(scene.run(plan, 10).counts().done()).isEqualTo(2);

    assertThat(scene.messages.ids(Stage.DELAYED)).isEqualTo(later);
  }

  @Test
  default void scopeHoldsForEveryMessage() {
    OperationScene scene = new OperationScene(fixture());
    MessageId orders = scene.messages.put(Stage.DEAD);
    MessageId paid =
        scene.messages.put(Stage.DEAD, Message.of("fake:other", "x").business("paid", "1"));
    MessageId kept =
        scene.messages.put(Stage.DEAD, Message.of("fake:other", "x").business("kept", "1"));
    MessageId none = scene.messages.put(Stage.DEAD, Message.of("fake:other", "x"));
    OperationScope scope =
        new OperationScope(
            List.of(
                new Part(List.of(StoreScene.ORDERS.toString()), List.of("*")),
                new Part(List.of("fake:o*"), List.of("pa*"))));

    Operation after = scene.run(scene.plan(OperationKind.DISCARD).scope(scope), 10);

    assertThat(after.counts().done()).isEqualTo(2);
    assertThat(scene.messages.ids(Stage.DISCARDED)).containsExactlyInAnyOrder(orders, paid);
    assertThat(scene.messages.ids(Stage.DEAD)).containsExactlyInAnyOrder(kept, none);
  }

  @Test
  default void emptyScopePermitsNothing() {
    OperationScene scene = new OperationScene(fixture());
    scene.messages.put(Stage.DEAD, 2);

    Operation after =
        scene.run(scene.plan(OperationKind.DISCARD).scope(new OperationScope(List.of())), 10);

    assertThat(after.counts().reached()).isZero();
    assertThat(scene.messages.ids(Stage.DEAD)).hasSize(2);
  }

  @Test
  default void twoNodesNeverHoldTheSameOperation() {
    OperationScene scene = new OperationScene(fixture());
    scene.messages.put(Stage.DEAD, 2);
    Turn turn = scene.taken(scene.plan(OperationKind.DISCARD));

    assertThat(scene.store.take("node-b", OperationScene.LEASE)).isEmpty();
    assertThat(scene.store.take("node-a", OperationScene.LEASE)).isEmpty();

    assertThat(scene.find(turn).node()).isEqualTo("node-a");
    assertThat(scene.step(turn, 1)).isPresent();
  }

  @Test
  default void nodeThatLostItsLeaseChangesNothing() {
    OperationScene scene = new OperationScene(fixture());
    scene.messages.put(Stage.DEAD, 6);
    Turn lost = scene.taken(scene.plan(OperationKind.DISCARD));
    outlast(scene, lost);
    Turn turn = scene.take("node-b");
    scene.step(turn, 1);

    assertThat(scene.step(lost, 3)).isEmpty();
    scene.store.release(lost);

    assertThat(scene.find(turn).counts().done()).isEqualTo(2);
    assertThat(scene.messages.ids(Stage.DEAD)).hasSize(4);
    assertThat(scene.store.take("node-c", OperationScene.LEASE)).isEmpty();
    assertThat(scene.step(turn, 1)).isPresent();
  }

  @Test
  default void stepProlongsTheLease() {
    OperationScene scene = new OperationScene(fixture());
    scene.messages.put(Stage.DEAD, 3);
    scene.desk.begin(scene.plan(OperationKind.DISCARD));
    Turn turn = scene.store.take("node-a", OperationScene.NO_LEASE).get(0);
    fixture().letPass(Duration.ofMillis(2));

    scene.step(turn, 1);

    assertThat(scene.store.take("node-b", OperationScene.LEASE)).isEmpty();
  }

  @Test
  default void whenANodeDiesBetweenStepsAnotherCountsNothingTwiceAndSkipsNothing() {
    OperationScene scene = new OperationScene(fixture());
    List<MessageId> ids = scene.messages.put(Stage.DEAD, 9);
    Turn turn = scene.taken(scene.plan(OperationKind.REQUEUE));

    for (String node : List.of("node-b", "node-c", "node-d")) {
      scene.step(turn, 1);
      outlast(scene, turn);
      turn = scene.take(node);
    }
    Operation after = scene.finish(turn, 2);

    assertThat(after.state()).isEqualTo(State.DONE);
    assertThat(after.counts()).isEqualTo(new Counts(9, 9, 0, 0));
    assertThat(scene.messages.ids(Stage.DEAD)).isEmpty();
    for (MessageId id : ids) {
      assertThat(scene.entries(turn.operation(), id)).hasSize(1);
    }
  }

  @Test
  default void stepThatFailsMovesNeitherMessagesNorCursorNorCounters() {
    OperationScene scene = new OperationScene(fixture());
    scene.messages.put(Stage.DEAD, 3);
    Turn turn = scene.taken(scene.plan(OperationKind.DISCARD));
    fixture().breakAudit();

    assertThatThrownBy(() -> scene.step(turn, 2)).isInstanceOf(StoreException.class);

    fixture().mendAudit();
    assertThat(scene.find(turn).counts()).isEqualTo(Counts.NONE);
    assertThat(scene.find(turn).cursor()).isNull();
    assertThat(scene.messages.ids(Stage.DEAD)).hasSize(3);
    assertThat(scene.finish(turn, 2).counts()).isEqualTo(new Counts(3, 3, 0, 0));
  }

  @Test
  default void endThatCannotBeNotedIsNone() {
    OperationScene scene = new OperationScene(fixture());
    Turn turn = scene.taken(scene.plan(OperationKind.DISCARD));
    fixture().breakAudit();

    assertThatThrownBy(() -> scene.step(turn, 2)).isInstanceOf(StoreException.class);

    fixture().mendAudit();
    assertThat(scene.find(turn).state()).isEqualTo(State.RUNNING);
    assertThat(scene.finish(turn, 2).state()).isEqualTo(State.DONE);
  }

  @Test
  default void releasedOperationIsTakenAtOnce() {
    OperationScene scene = new OperationScene(fixture());
    scene.messages.put(Stage.DEAD, 3);
    Turn turn = scene.taken(scene.plan(OperationKind.DISCARD));
    scene.step(turn, 1);

    scene.store.release(turn);

    assertThat(scene.step(turn, 1)).isEmpty();
    assertThat(scene.finish(scene.take("node-b"), 5).counts().done()).isEqualTo(3);
  }

  @Test
  default void releaseOfAnEndedOperationLeavesItEnded() {
    OperationScene scene = new OperationScene(fixture());
    Turn turn = scene.taken(scene.plan(OperationKind.DISCARD));
    scene.finish(turn, 1);

    scene.store.release(turn);

    assertThat(scene.find(turn).state()).isEqualTo(State.DONE);
    assertThat(scene.store.take("node-b", OperationScene.LEASE)).isEmpty();
    assertThat(scene.step(turn, 1)).isEmpty();
    assertThat(scene.step(new Turn(new UUID(9, 9), 1), 1)).isEmpty();
  }

  @Test
  default void severalOperationsAreTakenTogether() {
    OperationScene scene = new OperationScene(fixture());
    OperationPlan first = scene.plan(OperationKind.DISCARD);
    OperationPlan second = scene.plan(OperationKind.REQUEUE);
    scene.desk.begin(first);
    scene.desk.begin(second);

    assertThat(scene.store.take("node-a", OperationScene.LEASE))
        .extracting(Turn::operation)
        .containsExactlyInAnyOrder(first.id(), second.id());
  }

  @Test
  default void refusedMessagesAreCountedAndKeptWithTheirReasons() {
    OperationScene scene = new OperationScene(fixture());
    List<MessageId> ids = scene.messages.put(Stage.WAITING, 3);
    scene.messages.lease(0);
    OperationPlan plan = scene.plan(OperationKind.BURY);

    Operation after = scene.run(plan, 2);

    assertThat(after.state()).isEqualTo(State.DONE);
    assertThat(after.counts()).isEqualTo(new Counts(3, 0, 0, 3));
    assertThat(scene.desk.refusals(plan.id()))
        .extracting(Refusal::id)
        .containsExactlyInAnyOrderElementsOf(ids);
    assertThat(scene.desk.refusals(plan.id()))
        .allSatisfy(refusal -> assertThat(refusal.reason()).contains("not paused"));
    assertThat(scene.desk.refusals(new UUID(9, 9))).isEmpty();
  }

  @Test
  default void messagesThatTheDatabaseRefusesAreLeftAlone() {
    OperationScene scene = new OperationScene(fixture());
    List<MessageId> ids = scene.messages.put(Stage.DEAD, 3);
    Turn turn = scene.taken(scene.plan(OperationKind.DISCARD));
    scene.step(turn, 1);

    Optional<Operation> refused = scene.store.step(turn, 1, OperationScene.LEASE, "r".repeat(400));

    assertThat(refused.orElseThrow().counts().refused()).isEqualTo(1);
    assertThat(scene.finish(turn, 5).counts().done()).isEqualTo(2);
    assertThat(scene.messages.ids(Stage.DEAD)).containsExactly(ids.get(1));
    assertThat(scene.desk.refusals(turn.operation()))
        .containsExactly(new Refusal(ids.get(1), "r".repeat(Refusal.REASON_LENGTH_MAX)));
  }

  @Test
  default void undoBringsBackExactlyWhatTheOperationDiscarded() {
    OperationScene scene = new OperationScene(fixture());
    List<MessageId> ids = scene.messages.put(Stage.DEAD, 7);
    OperationPlan meant =
        scene.plan(OperationKind.DISCARD, new GivenFilter().ids(five(ids)).filter());
    Turn turn = scene.taken(meant);
    scene.step(turn, 2);
    scene.messages.desk.acts().discard(ids.subList(5, 7), ANN);
    scene.finish(turn, 2);
    scene.messages.desk.acts().restore(ids.subList(0, 1), ANN);

    OperationPlan undo = scene.plan(OperationKind.RESTORE).undoes(meant.id());
    Operation after = scene.run(undo, 2);

    assertThat(after.state()).isEqualTo(State.DONE);
    assertThat(after.counts().done()).isEqualTo(4);
    assertThat(scene.messages.ids(Stage.DEAD))
        .containsExactlyInAnyOrderElementsOf(ids.subList(0, 5));
    assertThat(scene.messages.ids(Stage.DISCARDED))
        .containsExactlyInAnyOrderElementsOf(ids.subList(5, 7));
  }

  private static MessageId[] five(List<MessageId> ids) {
    return ids.subList(0, 5).toArray(MessageId[]::new);
  }

  @Test
  default void undoOfACancelDelaysTheMessagesAgain() {
    OperationScene scene = new OperationScene(fixture());
    List<MessageId> ids = scene.messages.put(Stage.DELAYED, 3);
    OperationPlan cancel = scene.plan(OperationKind.CANCEL);
    scene.run(cancel, 2);

    scene.run(scene.plan(OperationKind.RESTORE).undoes(cancel.id()), 2);

    assertThat(scene.messages.ids(Stage.DELAYED)).isEqualTo(ids);
  }

  @Test
  default void keysKeepTheirOrderWhenTheirLettersAreRestoredOneByOne() {
    OperationScene scene = new OperationScene(fixture());
    List<StoredMessage> rows = scene.messages.blockedKey(A, 4);
    for (StoredMessage row : rows.subList(0, 2)) {
      scene.messages.desk.acts().discard(List.of(row.id()), ANN);
      fixture().letPass(Duration.ofMillis(1));
      scene.messages.bury(rows.get(rows.indexOf(row) + 1), 2, "no hope", true);
    }
    scene.messages.desk.acts().discard(List.of(rows.get(2).id()), ANN);
    assertThat(scene.messages.only(Stage.RETRYING).id()).isEqualTo(rows.get(3).id());

    scene.run(scene.plan(OperationKind.RESTORE), 1);

    for (StoredMessage row : rows.subList(0, 3)) {
      assertThat(scene.messages.listed(Stage.DEAD, row.id()).blocksKey()).isTrue();
    }
    assertThat(scene.messages.ids(Stage.HELD)).isEqualTo(ids(rows.subList(3, 4)));
  }
}
