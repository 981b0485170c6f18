package io.angarium.relay.internal.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.MessageId;
import io.angarium.StoreException;
import io.angarium.intake.Partitioning;
import io.angarium.intake.Position;
import io.angarium.relay.internal.settings.RelayContext;
import io.angarium.relay.settings.DestinationPolicy;
import io.angarium.relay.settings.RelayConfig;
import io.angarium.relay.settings.RelayListener;
import io.angarium.simulation.Planted;
import io.angarium.store.OutboxStore;
import io.angarium.store.SentMessage;
import io.angarium.store.Tripwire;
import io.angarium.store.WriteRefusedException;
import io.angarium.testkit.ManualClock;
import io.angarium.testkit.memory.InMemoryDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Which acknowledged rows are deleted together. */
class DeleteQueueTest {
  private static final int BATCH = 10;

  private final ManualClock clock = ManualClock.create();
  private final InMemoryDatabase database = InMemoryDatabase.create(clock, new Partitioning(8, 2));
  private final List<List<Long>> batches = new ArrayList<>();
  private final DeleteQueue deletes = deletes(BATCH);
  private final Set<Long> refused = new HashSet<>();
  private int refusals;
  private boolean down;
  private int downAfter = Integer.MAX_VALUE;
  private final List<Long> exactly = new ArrayList<>();

  private DeleteQueue deletes(int batch) {
    RelayConfig config = RelayConfig.defaults("a");
    return new DeleteQueue(
        new RelayContext(
            new Batches(database.outboxStore()),
            new RelayConfig(
                config.node(),
                database.partitioning(),
                config.leasing(),
                config.polling(),
                new RelayConfig.Window(20_000, 1 << 20, 100, batch, Duration.ofMillis(10)),
                config.closeTimeout()),
            destination -> DestinationPolicy.defaults(),
            RelayListener.all(List.of()),
            clock,
            Tripwire.NONE),
        () -> {});
  }

  /** Notes what is deleted. */
  private final class Batches extends Planted {
    Batches(OutboxStore store) {
      super(store);
    }

    @Override
    public void delete(Collection<Position> positions) {
      if (down || downAfter-- <= 0) {
        throw new StoreException("down", null);
      }
      List<Long> sequences = positions.stream().map(Position::sequence).sorted().toList();
      refuse(sequences);
      batches.add(sequences);
    }

    private void refuse(List<Long> sequences) {
      if (sequences.stream().anyMatch(refused::contains)) {
        refusals++;
        throw new WriteRefusedException("simulated: refused.", null);
      }
    }

