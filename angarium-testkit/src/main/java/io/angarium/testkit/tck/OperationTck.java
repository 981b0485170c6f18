package io.angarium.testkit.tck;

import static io.angarium.testkit.tck.DeskScene.ANN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.StoreException;
import io.angarium.deadletter.Decision;
import io.angarium.desk.ActBy;
import io.angarium.desk.AuditEntry;
import io.angarium.desk.AuditQuery;
import io.angarium.desk.MessageFilter;
import io.angarium.desk.Stage;
import io.angarium.operation.Operation;
import io.angarium.operation.Operation.Counts;
import io.angarium.operation.Operation.Halt;
import io.angarium.operation.Operation.State;
import io.angarium.operation.OperationDesk;
import io.angarium.operation.OperationDesk.Change;
import io.angarium.operation.OperationKind;
import io.angarium.operation.OperationPlan;
import io.angarium.operation.OperationScope;
import io.angarium.operation.OperationScope.Part;
import io.angarium.operation.OperationStore.Turn;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/**
 * The contract of {@link OperationDesk}: what persons do with operations. Part of {@link DeskTck}.
 */
@SuppressWarnings("doclint:missing") // the tests are named as sentences
public interface OperationTck extends DeskFixtureTck {
  /** Nothing happens before it is over. */
  Duration HOUR = Duration.ofHours(1);

  @Test
  default void operationIsReadAsItWasBegun() {
    OperationScene scene = new OperationScene(fixture());
    String hostile = "'\"\\;--%_?*&=+ \n中😀";
    Instant time = Instant.parse("2026-11-29T12:03:04.123456Z");
    MessageFilter filter =
        new MessageFilter(
            Collections.nCopies(MessageFilter.DESTINATIONS_MAX, "中".repeat(512)),
            hostile,
            Set.of(new MessageId(new UUID(1, 2)), new MessageId(new UUID(3, 4))),
            hostile,
            hostile,
            "",
            hostile,
            "e".repeat(MessageFilter.ERROR_HAS_LENGTH_MAX),
            "0123456789abcdef",
            time,
            time.plusSeconds(1),
            false,
            3);
    OperationScope scope =
        new OperationScope(
            List.of(
                new Part(List.of("kafka:*", hostile), List.of("*")),
                new Part(List.of(), List.of(hostile))));
    OperationPlan plan =
        new OperationPlan(
            new UUID(-1, 1),
            OperationKind.RESTORE,
            filter,
            scope,
            new UUID(-1, 2),
            fixture().now(),
            HOUR,
            7,
            10,
            10_000,
            new ActBy(
                new Decision("b".repeat(128), "é".repeat(1_000)), ActBy.Via.PAGE, new UUID(-1, 1)));
    Instant before = fixture().now();

    Operation begun = scene.desk.begin(plan);

    assertThat(scene.desk.find(plan.id())).hasValue(begun);
    assertThat(begun.plan()).isEqualTo(plan);
    assertThat(begun.state()).isEqualTo(State.WAITING);
    assertThat(begun.createdAt()).isBetween(before, fixture().now());
    assertThat(begun.startAt()).isEqualTo(begun.createdAt().plus(HOUR));
    assertThat(begun.counts()).isEqualTo(Counts.NONE);
    assertThat(begun.endedAt()).isNull();
    assertThat(begun.halt()).isNull();
  }

  @Test
  default void repeatedRequestBeginsItOnce() {
    OperationScene scene = new OperationScene(fixture());
    scene.messages.put(Stage.DEAD, 3);
    OperationPlan plan = scene.plan(OperationKind.DISCARD);
    Turn turn = scene.taken(plan);
    scene.step(turn, 2);

    Operation again = scene.desk.begin(plan);

    assertThat(again).isEqualTo(scene.find(turn));
    assertThat(again.counts().done()).isEqualTo(2);
    assertThat(scene.step(turn, 2)).isPresent();
  }

  @Test
  default void anotherOperationOfTheSameIdIsRefused() {
    OperationScene scene = new OperationScene(fixture());
    OperationPlan plan = scene.plan(OperationKind.DISCARD);
    scene.desk.begin(plan);
    OperationPlan other =
        OperationPlan.of(plan.id(), OperationKind.REQUEUE, plan.filter(), plan.until(), ANN);

    assertThatIllegalArgumentException().isThrownBy(() -> scene.desk.begin(other));

    assertThat(scene.desk.newest(10)).hasSize(1);
  }

