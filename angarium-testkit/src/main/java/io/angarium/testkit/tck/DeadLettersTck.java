package io.angarium.testkit.tck;

import static io.angarium.testkit.tck.StoreScene.A;
import static io.angarium.testkit.tck.StoreScene.B;
import static io.angarium.testkit.tck.StoreScene.C;
import static io.angarium.testkit.tck.StoreScene.ELSEWHERE;
import static io.angarium.testkit.tck.StoreScene.KEYLESS_PARTITION;
import static io.angarium.testkit.tck.StoreScene.LONG;
import static io.angarium.testkit.tck.StoreScene.OTHER_PARTITION;
import static io.angarium.testkit.tck.StoreScene.PARTITION;
import static io.angarium.testkit.tck.StoreScene.hash;
import static io.angarium.testkit.tck.StoreScene.ids;
import static io.angarium.testkit.tck.StoreScene.sequence;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.deadletter.DeadLetter;
import io.angarium.deadletter.DeadLetterFilter;
import io.angarium.deadletter.DeadLetterPage;
import io.angarium.deadletter.DeadLetterQuery;
import io.angarium.deadletter.DeadLetterQuery.Order;
import io.angarium.deadletter.DeadLetterRow;
import io.angarium.deadletter.DeadLetters;
import io.angarium.deadletter.Decision;
import io.angarium.deadletter.RequeueProgress;
import io.angarium.intake.NewMessage;
import io.angarium.intake.Position;
import io.angarium.intake.StoredMessage;
import io.angarium.store.DeadEntry;
import io.angarium.store.ReadLimit;
import io.angarium.store.SequenceRange;
import io.angarium.store.Snapshot;
import io.angarium.store.lease.Lease;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The contract of {@link io.angarium.deadletter.DeadLetters}. Part of {@link OutboxStoreTck}. */
@SuppressWarnings("doclint:missing") // the tests are named as sentences
public interface DeadLettersTck extends FixtureTck {

  @Test
  default void pagesGoThroughAllDeadLettersOldestFirst() {
    StoreScene scene = new StoreScene(fixture());
    List<StoredMessage> here = scene.commit(scene.keyed(A), scene.keyed(B));
    List<StoredMessage> there = scene.commit(scene.keyed(ELSEWHERE));
    List<StoredMessage> again = scene.commit(scene.keyed(C), scene.keyed(A));
    Lease lease = scene.lease();
    scene.bury(lease, again.get(1), false);
    scene.bury(scene.lease(OTHER_PARTITION, "node-a"), there.get(0), false);
    scene.bury(lease, again.get(0), false);
    scene.bury(lease, here.get(1), false);
    scene.bury(lease, here.get(0), false);

    DeadLetters dead = scene.outbox.deadLetters();
    List<DeadLetter> first = dead.page(null, null, 2);
    List<DeadLetter> second = dead.page(null, last(first), 2);
    List<DeadLetter> third = dead.page(null, last(second), 2);

    assertThat(deadIds(first)).isEqualTo(ids(here));
    assertThat(deadIds(second)).containsExactly(there.get(0).id(), again.get(0).id());
    assertThat(deadIds(third)).containsExactly(again.get(1).id());
    assertThat(dead.page(null, last(third), 2)).isEmpty();
  }

  @Test
  default void pageCanBeOfOneDestination() {
    StoreScene scene = new StoreScene(fixture());
    Message toOther = Message.of("fake:other", new byte[0]);
    List<StoredMessage> rows =
        scene.commit(scene.keyless(), scene.of(toOther), scene.keyless(), scene.of(toOther));
    Lease lease = scene.lease(KEYLESS_PARTITION, "node-a");
    rows.forEach(row -> scene.bury(lease, row, false));

    DeadLetters dead = scene.outbox.deadLetters();
    List<DeadLetter> page = dead.page("fake:other", null, 1);

    assertThat(deadIds(page)).containsExactly(rows.get(1).id());
    assertThat(deadIds(dead.page("fake:other", last(page), 9))).containsExactly(rows.get(3).id());
    assertThat(dead.page("fake:none", null, 9)).isEmpty();
  }

