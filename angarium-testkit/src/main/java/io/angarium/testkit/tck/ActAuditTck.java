package io.angarium.testkit.tck;

import static io.angarium.testkit.tck.DeskScene.deadIds;
import static io.angarium.testkit.tck.StoreScene.A;
import static io.angarium.testkit.tck.StoreScene.B;
import static io.angarium.testkit.tck.StoreScene.LONG;
import static io.angarium.testkit.tck.StoreScene.ids;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.MessageId;
import io.angarium.StoreException;
import io.angarium.deadletter.Decision;
import io.angarium.desk.ActBy;
import io.angarium.desk.ActResult;
import io.angarium.desk.AuditEntry;
import io.angarium.desk.AuditQuery;
import io.angarium.desk.MessageActs;
import io.angarium.desk.MessageActs.Correction;
import io.angarium.desk.Stage;
import io.angarium.intake.NewMessage;
import io.angarium.intake.StoredMessage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * What all acts of {@link MessageActs} have in common: ids, results, entries of the audit, persons
 * who act at once. Part of {@link DeskActsTck}.
 */
@SuppressWarnings("doclint:missing") // the tests are named as sentences
public interface ActAuditTck extends DeskFixtureTck {

  /** One of the acts. */
  interface Act {
    /** Acts on messages. */
    ActResult on(Collection<MessageId> ids);
  }

  /** Every act by its name. */
  private static Map<String, Act> every(MessageActs acts) {
    Map<String, Act> all = new LinkedHashMap<>();
    all.put("requeue", ids -> acts.requeue(ids, DeskScene.ANN));
    all.put("discard", ids -> acts.discard(ids, DeskScene.ANN));
    all.put("restore", ids -> acts.restore(ids, DeskScene.ANN));
    all.put("cancel", ids -> acts.cancel(ids, DeskScene.ANN));
    all.put("sendNow", ids -> acts.sendNow(ids, DeskScene.ANN));
    Correction other = Correction.redirect(DeskScene.OTHER);
    all.put("correct", ids -> acts.correct(ids, other, DeskScene.ANN));
    return all;
  }

  /** Messages on which each act has an effect, by its name. */
  private static Map<String, MessageId> targets(DeskScene scene) {
    Map<String, MessageId> targets = new LinkedHashMap<>();
    targets.put("requeue", scene.put(Stage.DEAD));
    targets.put("discard", scene.put(Stage.DEAD));
    MessageId discarded = scene.put(Stage.DEAD);
    scene.desk.acts().discard(List.of(discarded), DeskScene.ANN);
    targets.put("restore", discarded);
    targets.put("cancel", scene.put(Stage.DELAYED));
    targets.put("sendNow", scene.put(Stage.DELAYED));
    targets.put("correct", scene.put(Stage.DEAD));
    return targets;
  }

  private static MessageId target(Map<String, MessageId> targets, String act) {
    return Objects.requireNonNull(targets.get(act), act);
  }

  @Test
  default void noIdsAndTooManyAreRefused() {
    List<MessageId> tooMany = unknown(MessageActs.IDS_MAX + 1);

    every(fixture().desk().acts())
        .forEach(
            (name, act) -> {
              assertThatIllegalArgumentException().as(name).isThrownBy(() -> act.on(List.of()));
              assertThatIllegalArgumentException().as(name).isThrownBy(() -> act.on(tooMany));
            });

    assertThat(fixture().desk().audit().page(AuditQuery.newest(10))).isEmpty();
  }

  private static List<MessageId> unknown(int count) {
    return IntStream.range(0, count).mapToObj(i -> new MessageId(new UUID(7, i))).toList();
  }

