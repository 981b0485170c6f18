package io.angarium.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.MessageId;
import io.angarium.Partitioning;
import io.angarium.simulation.Planted;
import io.angarium.store.OutboxStore;
import io.angarium.store.Position;
import io.angarium.store.SentMessage;
import io.angarium.store.StoreException;
import io.angarium.testkit.InMemoryDatabase;
import io.angarium.testkit.ManualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Which acknowledged rows are deleted together. */
class DeletesTest {
  private static final int BATCH = 10;

  private final ManualClock clock = ManualClock.create();
  private final InMemoryDatabase database = InMemoryDatabase.create(clock, new Partitioning(8, 2));
  private final List<List<Long>> batches = new ArrayList<>();
  private final Deletes deletes =
      new Deletes(
          new Batches(database.outboxStore()),
          new RelayConfig.Window(1_000, 1 << 20, 100, BATCH, Duration.ofMillis(10)),
          clock,
          (which, detail) -> {},
          () -> {});
  private boolean down;

  /** Notes what is deleted. */
  private final class Batches extends Planted {
    Batches(OutboxStore store) {
      super(store);
    }

    @Override
    public void delete(Collection<Position> positions) {
      if (down) {
        throw new StoreException("down", null);
      }
      batches.add(positions.stream().map(Position::sequence).sorted().toList());
    }

    @Override
    public Set<Position> deleteExact(Collection<SentMessage> messages) {
      if (down) {
        throw new StoreException("down", null);
      }
      return super.deleteExact(messages);
    }
  }

  private static List<Position> shuffled(long first, long last) {
    List<Position> rows =
        new ArrayList<>(
            LongStream.rangeClosed(first, last)
                .mapToObj(i -> new Position((int) i % 3, i))
                .toList());
    Collections.shuffle(rows, new Random(7));
    return rows;
  }

  private static List<Long> sequences(long first, long last) {
    return LongStream.rangeClosed(first, last).boxed().toList();
  }

  private void drain() {
    while (deletes.run() > 0) {
      // batch by batch
    }
  }

  @Test
  void ofMoreThanABatchThoseWrittenFirstGoFirst() {
    deletes.add(shuffled(1, 35));

    drain();

    assertThat(batches)
        .containsExactly(sequences(1, 10), sequences(11, 20), sequences(21, 30), sequences(31, 35));
    assertThat(deletes.nanosToDue()).isEqualTo(Long.MAX_VALUE);
  }

  /** To sort all that waits again for each batch would take as long as to send some of it. */
  @Test
  void whatComesMeanwhileWaitsUntilLessThanABatchIsLeft() {
    deletes.add(shuffled(11, 35));
    assertThat(deletes.run()).isEqualTo(BATCH);
    deletes.add(shuffled(1, 10));

    drain();

    assertThat(batches)
        .containsExactly(sequences(11, 20), sequences(21, 30), sequences(1, 10), sequences(31, 35));
    assertThat(deletes.nanosToDue()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void noneIsDeletedWhosePositionMayBeThatOfAnotherMessage() {
    deletes.add(shuffled(1, 25));
    deletes.run();
    deletes.add(shuffled(26, 30));

    deletes.startOver(position -> new MessageId(new UUID(0, position.sequence())), () -> {});
    down = true;
    assertThatThrownBy(deletes::run).isInstanceOf(StoreException.class);
    down = false;
    drain();

    assertThat(batches).containsExactly(sequences(1, 10));
    assertThat(deletes.takeDeleted()).containsExactlyInAnyOrderElementsOf(shuffled(1, 30));
  }

  @Test
  void eachIsDeletedOnceAlthoughADeleteFailed() {
    deletes.add(shuffled(1, 25));
    down = true;
    assertThatThrownBy(deletes::run).isInstanceOf(StoreException.class);
    down = false;
    deletes.add(shuffled(26, 42));

    drain();

    assertThat(batches.stream().flatMap(List::stream)).containsExactlyElementsOf(sequences(1, 42));
    assertThat(deletes.takeDeleted())
        .containsExactlyInAnyOrderElementsOf(shuffled(1, 42))
        .doesNotHaveDuplicates();
  }
}
