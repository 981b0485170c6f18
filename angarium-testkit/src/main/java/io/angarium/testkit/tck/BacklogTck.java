package io.angarium.testkit.tck;

import static io.angarium.testkit.tck.StoreScene.A;
import static io.angarium.testkit.tck.StoreScene.B;
import static io.angarium.testkit.tck.StoreScene.C;
import static io.angarium.testkit.tck.StoreScene.ELSEWHERE;
import static io.angarium.testkit.tck.StoreScene.LONG;
import static io.angarium.testkit.tck.StoreScene.SHORT;
import static io.angarium.testkit.tck.StoreScene.positions;
import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.intake.StoredMessage;
import io.angarium.store.Backlog;
import io.angarium.store.lease.Lease;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * The contract of {@link io.angarium.store.OutboxStore#backlog}. Part of {@link OutboxStoreTck}.
 */
@SuppressWarnings("doclint:missing") // the tests are named as sentences
public interface BacklogTck extends FixtureTck {

  @Test
  default void emptyDatabaseHasNoBacklog() {
    StoreScene scene = new StoreScene(fixture());

    assertThat(scene.outbox.backlog()).isEqualTo(new Backlog(0, 0, 0, Duration.ZERO));
  }

  @Test
  default void countsAreExactWhileTheyAreSmall() {
    StoreScene scene = new StoreScene(fixture());
    Lease lease = scene.lease();
    List<StoredMessage> parked = scene.commit(scene.keyed(A), scene.keyed(A), scene.keyed(B));
    scene.park(lease, parked.subList(0, 2));
    scene.bury(lease, parked.get(2), false);
    Instant inAnHour = fixture().now().plus(LONG);
    scene.commit(scene.of(StoreScene.message("x").key(C).notBefore(inAnHour)));
    List<StoredMessage> unsent =
        scene.commit(IntStream.range(0, 700).mapToObj(i -> scene.keyed(ELSEWHERE)).toList());
    scene.outbox.delete(positions(unsent.subList(100, 350)));

    Backlog backlog = scene.outbox.backlog();

    assertThat(backlog.depth()).isEqualTo(450);
    assertThat(backlog.parked()).isEqualTo(3);
    assertThat(backlog.delayed()).isEqualTo(1);
    assertThat(backlog.retrying()).isEqualTo(1);
    assertThat(backlog.dead()).isEqualTo(1);
  }

  @Test
  default void delayedMessagesThatNobodyMovesAreOverdue() {
    StoreScene scene = new StoreScene(fixture());
    Instant now = fixture().now();
    Instant late = now.minus(Backlog.OVERDUE_AFTER).minusSeconds(1);
    for (Instant due : List.of(late, late.minus(LONG), now, now.plus(LONG))) {
      scene.commit(scene.of(StoreScene.message("x").key(C).notBefore(due)));
    }

    Backlog backlog = scene.outbox.backlog();

    assertThat(backlog.overdue()).isEqualTo(2);
    assertThat(backlog.parked()).isEqualTo(4);
    scene.outbox.enqueueDue(List.of(scene.lease()), 10);
    assertThat(scene.outbox.backlog().overdue()).isZero();
  }

  @Test
  default void uncommittedMessagesDoNotCount() {
    StoreScene scene = new StoreScene(fixture());

    try (StoreFixture.OpenTransaction open = scene.open(scene.keyed(A))) {
      assertThat(scene.outbox.backlog().depth()).isZero();
      assertThat(scene.outbox.backlog().oldestAge()).isZero();
      open.rollback();
    }
  }

  @Test
  default void oldestAgeIsThatOfTheOldestUnsentMessage() {
    StoreScene scene = new StoreScene(fixture());
    List<StoredMessage> old = scene.commit(scene.keyed(A));
    fixture().letPass(SHORT);
    scene.commit(scene.keyed(B));

    assertThat(scene.outbox.backlog().oldestAge()).isBetween(SHORT.minusMillis(1), LONG);
    scene.outbox.delete(positions(old));
    fixture().letPass(SHORT);
    Duration younger = scene.outbox.backlog().oldestAge();

    Duration sinceOld = Duration.between(old.get(0).createdAt(), fixture().now());
    assertThat(younger).isGreaterThanOrEqualTo(SHORT.minusMillis(1)).isLessThan(sinceOld);
  }
}