  @Test
  default void messagesOfOtherStagesAreNotFoundAndLeaveNoTrace() {
    DeskScene scene = new DeskScene(fixture());
    MessageId waiting = scene.put(Stage.WAITING);
    MessageId sent = scene.put(Stage.SENT);
    MessageId held = scene.put(Stage.HELD, StoreScene.message("held").key(A));
    List<MessageId> ids = new ArrayList<>(unknown(MessageActs.IDS_MAX - 3));
    ids.addAll(List.of(waiting, sent, held));

    every(scene.desk.acts())
        .forEach(
            (name, act) -> {
              ActResult result = act.on(ids);

              assertThat(result.done()).as(name).isEmpty();
              assertThat(result.notFound()).as(name).containsExactlyInAnyOrderElementsOf(ids);
              assertThat(result.refused()).as(name).isEmpty();
            });

    assertThat(scene.desk.audit().page(AuditQuery.newest(10))).isEmpty();
    assertThat(ids(scene.store.unsent())).containsExactly(waiting);
    assertThat(scene.store.due()).isEmpty();
    assertThat(scene.store.parkedOf(A)).hasSize(2).endsWith(held);
  }

  @Test
  default void eachActLeavesOneEntryOfTheAuditForEachMessage() {
    DeskScene scene = new DeskScene(fixture());
    Map<String, MessageId> targets = targets(scene);
    long before = scene.newestEntry();

    every(scene.desk.acts())
        .forEach(
            (name, act) -> {
              Instant began = fixture().now();
              MessageId id = target(targets, name);
              ActResult result = act.on(List.of(id, unknown(1).get(0), id));

              assertThat(result.done()).as(name).containsExactly(id);
              assertThat(result.notFound()).as(name).isEqualTo(unknown(1));
              AuditEntry entry = scene.desk.audit().page(AuditQuery.newest(1)).get(0);
              assertThat(entry.act()).isEqualTo(name);
              assertThat(entry.targetKind()).as(name).isEqualTo(AuditEntry.MESSAGE);
              assertThat(entry.target()).as(name).isEqualTo(id.toString());
              assertThat(entry.by()).as(name).isEqualTo(DeskScene.ANN);
              assertThat(entry.at()).as(name).isBetween(began, fixture().now());
            });

    assertThat(scene.desk.audit().page(AuditQuery.newest(10)))
        .filteredOn(entry -> entry.id() > before)
        .hasSize(6);
  }

  @Test
  default void entriesNameTheOperationThatAnActBelongsTo() {
    DeskScene scene = new DeskScene(fixture());
    List<MessageId> dead = scene.put(Stage.DEAD, 3);
    ActBy by = new ActBy(new Decision("bob", "schema mended"), ActBy.Via.PAGE, new UUID(1, 2));

    scene.desk.acts().requeue(dead, by);

    List<AuditEntry> entries = scene.desk.audit().page(AuditQuery.newest(10));
    assertThat(entries).extracting(AuditEntry::by).containsExactly(by, by, by);
    assertThat(entries)
        .extracting(AuditEntry::target)
        .containsExactlyInAnyOrderElementsOf(dead.stream().map(MessageId::toString).toList());
  }

  @Test
  default void repeatedActChangesNothing() {
    DeskScene scene = new DeskScene(fixture());
    Map<String, MessageId> targets = targets(scene);
    targets.remove("sendNow"); // makes due what is due

    every(scene.desk.acts())
        .forEach(
            (name, act) -> {
              if (targets.containsKey(name)) {
                List<MessageId> ids = List.of(target(targets, name));
                assertThat(act.on(ids).done()).as(name).isEqualTo(ids);
                long before = scene.newestEntry();

                ActResult again = act.on(ids);

                assertThat(again.done()).as(name).isEmpty();
                assertThat(again.notFound()).as(name).isEqualTo(ids);
                assertThat(scene.newestEntry()).as(name).isEqualTo(before);
              }
            });

    assertThat(ids(scene.store.unsent()))
        .containsExactly(target(targets, "requeue"), target(targets, "correct"));
    assertThat(deadIds(scene)).containsExactly(target(targets, "restore"));
  }

