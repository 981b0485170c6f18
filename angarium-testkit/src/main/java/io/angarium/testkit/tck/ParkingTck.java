package io.angarium.testkit.tck;

import static io.angarium.testkit.tck.StoreScene.A;
import static io.angarium.testkit.tck.StoreScene.B;
import static io.angarium.testkit.tck.StoreScene.C;
import static io.angarium.testkit.tck.StoreScene.ELSEWHERE;
import static io.angarium.testkit.tck.StoreScene.KEYLESS_PARTITION;
import static io.angarium.testkit.tck.StoreScene.LONG;
import static io.angarium.testkit.tck.StoreScene.ORDERS;
import static io.angarium.testkit.tck.StoreScene.OTHER_PARTITION;
import static io.angarium.testkit.tck.StoreScene.PARTITION;
import static io.angarium.testkit.tck.StoreScene.SHORT;
import static io.angarium.testkit.tck.StoreScene.hash;
import static io.angarium.testkit.tck.StoreScene.ids;
import static io.angarium.testkit.tck.StoreScene.positions;
import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.Destination;
import io.angarium.Message;
import io.angarium.intake.NewMessage;
import io.angarium.intake.StoredMessage;
import io.angarium.store.ParkedEntry;
import io.angarium.store.ReadLimit;
import io.angarium.store.lease.Lease;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The contract of parking and of finding what is parked. Part of {@link OutboxStoreTck}. */
@SuppressWarnings("doclint:missing") // the tests are named as sentences
public interface ParkingTck extends FixtureTck {

  @Test
  default void parkedRowsLeaveTheOutbox() {
    StoreScene scene = new StoreScene(fixture());
    List<StoredMessage> rows = scene.commit(scene.keyed(A), scene.keyed(B), scene.keyed(A));

    scene.park(scene.lease(), List.of(rows.get(0), rows.get(2)));

    assertThat(ids(scene.unsent())).containsExactly(rows.get(1).id());
    assertThat(scene.parkedOf(A)).containsExactly(rows.get(0).id(), rows.get(2).id());
    assertThat(scene.parkedOf(B)).isEmpty();
  }

  @Test
  default void parkingTwiceChangesNothing() {
    StoreScene scene = new StoreScene(fixture());
    Lease lease = scene.lease();
    List<StoredMessage> rows = scene.commit(scene.keyed(A), scene.keyed(A));
    scene.park(lease, rows);

    scene.outbox.park(List.of(lease), List.of(ParkedEntry.head(rows.get(0), 7, LONG, "again")));
    scene.outbox.park(List.of(lease), List.of(ParkedEntry.follower(rows.get(0))));
    scene.outbox.park(List.of(lease), List.of());

    assertThat(scene.parkedOf(A)).isEqualTo(ids(rows));
    assertThat(scene.due()).singleElement().extracting(StoredMessage::attempts).isEqualTo(1);
  }

  @Test
  default void deletedRowIsNotParked() {
    StoreScene scene = new StoreScene(fixture());
    List<StoredMessage> rows = scene.commit(scene.keyed(A), scene.keyed(A));
    scene.outbox.delete(positions(rows.subList(0, 1)));

    scene.park(scene.lease(), rows);

    assertThat(scene.parkedOf(A)).containsExactly(rows.get(1).id());
  }

  @Test
  default void rowsOfSeveralPartitionsAreParkedTogether() {
    StoreScene scene = new StoreScene(fixture());
    List<Lease> leases =
        List.of(
            scene.lease(),
            scene.lease(OTHER_PARTITION, "node-a"),
            scene.lease(KEYLESS_PARTITION, "node-a"));
    List<StoredMessage> a = scene.commit(scene.keyed(A), scene.keyed(A));
    List<StoredMessage> elsewhere = scene.commit(scene.keyed(ELSEWHERE));
    List<StoredMessage> keyless = scene.commit(scene.keyless());

    scene.outbox.park(
        leases,
        List.of(
            ParkedEntry.head(a.get(0), 1, LONG, "failed"),
            ParkedEntry.follower(elsewhere.get(0)),
            ParkedEntry.follower(a.get(1)),
            ParkedEntry.head(keyless.get(0), 1, LONG, "failed")));

    assertThat(scene.parkedOf(A)).isEqualTo(ids(a));
    assertThat(scene.blocked(OTHER_PARTITION)).containsExactly(hash(ELSEWHERE));
    assertThat(
            scene
                .outbox
                .dueHeads(
                    List.of(PARTITION, OTHER_PARTITION, KEYLESS_PARTITION),
                    List.of(),
                    ReadLimit.rows(10))
                .rows())
        .extracting(StoredMessage::id)
        .as("had nothing to wait for")
        .containsExactly(elsewhere.get(0).id());
    assertThat(scene.outbox.backlog().parked()).isEqualTo(4);
  }