  @Test
  default void tooManyOpenOperationsAreRefused() {
    OperationScene scene = new OperationScene(fixture());
    List<OperationPlan> plans = new ArrayList<>();
    for (int i = 0; i < OperationDesk.OPEN_MAX; i++) {
      plans.add(scene.plan(OperationKind.DISCARD));
      scene.desk.begin(plans.get(i));
    }
    OperationPlan more = scene.plan(OperationKind.DISCARD);

    assertThatIllegalArgumentException().isThrownBy(() -> scene.desk.begin(more));

    scene.desk.change(plans.get(3).id(), Change.CANCEL, ANN);
    assertThat(scene.desk.begin(more).state()).isEqualTo(State.WAITING);
  }

  @Test
  default void newestOperationsComeFirst() {
    OperationScene scene = new OperationScene(fixture());
    List<UUID> ids = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      OperationPlan plan = scene.plan(OperationKind.DISCARD);
      scene.desk.begin(plan);
      ids.add(0, plan.id());
      fixture().letPass(Duration.ofMillis(1));
    }

    assertThat(scene.desk.newest(10)).extracting(each -> each.plan().id()).isEqualTo(ids);
    assertThat(scene.desk.newest(2))
        .extracting(each -> each.plan().id())
        .isEqualTo(ids.subList(0, 2));
    for (int wrong : List.of(0, OperationDesk.LIMIT_MAX + 1)) {
      assertThatIllegalArgumentException().isThrownBy(() -> scene.desk.newest(wrong));
    }
  }

  @Test
  default void nothingHappensBeforeItsStart() {
    OperationScene scene = new OperationScene(fixture());
    OperationPlan plan = scene.plan(OperationKind.DISCARD).delay(HOUR);
    scene.desk.begin(plan);

    assertThat(scene.store.take("node-a", OperationScene.LEASE)).isEmpty();

    assertThat(scene.desk.change(plan.id(), Change.RESUME, ANN)).isTrue();
    assertThat(scene.take("node-a").operation()).isEqualTo(plan.id());
  }

  @Test
  default void operationThatWaitsIsCancelledBeforeAnythingHappens() {
    OperationScene scene = new OperationScene(fixture());
    scene.messages.put(Stage.DEAD, 2);
    OperationPlan plan = scene.plan(OperationKind.DISCARD);
    scene.desk.begin(plan);

    assertThat(scene.desk.change(plan.id(), Change.CANCEL, ANN)).isTrue();

    assertThat(scene.store.take("node-a", OperationScene.LEASE)).isEmpty();
    Operation after = scene.desk.find(plan.id()).orElseThrow();
    assertThat(after.state()).isEqualTo(State.CANCELLED);
    assertThat(after.endedAt()).isBetween(after.createdAt(), fixture().now());
    assertThat(scene.messages.ids(Stage.DEAD)).hasSize(2);
  }

  @Test
  default void pausedOperationGoesOnWhereItWasWhenItIsResumed() {
    OperationScene scene = new OperationScene(fixture());
    scene.messages.put(Stage.DEAD, 5);
    Turn turn = scene.taken(scene.plan(OperationKind.DISCARD));
    scene.step(turn, 2);

    assertThat(scene.desk.change(turn.operation(), Change.PAUSE, ANN)).isTrue();

    assertThat(scene.step(turn, 2)).isEmpty();
    assertThat(scene.find(turn).state()).isEqualTo(State.PAUSED);
    assertThat(scene.store.take("node-b", OperationScene.LEASE)).isEmpty();
    assertThat(scene.messages.ids(Stage.DEAD)).hasSize(3);
    assertThat(scene.desk.change(turn.operation(), Change.RESUME, ANN)).isTrue();
    assertThat(scene.step(turn, 2)).isEmpty();
    Operation after = scene.finish(scene.take("node-b"), 2);
    assertThat(after.state()).isEqualTo(State.DONE);
    assertThat(after.counts().done()).isEqualTo(5);
    assertThat(after.node()).isEqualTo("node-b");
  }

  @Test
  default void operationThatWasPausedForLongGoesOn() {
    OperationScene scene = new OperationScene(fixture());
    scene.messages.put(Stage.DEAD, 5);
    Turn turn = scene.taken(scene.plan(OperationKind.DISCARD));
    scene.step(turn, 2);
    scene.desk.change(turn.operation(), Change.PAUSE, ANN);
    fixture().ageOperations(Duration.ofHours(3));

    assertThat(scene.desk.change(turn.operation(), Change.RESUME, ANN)).isTrue();

    assertThat(scene.desk.newest(10)).hasSize(1);
    assertThat(scene.find(turn).state()).isEqualTo(State.RUNNING);
    assertThat(scene.finish(scene.take("node-b"), 2).counts().done()).isEqualTo(5);
  }

  @Test
  default void cancelledOperationChangesNothingMore() {
    OperationScene scene = new OperationScene(fixture());
    scene.messages.put(Stage.DEAD, 5);
    Turn turn = scene.taken(scene.plan(OperationKind.DISCARD));
    scene.step(turn, 2);

    assertThat(scene.desk.change(turn.operation(), Change.CANCEL, ANN)).isTrue();

    assertThat(scene.step(turn, 2)).isEmpty();
    assertThat(scene.messages.ids(Stage.DEAD)).hasSize(3);
    assertThat(scene.find(turn).counts().done()).isEqualTo(2);
    for (Change change : Change.values()) {
      assertThat(scene.desk.change(turn.operation(), change, ANN)).as(change.name()).isFalse();
    }
  }

  @Test
  default void changesThatTheStateDoesNotPermitAreRefused() {
    OperationScene scene = new OperationScene(fixture());
    Turn turn = scene.taken(scene.plan(OperationKind.DISCARD));

    assertThat(scene.desk.change(turn.operation(), Change.RESUME, ANN)).isFalse();
    assertThat(scene.desk.change(turn.operation(), Change.PAUSE, ANN)).isTrue();
    assertThat(scene.desk.change(turn.operation(), Change.PAUSE, ANN)).isFalse();
    for (Change change : Change.values()) {
      assertThat(scene.desk.change(new UUID(9, 9), change, ANN)).isFalse();
    }
  }

  @Test
  default void paceIsChangedUntilItEnds() {
    OperationScene scene = new OperationScene(fixture());
    Turn turn = scene.taken(scene.plan(OperationKind.DISCARD));

    assertThat(scene.desk.rate(turn.operation(), 3, ANN)).isTrue();

    assertThat(scene.find(turn).plan().rate()).isEqualTo(3);
    for (int wrong : List.of(0, OperationPlan.RATE_MAX + 1)) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> scene.desk.rate(turn.operation(), wrong, ANN));
    }
    assertThat(scene.finish(turn, 1).state()).isEqualTo(State.DONE);
    assertThat(scene.desk.rate(turn.operation(), 4, ANN)).isFalse();
    assertThat(scene.desk.rate(new UUID(9, 9), 4, ANN)).isFalse();
  }

  @Test
  default void firstFewAreDoneAndTheRestWhenItIsResumed() {
    OperationScene scene = new OperationScene(fixture());
    scene.messages.put(Stage.DEAD, 7);
    Turn turn = scene.taken(scene.plan(OperationKind.DISCARD).firstFew(3));

    Operation few = scene.finish(turn, 2);

    assertThat(few.state()).isEqualTo(State.PAUSED);
    assertThat(few.halt()).isEqualTo(Halt.FIRST_FEW);
    assertThat(few.counts().done()).isEqualTo(3);
    assertThat(scene.messages.ids(Stage.DEAD)).hasSize(4);
    assertThat(scene.step(turn, 2)).isEmpty();
    scene.desk.change(turn.operation(), Change.RESUME, ANN);
    Operation all = scene.finish(scene.take("node-a"), 2);
    assertThat(all.state()).isEqualTo(State.DONE);
    assertThat(all.halt()).isNull();
    assertThat(all.counts().done()).isEqualTo(7);
  }

  @Test
  default void operationStopsAtTheMostMessagesThatItMayChange() {
    OperationScene scene = new OperationScene(fixture());
    scene.messages.put(Stage.DEAD, 5);

    Operation after = scene.run(scene.plan(OperationKind.DISCARD).messagesMax(3), 2);

    assertThat(after.state()).isEqualTo(State.STOPPED);
    assertThat(after.halt()).isEqualTo(Halt.MESSAGES_MAX);
    assertThat(after.counts().done()).isEqualTo(3);
    assertThat(scene.messages.ids(Stage.DEAD)).hasSize(2);
    assertThat(after.endedAt()).isNotNull();
  }

  @Test
  default void requeueWaitsWhileADestinationOfItIsPaused() {
    OperationScene scene = new OperationScene(fixture());
    scene.messages.put(Stage.DEAD, 2);
    long pause = scene.messages.desk.pauses().pause(StoreScene.ORDERS.toString(), HOUR, ANN).id();

    Turn turn = scene.taken(scene.plan(OperationKind.REQUEUE));
    Operation waits = scene.finish(turn, 10);

    assertThat(waits.state()).isEqualTo(State.PAUSED);
    assertThat(waits.halt()).isEqualTo(Halt.DESTINATION_PAUSED);
    assertThat(waits.counts().reached()).isZero();
    assertThat(scene.messages.ids(Stage.DEAD)).hasSize(2);
    scene.messages.desk.pauses().resume(pause, ANN);
    scene.desk.change(turn.operation(), Change.RESUME, ANN);
    assertThat(scene.finish(scene.take("node-a"), 10).counts().done()).isEqualTo(2);
  }

  @Test
  default void discardDoesNotWaitForAPausedDestination() {
    OperationScene scene = new OperationScene(fixture());
    scene.messages.put(Stage.DEAD, 2);
    scene.messages.desk.pauses().pause("*", HOUR, ANN);

    Operation after = scene.run(scene.plan(OperationKind.DISCARD), 10);

    assertThat(after.counts().done()).isEqualTo(2);
  }

  @Test
  default void beginAndEndAndWhatPersonsDoAreInTheAuditOnce() {
    OperationScene scene = new OperationScene(fixture());
    scene.messages.put(Stage.DEAD, 3);
    OperationPlan plan = scene.plan(OperationKind.DISCARD);
    ActBy bob = ActBy.of("bob", "too fast", ActBy.Via.PAGE);
    Turn turn = scene.taken(plan);
    scene.desk.begin(plan);
    scene.step(turn, 1);
    scene.desk.change(plan.id(), Change.PAUSE, bob);
    scene.desk.change(plan.id(), Change.PAUSE, bob);
    scene.desk.rate(plan.id(), 5, bob);
    scene.desk.change(plan.id(), Change.RESUME, bob);
    scene.finish(scene.take("node-a"), 1);

    List<AuditEntry> entries =
        scene
            .messages
            .desk
            .audit()
            .page(new AuditQuery(null, null, "operation", null, null, null, null, 20));
    assertThat(entries)
        .extracting(AuditEntry::act)
        .containsExactly(
            "end-operation",
            "resume-operation",
            "rate-operation",
            "pause-operation",
            "begin-operation");
    assertThat(entries)
        .allSatisfy(
            entry -> {
              assertThat(entry.target()).isEqualTo(plan.id().toString());
              assertThat(entry.by().operation()).isEqualTo(plan.id());
            });
    assertThat(entries.get(0).by().decision()).isEqualTo(ANN.decision());
    assertThat(entries.get(0).by().via()).isEqualTo(ActBy.Via.SYSTEM);
    assertThat(entries.get(0).details()).contains("3 done").contains("0 refused");
    assertThat(entries.get(1).by().decision()).isEqualTo(bob.decision());
    assertThat(entries.get(4).by().decision()).isEqualTo(ANN.decision());
  }

  @Test
  default void whatPersonsDoAndItsAuditCommitTogether() {
    OperationScene scene = new OperationScene(fixture());
    OperationPlan plan = scene.plan(OperationKind.DISCARD);
    scene.desk.begin(plan);
    fixture().breakAudit();

    assertThatThrownBy(() -> scene.desk.begin(scene.plan(OperationKind.DISCARD)))
        .isInstanceOf(StoreException.class);
    for (Change change : List.of(Change.PAUSE, Change.CANCEL)) {
      assertThatThrownBy(() -> scene.desk.change(plan.id(), change, ANN))
          .isInstanceOf(StoreException.class);
    }
    assertThatThrownBy(() -> scene.desk.rate(plan.id(), 3, ANN)).isInstanceOf(StoreException.class);

    fixture().mendAudit();
    assertThat(scene.desk.newest(10)).hasSize(1);
    Operation after = scene.desk.find(plan.id()).orElseThrow();
    assertThat(after.state()).isEqualTo(State.WAITING);
    assertThat(after.plan().rate()).isEqualTo(OperationPlan.RATE);
  }

  @Test
  default void messagesThatAreDeadAgainAreCounted() {
    OperationScene scene = new OperationScene(fixture());
    List<MessageId> ids = scene.messages.put(Stage.DEAD, 3);
    OperationPlan plan = scene.plan(OperationKind.REQUEUE);
    scene.run(plan, 10);
    assertThat(scene.desk.diedAgain(plan.id()).count()).isZero();

    scene.messages.put(Stage.DEAD, Message.of("fake:new", "new").key("new"));
    scene.dieAgain(ids.get(1));

    assertThat(scene.desk.diedAgain(plan.id()).count()).isEqualTo(1);
    assertThat(scene.desk.diedAgain(plan.id()).atLeast()).isFalse();
    assertThat(scene.desk.diedAgain(new UUID(9, 9)).count()).isZero();
  }
}
