package io.angarium.testkit.tck;

import static io.angarium.testkit.tck.StoreScene.A;
import static io.angarium.testkit.tck.StoreScene.B;
import static io.angarium.testkit.tck.StoreScene.ids;
import static io.angarium.testkit.tck.StoreScene.sequence;
import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.MessageId;
import io.angarium.intake.StoredMessage;
import io.angarium.store.SequenceMark;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * The contract of {@link io.angarium.store.OutboxStore#mark} and {@link
 * io.angarium.store.OutboxStore#settled}. Part of {@link OutboxStoreTck}.
 */
@SuppressWarnings("doclint:missing") // the tests are named as sentences
public interface MarkTck extends FixtureTck {
  @Test
  default void markOfAQuietDatabaseCoversEveryRowAndSettles() {
    StoreScene scene = new StoreScene(fixture());
    List<StoredMessage> rows = scene.commit(scene.keyed(A), scene.keyless());

    SequenceMark mark = scene.outbox.mark();

    assertThat(mark.lastSequence()).isGreaterThanOrEqualTo(sequence(rows.get(1)));
    StoreScene.await("mark settled", () -> scene.outbox.settled(mark));
  }

  @Test
  default void markIsNotSettledWhileALowerRowIsUncommitted() {
    StoreScene scene = new StoreScene(fixture());
    try (StoreFixture.OpenTransaction open = scene.open(scene.keyed(A))) {
      StoredMessage above = scene.commit(scene.keyed(B)).get(0);

      SequenceMark mark = scene.outbox.mark();

      // A store may leave the open row out of the mark, but must not call it settled below.
      boolean coversOpenRow = mark.lastSequence() >= sequence(above);
      assertThat(coversOpenRow && scene.outbox.settled(mark)).isFalse();
      open.commit();
      StoreScene.await("mark settled", () -> scene.outbox.settled(mark));
    }
  }

  @Test
  default void newestOpenTransactionHoldsTheMarkBack() {
    StoreScene scene = new StoreScene(fixture());
    StoredMessage below = scene.commit(scene.keyed(B)).get(0);
    try (StoreFixture.OpenTransaction open = scene.open(scene.keyed(A))) {
      SequenceMark mark = scene.outbox.mark();
      boolean settledWhileOpen = scene.outbox.settled(mark);

      open.commit();

      long late = sequence(scene.unsent().get(1));
      assertThat(late).isGreaterThan(sequence(below));
      assertThat(settledWhileOpen && mark.lastSequence() >= late).isFalse();
      StoreScene.await("mark settled", () -> scene.outbox.settled(mark));
    }
  }

  @Test
  default void rollbackSettlesTheMarkToo() {
    StoreScene scene = new StoreScene(fixture());
    try (StoreFixture.OpenTransaction open = scene.open(scene.keyed(A))) {
      SequenceMark mark = scene.outbox.mark();

      open.rollback();

      StoreScene.await("mark settled", () -> scene.outbox.settled(mark));
    }
  }

  @Test
  default void transactionBegunAfterTheMarkDoesNotHoldItBack() {
    StoreScene scene = new StoreScene(fixture());
    scene.commit(scene.keyed(A));
    SequenceMark mark = scene.outbox.mark();

    try (StoreFixture.OpenTransaction later = scene.open(scene.keyed(A))) {
      StoreScene.await("mark settled", () -> scene.outbox.settled(mark));
      later.rollback();
    }
  }

  @Test
  default void numberTakenBeforeAndSequenceTakenAfterTheMarkIsNotLost() {
    StoreScene scene = new StoreScene(fixture());
    try (StoreFixture.OpenTransaction open = fixture().begin()) {
      open.writeElsewhere();
      scene.commit(scene.keyed(B));
      SequenceMark mark = scene.outbox.mark();
      boolean settledBefore = scene.outbox.settled(mark);

      open.insert(List.of(scene.keyed(A)));
      open.commit();

      boolean below = sequence(scene.unsent().get(1)) <= mark.lastSequence();
      assertThat(settledBefore && below).isFalse();
    }
  }

  @Test
  default void noRowAppearsBelowASettledMark() {
    StoreScene scene = new StoreScene(fixture());
    Random random = new Random(7);
    List<StoreFixture.OpenTransaction> open = new ArrayList<>();
    Map<SequenceMark, Set<MessageId>> settled = new HashMap<>();
    List<SequenceMark> waiting = new ArrayList<>();
    for (int step = 0; step < 150; step++) {
      switch (random.nextInt(4)) {
        case 0 -> beginOne(scene, open, random);
        case 1 -> endOne(open, random);
        case 2 -> waiting.add(scene.outbox.mark());
        default -> noteSettled(scene, waiting, settled);
      }
    }
    while (!open.isEmpty()) {
      endOne(open, random);
    }

    List<StoredMessage> all = scene.unsent();
    assertThat(settled).isNotEmpty();
    settled.forEach(
        (mark, seen) ->
            assertThat(all)
                .filteredOn(row -> sequence(row) <= mark.lastSequence())
                .extracting(StoredMessage::id)
                .as("rows up to %s", mark)
                .isSubsetOf(seen));
  }

  private static void noteSettled(
      StoreScene scene, List<SequenceMark> waiting, Map<SequenceMark, Set<MessageId>> settled) {
    List<SequenceMark> now = waiting.stream().filter(scene.outbox::settled).toList();
    if (!now.isEmpty()) {
      Set<MessageId> seen = new HashSet<>(ids(scene.unsent()));
      now.forEach(mark -> settled.put(mark, seen));
      waiting.removeAll(now);
    }
  }

  private static void beginOne(
      StoreScene scene, List<StoreFixture.OpenTransaction> open, Random random) {
    if (open.size() < 5) {
      StoreFixture.OpenTransaction transaction = scene.fixture.begin();
      if (random.nextBoolean()) {
        transaction.writeElsewhere();
      }
      transaction.insert(List.of(scene.keyed(A)));
      open.add(transaction);
    }
  }

  private static void endOne(List<StoreFixture.OpenTransaction> open, Random random) {
    if (!open.isEmpty()) {
      try (StoreFixture.OpenTransaction ending = open.remove(random.nextInt(open.size()))) {
        if (random.nextInt(4) > 0) {
          ending.commit();
        }
      }
    }
  }
}
