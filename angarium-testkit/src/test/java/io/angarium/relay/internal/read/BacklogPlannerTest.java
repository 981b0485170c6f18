package io.angarium.relay.internal.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.relay.internal.partition.PartitionState;
import io.angarium.store.ReadRows;
import io.angarium.store.SequenceRange;
import io.angarium.store.lease.Lease;
import io.angarium.store.lease.NodeId;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class BacklogPlannerTest {
  private static final int ROWS = 100;
  private static final long LAST = 1_000_000;
  private static final long AGED = 120;

  private final PartitionState first = partition(0);
  private final PartitionState second = partition(1);
  private final PartitionState keyless = partition(-1);
  private final BacklogPlanner stride =
      new BacklogPlanner(ROWS, p -> p.keyed() ? Long.MAX_VALUE : AGED);

  private static PartitionState partition(int number) {
    NodeId node = new NodeId("a", new UUID(0, 1));
    return new PartitionState(new Lease(number, node, 1), Set.of());
  }

  private ReadPlan plan(int rows) {
    return stride.plan(List.of(first, second), LAST, rows, 1_000);
  }

  private void found(int rows, Integer... more) {
    stride.looked(
        new ReadResult(plan(ROWS), new ReadRows(Collections.nCopies(rows, null), Set.of(more))));
  }

  @Test
  void firstLookGoesToTheEndAndSharesItsRows() {
    ReadPlan look = plan(ROWS);

    assertThat(look.toTheEnd()).isTrue();
    assertThat(look.limit().rows()).isEqualTo(ROWS / 2);
    assertThat(look.rowsMax()).isEqualTo(ROWS);
    assertThat(look.spans()).containsExactly(SequenceRange.after(0, 0), SequenceRange.after(1, 0));
  }

  @Test
  void inABacklogPartitionsGoOnTogetherWithoutALimitForEach() {
    found(ROWS, 0);
    first.read(40);
    second.read(30);

    ReadPlan look = plan(ROWS);

    assertThat(look.toTheEnd()).isFalse();
    assertThat(look.spans())
        .containsExactly(new SequenceRange(0, 40, 130), new SequenceRange(1, 30, 130));
    assertThat(look.limit().rows()).isEqualTo(ROWS);
    assertThat(look.rowsMax()).isEqualTo(ROWS);
  }

  @Test
  void lessRoomMakesAShorterStride() {
    found(ROWS, 0);

    assertThat(plan(ROWS / 4).spans())
        .containsExactly(new SequenceRange(0, 0, 25), new SequenceRange(1, 0, 25));
  }

  @Test
  void partitionFarAheadOfTheOthersIsReadByItself() {
    found(ROWS, 0);
    second.read(5_000);

    ReadPlan look = plan(ROWS);

    assertThat(look.spans())
        .containsExactly(new SequenceRange(0, 0, 100), SequenceRange.after(1, 5_000));
    assertThat(look.limit().rows()).isEqualTo(ROWS / 2);
  }

  @Test
  void keylessPartitionsEndWhereRowsAreYoungAndDoNotHoldUpTheOthers() {
    found(ROWS, 0);
    first.read(50);

    ReadPlan look = stride.plan(List.of(first, keyless), LAST, ROWS, 1_000);

    assertThat(look.spans())
        .containsExactly(new SequenceRange(0, 50, 150), new SequenceRange(-1, 0, AGED));
    assertThat(look.rowsMax()).as("more sequences than rows").isLessThanOrEqualTo(ROWS);
  }

  @Test
  void stridesGrowWhereRowsAreSparseAndShrinkWhereTheyWereCut() {
    found(ROWS, 0);
    found(ROWS / 4 - 1);
    assertThat(plan(ROWS).spans().get(0).upTo()).isEqualTo(200);
    assertThat(plan(ROWS).rowsMax()).as("more sequences than rows").isEqualTo(ROWS);

    found(ROWS / 4);
    assertThat(plan(ROWS).spans().get(0).upTo()).isEqualTo(200);

    found(ROWS, 1);
    assertThat(plan(ROWS).spans().get(0).upTo()).isEqualTo(100);
    found(ROWS, 1);
    assertThat(plan(ROWS).spans().get(0).upTo()).as("no less").isEqualTo(100);
  }

  @Test
  void strideThatBroughtNothingGrowsAlsoWithRoomForOneRow() {
    found(ROWS, 0);

    stride.looked(new ReadResult(plan(1), new ReadRows(List.of(), Set.of())));

    assertThat(plan(1).spans().get(0).upTo()).isEqualTo(2);
  }

  @Test
  void backlogEndsWithALookToTheEndThatBringsAll() {
    found(ROWS, 0);
    first.read(LAST - 100);
    second.read(LAST - 100);
    assertThat(plan(ROWS).toTheEnd()).as("the last stride").isTrue();

    found(10);
    first.rewind(1);
    second.rewind(1);

    assertThat(plan(ROWS).toTheEnd()).isTrue();
  }
}
