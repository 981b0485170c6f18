package io.angarium.testkit.tck;

import static io.angarium.testkit.tck.StoreScene.A;
import static io.angarium.testkit.tck.StoreScene.LONG;
import static io.angarium.testkit.tck.StoreScene.OTHER_PARTITION;
import static io.angarium.testkit.tck.StoreScene.PARTITION;
import static io.angarium.testkit.tck.StoreScene.SHORT;
import static io.angarium.testkit.tck.StoreScene.sequence;
import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.intake.NewMessage;
import io.angarium.intake.StoredMessage;
import io.angarium.store.WorkHint;
import io.angarium.store.lease.Lease;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The contract of the question that an idle relay asks. Part of {@link OutboxStoreTck}. */
@SuppressWarnings("doclint:missing") // the tests are named as sentences
public interface GlanceTck extends FixtureTck {

  @Test
  default void glanceShowsNoLessThanTheLastRow() {
    StoreScene scene = new StoreScene(fixture());
    assertThat(scene.outbox.glance(List.of(PARTITION)).lastSequence()).isZero();

    StoredMessage row = scene.commit(scene.keyed(A)).get(0);

    long last = scene.outbox.glance(List.of(PARTITION)).lastSequence();
    assertThat(last).isGreaterThanOrEqualTo(sequence(row));
  }

  @Test
  default void glanceIsNotDisturbedByWhatIsNotDue() {
    StoreScene scene = new StoreScene(fixture());
    List<StoredMessage> rows = scene.commit(scene.keyed(A), scene.keyed(A));
    scene.park(scene.lease(), rows, LONG);
    scene.commit(delayed(scene, LONG));

    assertThat(scene.outbox.glance(List.of(PARTITION)).due()).isFalse();
    assertThat(scene.outbox.glance(List.of()).due()).isFalse();
  }

  @Test
  default void glanceShowsThatAHeadIsDue() {
    StoreScene scene = new StoreScene(fixture());
    Lease lease = scene.lease();
    scene.park(lease, scene.commit(scene.keyed(A)), SHORT);

    fixture().letPass(SHORT.multipliedBy(2));

    assertThat(scene.outbox.glance(List.of(OTHER_PARTITION, PARTITION)).due()).isTrue();
    assertThat(scene.outbox.glance(List.of(OTHER_PARTITION)).due()).isFalse();
  }

  @Test
  default void glanceShowsThatADelayedMessageIsDue() {
    StoreScene scene = new StoreScene(fixture());
    scene.commit(delayed(scene, SHORT));

    fixture().letPass(SHORT.multipliedBy(2));

    assertThat(scene.outbox.glance(List.of(OTHER_PARTITION, PARTITION)).due()).isTrue();
    assertThat(scene.outbox.glance(List.of(OTHER_PARTITION)).due()).isFalse();
  }

  @Test
  default void glanceShowsWhenTheNextDelayedMessageIsDue() {
    StoreScene scene = new StoreScene(fixture());
    List<Integer> partitions = List.of(OTHER_PARTITION, PARTITION);
    for (int i = 0; i < 3; i++) {
      assertThat(scene.outbox.glance(partitions, LONG).untilDue()).isNull();
    }
    scene.commit(delayed(scene, LONG), delayed(scene, LONG.multipliedBy(3)));

    Duration untilDue = scene.outbox.glance(partitions, LONG.multipliedBy(2)).untilDue();

    assertThat(untilDue).isBetween(LONG.dividedBy(2), LONG);
    assertThat(scene.outbox.glance(partitions, LONG.dividedBy(2)).untilDue()).isNull();
    assertThat(scene.outbox.glance(List.of(OTHER_PARTITION), LONG).untilDue()).isNull();
    scene.commit(delayed(scene, Duration.ofMillis(-1)));
    assertThat(scene.outbox.glance(partitions, LONG.multipliedBy(2)))
        .satisfies(glance -> assertThat(glance.due()).isTrue())
        .satisfies(glance -> assertThat(glance.untilDue()).isNull());
  }

  @Test
  default void glanceThatFoundNothingForLongShowsWhatComes() {
    StoreScene scene = new StoreScene(fixture());
    Lease lease = scene.lease();
    long last = scene.outbox.glance(List.of(PARTITION)).lastSequence();
    for (int i = 0; i < 5; i++) {
      assertThat(scene.outbox.glance(List.of(PARTITION))).isEqualTo(new WorkHint(last, false));
    }

    List<StoredMessage> rows = scene.commit(scene.keyed(A));
    assertThat(scene.outbox.glance(List.of(PARTITION)).lastSequence())
        .isGreaterThanOrEqualTo(sequence(rows.get(0)));
    scene.park(lease, rows, SHORT);
    for (int i = 0; i < 5; i++) {
      scene.outbox.glance(List.of(OTHER_PARTITION));
    }
    fixture().letPass(SHORT.multipliedBy(2));

    assertThat(scene.outbox.glance(List.of(PARTITION)).due()).isTrue();
  }

  @Test
  default void glanceThatFoundNothingForLongShowsThatADelayedMessageIsDue() {
    StoreScene scene = new StoreScene(fixture());
    scene.commit(delayed(scene, SHORT));
    for (int i = 0; i < 5; i++) {
      scene.outbox.glance(List.of(OTHER_PARTITION));
    }

    fixture().letPass(SHORT.multipliedBy(2));

    assertThat(scene.outbox.glance(List.of(OTHER_PARTITION)).due()).isFalse();
    assertThat(scene.outbox.glance(List.of(PARTITION)).due()).isTrue();
  }

  /** A sequence that goes back would mean that another server took over. */
  @Test
  default void glanceIsNotBehindALastSequenceToldBefore() {
    StoreScene scene = new StoreScene(fixture());
    for (int i = 0; i < 3; i++) {
      scene.outbox.glance(List.of(PARTITION));
    }
    try (StoreFixture.OpenTransaction open = fixture().begin()) {
      open.insert(List.of(scene.keyed(A)));

      long last = scene.outbox.lastSequence();

      assertThat(scene.outbox.glance(List.of(PARTITION)).lastSequence())
          .isGreaterThanOrEqualTo(last);
    }
  }

  private static NewMessage delayed(StoreScene scene, Duration delay) {
    return scene.of(
        StoreScene.message("delayed").key(A).notBefore(scene.fixture.now().plus(delay)));
  }
}