  @Test
  default void actAndItsEntriesCommitTogether() {
    DeskScene scene = new DeskScene(fixture());
    Map<String, MessageId> targets = targets(scene);
    long before = scene.newestEntry();
    List<MessageId> deadBefore = deadIds(scene);

    fixture().breakAudit();
    every(scene.desk.acts())
        .forEach(
            (name, act) ->
                assertThatThrownBy(() -> act.on(List.of(target(targets, name))))
                    .as(name)
                    .isInstanceOf(StoreException.class));
    fixture().mendAudit();

    assertThat(scene.newestEntry()).isEqualTo(before);
    assertThat(deadIds(scene)).isEqualTo(deadBefore);
    assertThat(scene.enqueueDue()).isEmpty();
    every(scene.desk.acts())
        .forEach(
            (name, act) ->
                assertThat(act.on(List.of(target(targets, name))).done()).as(name).hasSize(1));
  }

  @Test
  default void twoPersonsAtOnceActOnEachMessageOnce() {
    DeskScene scene = new DeskScene(fixture());
    List<StoredMessage> rows =
        scene.store.commit(IntStream.range(0, 60).mapToObj(i -> scene.store.keyless()).toList());
    scene.buryAll(rows);
    List<MessageId> ids = ids(rows);
    List<MessageId> backwards = new ArrayList<>(ids);
    Collections.reverse(backwards);
    MessageActs acts = scene.desk.acts();

    for (int round = 0; round < 5; round++) {
      CompletableFuture<ActResult> other =
          CompletableFuture.supplyAsync(() -> acts.discard(backwards, DeskScene.ANN));
      List<MessageId> done = new ArrayList<>(acts.discard(ids, DeskScene.ANN).done());
      done.addAll(other.join().done());
      assertThat(done).containsExactlyInAnyOrderElementsOf(ids);

      CompletableFuture<ActResult> another =
          CompletableFuture.supplyAsync(() -> acts.restore(ids, DeskScene.ANN));
      List<MessageId> restored = new ArrayList<>(acts.restore(backwards, DeskScene.ANN).done());
      restored.addAll(another.join().done());
      assertThat(restored).containsExactlyInAnyOrderElementsOf(ids);
    }
    assertThat(deadIds(scene)).isEqualTo(ids);
  }

  @Test
  default void asManyMessagesAsOneCallTakesGoThroughEveryAct() {
    DeskScene scene = new DeskScene(fixture());
    Instant due = fixture().now().plus(LONG);
    List<NewMessage> delayed = new ArrayList<>();
    List<NewMessage> dead = new ArrayList<>();
    for (int i = 0; i < MessageActs.IDS_MAX; i++) {
      delayed.add(scene.fresh(StoreScene.message("later").key(A).notBefore(due)));
      dead.add(scene.fresh(StoreScene.message("dead").key(B)));
    }
    scene.store.commit(delayed);
    List<StoredMessage> rows = scene.store.commit(dead);
    scene.buryAll(rows);
    MessageActs acts = scene.desk.acts();
    List<MessageId> deadIds = ids(rows);
    List<MessageId> delayedIds = delayed.stream().map(NewMessage::id).toList();

    assertThat(acts.discard(deadIds, DeskScene.ANN).done()).hasSize(MessageActs.IDS_MAX);
    assertThat(acts.restore(deadIds, DeskScene.ANN).done()).hasSize(MessageActs.IDS_MAX);
    assertThat(acts.requeue(deadIds, DeskScene.ANN).done()).hasSize(MessageActs.IDS_MAX);
    assertThat(acts.cancel(delayedIds, DeskScene.ANN).done()).hasSize(MessageActs.IDS_MAX);
    assertThat(acts.restore(delayedIds, DeskScene.ANN).done()).hasSize(MessageActs.IDS_MAX);
    assertThat(acts.sendNow(delayedIds, DeskScene.ANN).done()).hasSize(MessageActs.IDS_MAX);

    assertThat(ids(scene.store.unsent()).subList(0, MessageActs.IDS_MAX)).isEqualTo(deadIds);
    assertThat(scene.enqueueDue()).containsExactlyInAnyOrderElementsOf(delayedIds);
  }
}