    @Override
    public Set<Position> deleteExact(Collection<SentMessage> messages) {
      if (down) {
        throw new StoreException("down", null);
      }
      refuse(messages.stream().map(message -> message.position().sequence()).toList());
      messages.forEach(message -> exactly.add(message.position().sequence()));
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

  @Test
  void ofABatchThatIsRefusedAllButTheRefusedRowAreDeletedInFewStatements() {
    DeleteQueue large = deletes(1_000);
    refused.add(777L);
    large.add(shuffled(1, 1_000));

    assertThat(large.run()).isEqualTo(1_000);

    assertThat(deletedRows()).hasSize(999).doesNotContain(777L);
    assertThat(refusals).isBetween(10, 12); // of a thousand, halved ten times
    assertThat(batches).hasSizeLessThanOrEqualTo(11);
    assertThat(large.areTaken()).isFalse();
    assertThat(large.refusedRows(777 % 3)).isEqualTo(1);
    assertThat(large.takeDeleted()).hasSize(999);
  }

  @Test
  void othersAreDeletedWhileOneIsRefusedAndItIsTriedAgainAfterGrowingPauses() {
    refused.add(5L);
    deletes.add(shuffled(1, 10));
    drain();
    deletes.add(shuffled(11, 30));
    drain();
    assertThat(deletedRows()).hasSize(29).doesNotContain(5L);

    refusals = 0;
    pass(Duration.ofMinutes(10));
    assertThat(refusals).isBetween(10, 18);

    refused.clear();
    pass(Duration.ofMinutes(1));
    assertThat(deletedRows()).hasSize(30);
    assertThat(deletes.areTaken()).isTrue();
    assertThat(deletes.nanosToDue()).isEqualTo(Long.MAX_VALUE);
    assertThat(deletes.takeDeleted()).hasSize(30).doesNotHaveDuplicates();
  }

  @Test
  void severalThatAreRefusedAreFoundInSeveralTries() {
    DeleteQueue large = deletes(1_000);
    for (long row = 20; row <= 1_000; row += 20) {
      refused.add(row);
    }
    large.add(shuffled(1, 1_000));

    for (int seconds = 0; seconds < 60; seconds++) {
      refusals = 0;
      large.run();
      assertThat(refusals).isLessThanOrEqualTo(40);
      clock.advance(Duration.ofSeconds(1));
    }

    assertThat(deletedRows()).hasSize(950).doesNotContainAnyElementsOf(refused);
  }

  /** E.g. a right is missing: the database must not be flooded with what it refuses. */
  @Test
  void ifAllAreRefusedFewStatementsAreTriedAndAllAreDeletedSoonAfterwards() {
    refused.addAll(sequences(1, 5_000));
    DeleteQueue large = deletes(1_000);
    for (int i = 0; i < 5; i++) {
      large.add(shuffled(1 + 1_000L * i, 1_000L * (i + 1)));
      large.run();
    }
    refusals = 0;
    for (int seconds = 0; seconds < 600; seconds++) {
      run(large);
      clock.advance(Duration.ofSeconds(1));
    }
    assertThat(batches).isEmpty();
    assertThat(refusals).isLessThanOrEqualTo(40 * 18);

    refused.clear();
    for (int seconds = 0; seconds < 70; seconds++) {
      run(large);
      clock.advance(Duration.ofSeconds(1));
    }
    assertThat(deletedRows()).hasSize(5_000);
    assertThat(large.areTaken()).isTrue();
  }

  @Test
  void nothingIsForgottenIfTheDatabaseGoesAwayWhileARefusedRowIsSought() {
    refused.add(3L);
    DeleteQueue halved = deletes(BATCH);
    halved.add(shuffled(1, 10));
    downAfter = 3;
    assertThatThrownBy(halved::run).isInstanceOf(StoreException.class);
    downAfter = Integer.MAX_VALUE;
    clock.advance(Duration.ofMillis(10));
    run(halved);

    assertThat(deletedRows()).containsExactlyInAnyOrder(1L, 2L, 4L, 5L, 6L, 7L, 8L, 9L, 10L);
    assertThat(halved.refusedRows(0)).isEqualTo(1);
  }

  @Test
  void refusedOnesOfAnEarlierEraAreGivenUpAlone() {
    refused.add(5L);
    deletes.add(shuffled(1, 9));
    deletes.run();
    deletes.add(shuffled(10, 12));
    deletes.startOver(position -> new MessageId(new UUID(0, position.sequence())), () -> {});
    assertThat(deletes.areTaken()).isTrue();
    drain();

    assertThat(exactly).contains(10L, 11L, 12L).doesNotContain(5L);
    assertThat(deletes.takeDeleted()).containsExactlyInAnyOrderElementsOf(shuffled(1, 12));
    assertThat(deletes.areTaken()).isTrue();
  }

  private void pass(Duration time) {
    for (long second = 0; second < time.toSeconds(); second++) {
      clock.advance(Duration.ofSeconds(1));
      drain();
    }
  }

  private static void run(DeleteQueue deletes) {
    while (deletes.nanosToDue() <= 0) {
      deletes.run();
    }
  }

  private List<Long> deletedRows() {
    return batches.stream().flatMap(List::stream).toList();
  }
}