  @Test
  default void pageOfAWrongSizeIsRefused() {
    DeadLetters dead = fixture().outbox().deadLetters();

    assertThatThrownBy(() -> dead.page(null, null, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("0");
    assertThatThrownBy(() -> dead.page(null, null, DeadLetters.PAGE_MAX + 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("1001");
    assertThat(dead.page(null, null, DeadLetters.PAGE_MAX)).isEmpty();
  }

  @Test
  default void deadLettersAreFoundById() {
    StoreScene scene = new StoreScene(fixture());
    List<StoredMessage> rows = scene.commit(scene.keyed(A), scene.keyed(B), scene.keyed(C));
    Lease lease = scene.lease();
    scene.bury(lease, rows.get(0), false);
    scene.bury(lease, rows.get(2), true);

    List<DeadLetter> found = scene.outbox.deadLetters().find(ids(rows));

    assertThat(deadIds(found)).containsExactlyInAnyOrder(rows.get(0).id(), rows.get(2).id());
    assertThat(scene.outbox.deadLetters().find(List.of())).isEmpty();
  }

  @Test
  default void requeuedMessageIsEnqueuedAnewAtTheEndOfItsKey() {
    StoreScene scene = new StoreScene(fixture());
    StoredMessage row = scene.commit(scene.keyed(A)).get(0);
    scene.outbox.bury(scene.lease(), List.of(DeadEntry.of(row, 5, "x", false)));
    StoredMessage later = scene.commit(scene.keyed(A)).get(0);

    int requeued = scene.outbox.deadLetters().requeue(List.of(row.id()), "ann");

    assertThat(requeued).isEqualTo(1);
    assertThat(ids(scene.unsent())).containsExactly(later.id(), row.id());
    assertThat(scene.unsent().get(1).attempts()).isZero();
    assertThat(scene.outbox.lastSequence()).isGreaterThanOrEqualTo(sequence(scene.unsent().get(1)));
    assertThat(scene.outbox.deadLetters().page(null, null, 10)).isEmpty();
  }

  @Test
  default void requeuedMessageIsALateRowForThoseWhoReadBefore() {
    StoreScene scene = new StoreScene(fixture());
    StoredMessage row = scene.commit(scene.keyed(A)).get(0);
    scene.bury(scene.lease(), row, false);
    List<SequenceRange> all = List.of(SequenceRange.after(PARTITION, 0));
    Snapshot before = scene.outbox.readLate(all, null, ReadLimit.rows(10)).snapshot();

    scene.outbox.deadLetters().requeue(List.of(row.id()), "ann");

    assertThat(ids(scene.outbox.readLate(all, before, ReadLimit.rows(10)).rows()))
        .contains(row.id());
  }

  @Test
  default void requeuedBlockerTakesItsOldPlaceBeforeTheWaitingOnes() {
    StoreScene scene = new StoreScene(fixture());
    Lease lease = scene.lease();
    List<StoredMessage> rows = scene.commit(scene.keyed(A), scene.keyed(A), scene.keyed(A));
    scene.park(lease, rows);
    scene.bury(lease, rows.get(0), true);

    int requeued = scene.outbox.deadLetters().requeue(ids(rows), "ann");

    assertThat(requeued).isEqualTo(1);
    assertThat(scene.parkedOf(A)).isEqualTo(ids(rows));
    assertThat(ids(scene.due())).containsExactly(rows.get(0).id());
    assertThat(scene.due().get(0).attempts()).isZero();
    assertThat(scene.blocked(PARTITION)).containsExactly(hash(A));
    assertThat(scene.outbox.deadLetters().page(null, null, 10)).isEmpty();
  }

  @Test
  default void discardedBlockerLetsTheWaitingOnesGoOn() {
    StoreScene scene = new StoreScene(fixture());
    Lease lease = scene.lease();
    List<StoredMessage> rows = scene.commit(scene.keyed(A), scene.keyed(A), scene.keyed(A));
    scene.park(lease, rows, LONG);
    scene.bury(lease, rows.get(0), true);

    int discarded = scene.outbox.deadLetters().discard(List.of(rows.get(0).id()), "ann");

    assertThat(discarded).isEqualTo(1);
    assertThat(ids(scene.due())).containsExactly(rows.get(1).id());
    assertThat(scene.parkedOf(A)).isEqualTo(ids(rows.subList(1, 3)));
    assertThat(scene.outbox.deadLetters().page(null, null, 10)).isEmpty();
  }

  @Test
  default void discardedBlockerFreesAKeyWithNothingWaiting() {
    StoreScene scene = new StoreScene(fixture());
    StoredMessage row = scene.commit(scene.keyed(A)).get(0);
    scene.bury(scene.lease(), row, true);

    scene.outbox.deadLetters().discard(List.of(row.id()), "ann");

    assertThat(scene.blocked(PARTITION)).isEmpty();
    assertThat(scene.unsent()).isEmpty();
  }

  @Test
  default void discardOfOneThatDoesNotBlockLeavesItsKeyAlone() {
    StoreScene scene = new StoreScene(fixture());
    Lease lease = scene.lease();
    List<StoredMessage> rows = scene.commit(scene.keyed(A), scene.keyed(A));
    scene.bury(lease, rows.get(0), false);
    scene.park(lease, rows.subList(1, 2), LONG);

    scene.outbox.deadLetters().discard(List.of(rows.get(0).id()), "ann");

    assertThat(scene.due()).isEmpty();
    assertThat(scene.parkedOf(A)).containsExactly(rows.get(1).id());
  }

  @Test
  default void unknownIdsAreNotCounted() {
    StoreScene scene = new StoreScene(fixture());
    StoredMessage unsent = scene.commit(scene.keyed(A)).get(0);
    DeadLetters dead = scene.outbox.deadLetters();

    assertThat(dead.requeue(List.of(unsent.id()), "ann")).isZero();
    assertThat(dead.discard(List.of(unsent.id()), "ann")).isZero();
    assertThat(dead.requeue(List.of(), "ann")).isZero();
    assertThat(dead.discard(List.of(), "ann")).isZero();

    assertThat(ids(scene.unsent())).containsExactly(unsent.id());
  }

  @Test
  default void requeueOfAKeylessMessageSendsItAgain() {
    StoreScene scene = new StoreScene(fixture());
    StoredMessage row = scene.commit(scene.keyless()).get(0);
    scene.bury(scene.lease(KEYLESS_PARTITION, "node-a"), row, true);

    scene.outbox.deadLetters().requeue(List.of(row.id()), "ann");

    assertThat(ids(scene.unsent())).containsExactly(row.id());
  }

  @Test
  default void pageEndsBeforeItsPayloadsExceedTheLimitButIsNeverEmptyForThat() {
    StoreScene scene = new StoreScene(fixture());
    String large = "x".repeat((int) DeadLetters.PAGE_BYTES_MAX / 2 + 1);
    String larger = "x".repeat((int) DeadLetters.PAGE_BYTES_MAX + 1);
    List<StoredMessage> rows = new ArrayList<>(scene.commit(scene.keyless()));
    for (String payload : List.of(large, large, larger)) { // each fits into a packet of 16 MB
      rows.addAll(scene.commit(scene.of(Message.of(StoreScene.ORDERS, payload))));
    }
    Lease lease = scene.lease(KEYLESS_PARTITION, "node-a");
    rows.forEach(row -> scene.bury(lease, row, false));

    DeadLetters dead = scene.outbox.deadLetters();
    List<DeadLetter> first = dead.page(null, null, 10);
    List<DeadLetter> second = dead.page(null, last(first), 10);
    List<DeadLetter> third = dead.page(null, last(second), 10);

    assertThat(deadIds(first)).isEqualTo(ids(rows.subList(0, 2)));
    assertThat(deadIds(second)).isEqualTo(ids(rows.subList(2, 3)));
    assertThat(deadIds(third)).isEqualTo(ids(rows.subList(3, 4)));
    assertThat(dead.page(null, last(third), 10)).isEmpty();

    List<MessageId> all = ids(rows);
    assertThat(deadIds(dead.find(all))).isEqualTo(all.subList(0, 2));
    assertThat(deadIds(dead.find(all.subList(2, 4)))).isEqualTo(all.subList(2, 3));
    assertThat(deadIds(dead.find(all.subList(3, 4)))).isEqualTo(all.subList(3, 4));
  }

  @Test
  default void findRefusesMoreIdsThanAPageHolds() {
    DeadLetters dead = new StoreScene(fixture()).outbox.deadLetters();
    List<MessageId> ids =
        IntStream.rangeClosed(0, DeadLetters.PAGE_MAX)
            .mapToObj(i -> new MessageId(new UUID(7, i)))
            .toList();

    assertThatIllegalArgumentException().isThrownBy(() -> dead.find(ids));
  }

  @Test
  default void searchShowsEverythingButPayloadAndHeaders() {
    StoreScene scene = new StoreScene(fixture());
    Message message =
        Message.of(StoreScene.ORDERS, new byte[7])
            .key(A)
            .type("order-paid")
            .business("order", "4711")
            .createdBy("shop");
    StoredMessage row = scene.commit(scene.of(message)).get(0);
    scene.outbox.bury(scene.lease(), List.of(DeadEntry.of(row, 3, "too large", true)));

    DeadLetterPage page = scene.outbox.deadLetters().search(oldest(DeadLetterFilter.ALL, 10));

    DeadLetterRow found = page.rows().get(0);
    assertThat(found)
        .isEqualTo(
            new DeadLetterRow(
                row.position(),
                row.id(),
                "fake:orders",
                A,
                "order-paid",
                "order",
                "4711",
                "shop",
                null,
                7,
                3,
                row.createdAt(),
                found.deadSince(),
                "too large",
                true));
    assertThat(found.deadSince()).isBetween(row.createdAt(), page.now());
    assertThat(page.next()).isNull();
    assertThat(page.looked()).isEqualTo(new DeadLetterPage.Looked(1, row.createdAt(), true));
    assertThat(scene.outbox.deadLetters().rows(List.of(row.id()))).containsExactly(found);
    assertThat(scene.outbox.deadLetters().rows(List.of())).isEmpty();
  }

  @Test
  default void searchGoesThroughThePagesInEitherOrder() {
    StoreScene scene = new StoreScene(fixture());
    List<StoredMessage> rows =
        scene.commit(scene.keyless(), scene.keyless(), scene.keyless(), scene.keyless());
    Lease lease = scene.lease(KEYLESS_PARTITION, "node-a");
    rows.forEach(row -> scene.bury(lease, row, false));
    DeadLetters dead = scene.outbox.deadLetters();

    for (Order order : Order.values()) {
      DeadLetterQuery query = DeadLetterQuery.of(DeadLetterFilter.ALL, order, 3);
      DeadLetterPage first = dead.search(query);
      DeadLetterPage second = dead.search(query.after(first.next()));

      List<MessageId> expected = new ArrayList<>(ids(rows));
      if (order == Order.NEWEST) {
        Collections.reverse(expected);
      }
      assertThat(rowIds(first)).isEqualTo(expected.subList(0, 3));
      assertThat(rowIds(second)).isEqualTo(expected.subList(3, 4));
      assertThat(second.next()).isNull();
    }
  }

  @Test
  default void searchEndsAtItsBudgetAndSaysWhereToGoOn() {
    StoreScene scene = new StoreScene(fixture());
    List<StoredMessage> rows = scene.commit(scene.keyless(), scene.keyless(), scene.keyless());
    Lease lease = scene.lease(KEYLESS_PARTITION, "node-a");
    scene.outbox.bury(
        lease,
        List.of(
            DeadEntry.of(rows.get(0), 1, "one", false),
            DeadEntry.of(rows.get(1), 1, "two", false),
            DeadEntry.of(rows.get(2), 1, "three", false)));
    DeadLetters dead = scene.outbox.deadLetters();
    DeadLetterQuery query =
        new DeadLetterQuery(
            DeadLetterFilter.ALL.reasonHas("three"),
            Order.OLDEST,
            null,
            5,
            2,
            DeadLetterQuery.TIME_MAX);

    DeadLetterPage first = dead.search(query);
    DeadLetterPage second = dead.search(query.after(first.next()));

    assertThat(first.rows()).isEmpty();
    assertThat(first.looked())
        .isEqualTo(new DeadLetterPage.Looked(2, rows.get(1).createdAt(), false));
    assertThat(rowIds(second)).containsExactly(rows.get(2).id());
    assertThat(second.next()).isNull();
    assertThat(second.looked().complete()).isTrue();
  }

  @Test
  default void requeueWithAReasonTellsWhichMessagesAreSentAgain() {
    StoreScene scene = new StoreScene(fixture());
    List<StoredMessage> rows = scene.commit(scene.keyed(A), scene.keyed(B), scene.keyed(C));
    Lease lease = scene.lease();
    scene.bury(lease, rows.get(0), false);
    scene.bury(lease, rows.get(1), true);
    DeadLetters dead = scene.outbox.deadLetters();
    Decision decision = new Decision("ann", "limit raised");

    Set<MessageId> requeued = dead.requeue(ids(rows), decision);

    assertThat(requeued).containsExactlyInAnyOrder(rows.get(0).id(), rows.get(1).id());
    assertThat(dead.requeue(ids(rows), decision)).isEmpty();
    assertThat(dead.requeue(List.of(), decision)).isEmpty();
    assertThat(dead.page(null, null, 10)).isEmpty();
    assertThat(scene.parkedOf(B)).containsExactly(rows.get(1).id());
  }

  @Test
  default void requeueOfAllThatMatchKeepsTheOrderOfAKeyAndLeavesTheOthers() {
    StoreScene scene = new StoreScene(fixture());
    List<StoredMessage> rows =
        scene.commit(scene.keyed(A), scene.keyed(A), scene.keyed(B), scene.keyed(A));
    Lease lease = scene.lease();
    for (int i : List.of(3, 0, 1)) { // the order of death does not count
      scene.outbox.bury(lease, List.of(DeadEntry.of(rows.get(i), 1, "too large", false)));
    }
    scene.outbox.bury(lease, List.of(DeadEntry.of(rows.get(2), 1, "no such topic", false)));
    DeadLetters dead = scene.outbox.deadLetters();

    RequeueProgress progress =
        dead.requeueAll(
            DeadLetterFilter.of("fake:*").reasonHas("large"), new Decision("ann", "limit raised"));

    assertThat(progress.requeued()).isEqualTo(3);
    assertThat(progress.gone()).isZero();
    assertThat(progress.looked()).isEqualTo(4);
    assertThat(progress.next()).isNull();
    assertThat(ids(scene.unsent()))
        .containsExactly(rows.get(0).id(), rows.get(1).id(), rows.get(3).id());
    assertThat(deadIds(dead.page(null, null, 10))).containsExactly(rows.get(2).id());
  }

  @Test
  default void requeueOfAllKeepsTheOrderOfAKeyOverSeveralTransactions() {
    StoreScene scene = new StoreScene(fixture());
    List<NewMessage> messages = new ArrayList<>();
    for (int i = 0; i < DeadLetterQuery.LIMIT_MAX + 5; i++) {
      messages.add(scene.keyed(A));
    }
    List<StoredMessage> rows = scene.commit(messages);
    scene.outbox.bury(
        scene.lease(), rows.stream().map(row -> DeadEntry.of(row, 1, "too large", false)).toList());

    RequeueProgress progress =
        scene
            .outbox
            .deadLetters()
            .requeueAll(DeadLetterFilter.ALL, new Decision("ann", "limit raised"));

    assertThat(progress.requeued()).isEqualTo(rows.size());
    assertThat(ids(scene.unsent())).isEqualTo(ids(rows));
  }

  @Test
  default void requeueOfAllLeavesWhatDiedAfterItsInstant() {
    StoreScene scene = new StoreScene(fixture());
    List<StoredMessage> rows = scene.commit(scene.keyless(), scene.keyless());
    Lease lease = scene.lease(KEYLESS_PARTITION, "node-a");
    scene.bury(lease, rows.get(0), false);
    DeadLetters dead = scene.outbox.deadLetters();
    Instant seen = dead.search(oldest(DeadLetterFilter.ALL, 1)).now();
    scene.fixture.letPass(Duration.ofMillis(10));
    scene.bury(lease, rows.get(1), false);

    RequeueProgress progress =
        dead.requeueAll(DeadLetterFilter.ALL, seen, null, new Decision("ann", "seen"));

    assertThat(progress.requeued()).isEqualTo(1);
    assertThat(progress.until()).isEqualTo(seen);
    assertThat(deadIds(dead.page(null, null, 10))).containsExactly(rows.get(1).id());
  }

  @Test
  default void requeueOfAllContinuesBehindAPosition() {
    StoreScene scene = new StoreScene(fixture());
    List<StoredMessage> rows =
        scene.commit(scene.keyed(A), scene.keyed(B), scene.keyed(A), scene.keyed(C));
    Lease lease = scene.lease();
    rows.subList(0, 3).forEach(row -> scene.bury(lease, row, false));
    DeadLetters dead = scene.outbox.deadLetters();
    Instant seen = dead.search(oldest(DeadLetterFilter.ALL, 1)).now();
    scene.fixture.letPass(Duration.ofMillis(10));
    scene.bury(lease, rows.get(3), false);

    RequeueProgress progress =
        dead.requeueAll(
            DeadLetterFilter.ALL, seen, rows.get(0).position(), new Decision("ann", "continued"));

    assertThat(progress.requeued()).isEqualTo(2);
    assertThat(progress.until()).isEqualTo(seen);
    assertThat(progress.next()).isNull();
    assertThat(ids(scene.unsent())).containsExactly(rows.get(1).id(), rows.get(2).id());
    assertThat(deadIds(dead.page(null, null, 10)))
        .containsExactly(rows.get(0).id(), rows.get(3).id());
  }

  private static DeadLetterQuery oldest(DeadLetterFilter filter, int limit) {
    return DeadLetterQuery.of(filter, Order.OLDEST, limit);
  }

  private static List<MessageId> rowIds(DeadLetterPage page) {
    return page.rows().stream().map(DeadLetterRow::id).toList();
  }

  private static List<MessageId> deadIds(List<DeadLetter> page) {
    return page.stream().map(dead -> dead.message().id()).toList();
  }

  private static Position last(List<DeadLetter> page) {
    return page.get(page.size() - 1).message().position();
  }
}