  @Test
  default void followersOfAKeyWithNothingToWaitForGetAHead() {
    StoreScene scene = new StoreScene(fixture());
    Lease lease = scene.lease();
    List<StoredMessage> rows = scene.commit(scene.keyed(A), scene.keyed(A), scene.keyed(B));

    scene.outbox.park(List.of(lease), rows.stream().map(ParkedEntry::follower).toList());

    assertThat(ids(scene.due())).containsExactlyInAnyOrder(rows.get(0).id(), rows.get(2).id());
    assertThat(scene.parkedOf(A)).isEqualTo(ids(rows.subList(0, 2)));
  }

  @Test
  default void followersLeaveTheHeadOfTheirKeyAndItsPauseAlone() {
    StoreScene scene = new StoreScene(fixture());
    Lease lease = scene.lease();
    List<StoredMessage> rows = scene.commit(scene.keyed(A), scene.keyed(A));
    scene.park(lease, rows.subList(0, 1), LONG);

    scene.outbox.park(List.of(lease), List.of(ParkedEntry.follower(rows.get(1))));

    assertThat(scene.due()).isEmpty();
    assertThat(scene.parkedOf(A)).isEqualTo(ids(rows));
  }

  @Test
  default void followersOfAKeyThatADeadLetterBlocksGetNoHead() {
    StoreScene scene = new StoreScene(fixture());
    Lease lease = scene.lease();
    List<StoredMessage> rows = scene.commit(scene.keyed(A), scene.keyed(A));
    scene.bury(lease, rows.get(0), true);

    scene.outbox.park(List.of(lease), List.of(ParkedEntry.follower(rows.get(1))));

    assertThat(scene.due()).isEmpty();
    assertThat(scene.parkedOf(A)).containsExactly(rows.get(1).id());
  }

  @Test
  default void headIsDueAfterItsPauseOnly() {
    StoreScene scene = new StoreScene(fixture());
    Lease lease = scene.lease();
    List<StoredMessage> rows = scene.commit(scene.keyed(A), scene.keyed(B));
    scene.park(lease, rows.subList(0, 1), LONG);
    scene.park(lease, rows.subList(1, 2), SHORT);

    fixture().letPass(SHORT.multipliedBy(2));

    assertThat(ids(scene.due())).containsExactly(rows.get(1).id());
  }

  @Test
  default void pauseIsCountedByTheDatabase() {
    StoreScene scene = new StoreScene(fixture());
    List<StoredMessage> rows = scene.commit(scene.keyed(A));

    scene.park(scene.lease(), rows, LONG);

    assertThat(scene.due()).isEmpty();
  }

  @Test
  default void dueHeadCarriesItsAttemptsAndItsMessage() {
    StoreScene scene = new StoreScene(fixture());
    StoredMessage row = scene.commit(scene.keyed(A)).get(0);

    scene.outbox.park(
        List.of(scene.lease()),
        List.of(ParkedEntry.head(row, 3, Duration.ZERO, "x".repeat(5_000))));

    StoredMessage due = scene.due().get(0);
    assertThat(due.attempts()).isEqualTo(3);
    assertThat(due.position()).isEqualTo(row.position());
    assertThat(due.message().key()).isEqualTo(A);
    assertThat(due.message().payload()).isEqualTo(row.message().payload());
    assertThat(due.createdAt()).isEqualTo(row.createdAt());
  }

  @Test
  default void followersAreNeverDue() {
    StoreScene scene = new StoreScene(fixture());
    List<StoredMessage> rows = scene.commit(scene.keyed(A), scene.keyed(A), scene.keyed(A));

    scene.park(scene.lease(), rows);

    assertThat(ids(scene.due())).containsExactly(rows.get(0).id());
  }

  @Test
  default void headsComeLongestDueFirstAndWithinTheLimit() {
    StoreScene scene = new StoreScene(fixture());
    Lease lease = scene.lease();
    List<StoredMessage> rows = scene.commit(scene.keyed(A), scene.keyed(B), scene.keyed(C));
    scene.outbox.park(
        List.of(lease),
        List.of(
            ParkedEntry.head(rows.get(0), 1, SHORT, "last"),
            ParkedEntry.head(rows.get(1), 1, Duration.ZERO, "first"),
            ParkedEntry.head(rows.get(2), 1, SHORT.dividedBy(2), "second")));

    fixture().letPass(SHORT);

    assertThat(ids(scene.due()))
        .containsExactly(rows.get(1).id(), rows.get(2).id(), rows.get(0).id());
    assertThat(ids(scene.outbox.dueHeads(List.of(PARTITION), List.of(), ReadLimit.rows(2)).rows()))
        .containsExactly(rows.get(1).id(), rows.get(2).id());
  }

