package io.angarium.testkit.tck;

import static io.angarium.testkit.tck.StoreScene.A;
import static io.angarium.testkit.tck.StoreScene.B;
import static io.angarium.testkit.tck.StoreScene.C;
import static io.angarium.testkit.tck.StoreScene.LONG;
import static io.angarium.testkit.tck.StoreScene.PARTITION;
import static io.angarium.testkit.tck.StoreScene.PARTITIONS;
import static io.angarium.testkit.tck.StoreScene.SHORT;
import static io.angarium.testkit.tck.StoreScene.ids;
import static io.angarium.testkit.tck.StoreScene.message;
import static io.angarium.testkit.tck.StoreScene.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.intake.NewMessage;
import io.angarium.intake.StoredMessage;
import io.angarium.store.OutboxStore;
import io.angarium.store.ParkedEntry;
import io.angarium.store.ReadLimit;
import io.angarium.store.lease.Lease;
import io.angarium.store.lease.LeaseStore;
import io.angarium.store.lease.Membership;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * That the wall clocks of relays' hosts change nothing, though they be hours wrong: what is due,
 * and who owns a partition, is told by the database's clock. Part of {@link StoreTck}.
 */
@SuppressWarnings("doclint:missing") // the tests are named as sentences
public interface StoreClockTck extends FixtureTck {
  @Test
  default void nothingIsDueEarlyOrLateOnAHostWhoseClockIsHoursAhead() {
    dueByTheDatabasesClock(HostClock.HOURS);
  }

  @Test
  default void nothingIsDueEarlyOrLateOnAHostWhoseClockIsHoursBehind() {
    dueByTheDatabasesClock(HostClock.HOURS.negated());
  }

  private void dueByTheDatabasesClock(Duration ahead) {
    StoreScene scene = new StoreScene(fixture());
    Lease lease = scene.lease();
    scene.commit(delayed(scene, LONG));
    List<StoredMessage> rows = scene.commit(scene.keyed(B), scene.keyed(C));
    try (OutboxStore there = fixture().anotherOutbox(new HostClock(fixture()::now, ahead))) {
      there.park(List.of(lease), List.of(ParkedEntry.head(rows.get(0), 1, LONG, "failed")));

      assertThat(there.enqueueDue(List.of(lease), 10)).isEmpty();
      assertThat(due(there)).isEmpty();
      assertThat(scene.due()).isEmpty();

      NewMessage soon = delayed(scene, SHORT);
      scene.commit(soon);
      there.park(List.of(lease), List.of(ParkedEntry.head(rows.get(1), 1, SHORT, "failed")));
      fixture().letPass(SHORT);

      assertThat(ids(due(there))).isEqualTo(ids(scene.due())).containsExactly(rows.get(1).id());
      assertThat(there.enqueueDue(List.of(lease), 10)).hasSize(1);
      assertThat(ids(scene.unsent())).containsExactly(soon.id());
    }
  }

  private static List<StoredMessage> due(OutboxStore store) {
    return store.dueHeads(List.of(PARTITION), List.of(), ReadLimit.rows(10)).rows();
  }

  private NewMessage delayed(StoreScene scene, Duration delay) {
    return scene.of(message("later").key(A).notBefore(fixture().now().plus(delay)));
  }

  @Test
  default void leasesLastAsLongOnHostsWhoseClocksAreHoursWrong() {
    HostClock ahead = new HostClock(fixture()::now, HostClock.HOURS);
    HostClock behind = new HostClock(fixture()::now, HostClock.HOURS.negated());
    fixture().leases().prepare(PARTITIONS);
    LeaseStore early = fixture().anotherLeases(ahead);
    LeaseStore late = fixture().anotherLeases(behind);
    early.heartbeat(node("early"), true, LONG);
    late.heartbeat(node("late"), true, LONG);
    assertThat(early.acquire(node("early"), List.of(0), Duration.ZERO)).hasSize(1);
    assertThat(late.acquire(node("late"), List.of(1), Duration.ZERO)).hasSize(1);

    Membership seen = early.heartbeat(node("early"), true, LONG);
    assertThat(seen.takingPart()).containsExactly("early", "late");
    assertThat(seen.owners().values()).hasSize(2).allMatch(Membership.Owner::live);
    assertThat(early.acquire(node("early"), List.of(1), Duration.ZERO)).isEmpty();
    assertThat(late.acquire(node("late"), List.of(0), Duration.ZERO)).isEmpty();

    early.heartbeat(node("early"), true, SHORT);
    fixture().letPass(SHORT);
    assertThat(late.acquire(node("late"), List.of(0), Duration.ZERO)).hasSize(1);
    late.heartbeat(node("late"), true, SHORT);
    fixture().letPass(SHORT);
    assertThat(early.acquire(node("early"), List.of(0, 1), Duration.ZERO)).hasSize(2);
  }
}