  @Test
  default void headsOfOtherPartitionsAndExceptedDestinationsAreLeftOut() {
    StoreScene scene = new StoreScene(fixture());
    Destination down = Destination.parse("fake:down");
    NewMessage toDown = scene.of(Message.of(down, new byte[0]));
    List<StoredMessage> keyless = scene.commit(scene.keyless(), toDown);
    List<StoredMessage> keyed = scene.commit(scene.keyed(A));
    scene.park(scene.lease(KEYLESS_PARTITION, "node-a"), keyless.subList(0, 1));
    scene.park(scene.lease(KEYLESS_PARTITION, "node-a"), keyless.subList(1, 2));
    scene.park(scene.lease(), keyed);
    List<Integer> both = List.of(PARTITION, KEYLESS_PARTITION);

    assertThat(ids(scene.outbox.dueHeads(both, List.of(), ReadLimit.rows(10)).rows()))
        .containsExactlyInAnyOrder(keyless.get(0).id(), keyless.get(1).id(), keyed.get(0).id());
    assertThat(ids(scene.outbox.dueHeads(both, List.of(down), ReadLimit.rows(10)).rows()))
        .containsExactlyInAnyOrder(keyless.get(0).id(), keyed.get(0).id());
    assertThat(scene.outbox.dueHeads(both, List.of(down, ORDERS), ReadLimit.rows(10)).rows())
        .isEmpty();
    assertThat(ids(scene.outbox.dueHeads(List.of(PARTITION), List.of(), ReadLimit.rows(10)).rows()))
        .isEqualTo(ids(keyed));
    assertThat(
            scene.outbox.dueHeads(List.of(OTHER_PARTITION), List.of(), ReadLimit.rows(10)).rows())
        .isEmpty();
    assertThat(scene.outbox.dueHeads(List.of(), List.of(), ReadLimit.rows(10)).rows()).isEmpty();
  }

  @Test
  default void blockedKeysAreThoseWithAParkedMessage() {
    StoreScene scene = new StoreScene(fixture());
    List<StoredMessage> rows = scene.commit(scene.keyed(A), scene.keyed(A), scene.keyed(B));
    scene.commit(scene.keyed(C));
    Lease lease = scene.lease();
    scene.park(lease, rows.subList(0, 2));
    scene.outbox.park(List.of(lease), List.of(ParkedEntry.follower(rows.get(2))));
    StoredMessage elsewhere = scene.commit(scene.keyed(ELSEWHERE)).get(0);
    scene.park(scene.lease(OTHER_PARTITION, "node-a"), List.of(elsewhere));

    Map<Integer, Set<Long>> blocked =
        scene.outbox.blockedKeys(List.of(PARTITION, OTHER_PARTITION, 3));

    assertThat(blocked.get(PARTITION)).containsExactlyInAnyOrder(hash(A), hash(B));
    assertThat(blocked.get(OTHER_PARTITION)).containsExactly(hash(ELSEWHERE));
    assertThat(blocked.getOrDefault(3, Set.of())).isEmpty();
    assertThat(scene.outbox.blockedKeys(List.of(3)).getOrDefault(PARTITION, Set.of())).isEmpty();
    assertThat(scene.outbox.blockedKeys(List.of())).isEmpty();
  }

  @Test
  default void parkedKeylessMessageBlocksNoKey() {
    StoreScene scene = new StoreScene(fixture());
    List<StoredMessage> rows = scene.commit(scene.keyless());

    scene.park(scene.lease(KEYLESS_PARTITION, "node-a"), rows);

    assertThat(scene.blocked(KEYLESS_PARTITION)).isEmpty();
  }

  @Test
  default void parkedOfKeyKeepsOrderAndLimit() {
    StoreScene scene = new StoreScene(fixture());
    Lease lease = scene.lease();
    List<StoredMessage> rows =
        scene.commit(scene.keyed(A), scene.keyed(A), scene.keyed(A), scene.keyed(B));
    scene.park(lease, rows.subList(3, 4));
    scene.park(lease, rows.subList(1, 2));
    scene.outbox.park(
        List.of(lease),
        List.of(ParkedEntry.follower(rows.get(2)), ParkedEntry.follower(rows.get(0))));

    assertThat(scene.parkedOf(A)).isEqualTo(ids(rows.subList(0, 3)));
    assertThat(ids(scene.outbox.parkedOfKey(PARTITION, hash(A), ReadLimit.rows(2))))
        .isEqualTo(ids(rows.subList(0, 2)));
    assertThat(scene.outbox.parkedOfKey(OTHER_PARTITION, hash(A), ReadLimit.rows(10))).isEmpty();
  }

  @Test
  default void thousandsAreParkedInOneCall() {
    StoreScene scene = new StoreScene(fixture());
    List<StoredMessage> rows =
        scene.commit(IntStream.range(0, 1_500).mapToObj(i -> scene.keyed(A)).toList());

    scene.park(scene.lease(), rows);

    assertThat(scene.unsent()).isEmpty();
    assertThat(ids(scene.outbox.parkedOfKey(PARTITION, hash(A), ReadLimit.rows(2_000))))
        .isEqualTo(ids(rows));
  }
}
