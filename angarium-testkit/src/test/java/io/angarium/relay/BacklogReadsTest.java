package io.angarium.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.simulation.Planted;
import io.angarium.store.OutboxStore;
import io.angarium.store.ReadLimit;
import io.angarium.store.ReadRows;
import io.angarium.store.SequenceMark;
import io.angarium.store.SequenceRange;
import io.angarium.testkit.fake.FakeBroker;
import io.angarium.testkit.fake.FakeTransport;
import io.angarium.testkit.memory.Tx;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How often the rows of a backlog are read, and that each of them is. */
class BacklogReadsTest {
  private static final int BACKLOG = 60_000;

  /** Of {@link #LATE_PAUSE} each: forty seconds at most, less than until the first sweep. */
  private static final int ROUNDS_MAX = 2_000;

  /** How many sequences a mark goes further than the one before. */
  private static final int MARK = 10_000;

  /** Of each round: longer than between two looks for late rows of a backlog, which take a mark. */
  private static final Duration LATE_PAUSE = Duration.ofMillis(20);

  /** Of the first look, which does not know yet how much there is. */
  private static final int TWICE_MAX = 5_000;

  private final RelayFixture world = new RelayFixture(FakeTransport.pipelined());
  private final Relay relay = world.storedIn(new Reads(world.database.outboxStore())).relay("a");
  private long rows;
  private long marked;
  private int reach = MARK;
  private long readUpTo;
  private Runnable beforeSettled = () -> {};

  /** Counts the rows that are read; marks reach only so far, as on MariaDB and MySQL. */
  private final class Reads extends Planted {
    Reads(OutboxStore store) {
      super(store);
    }

    @Override
    public SequenceMark mark() {
      SequenceMark taken = super.mark();
      marked = Math.min(taken.lastSequence(), marked + reach);
      return new SequenceMark(marked, taken.barrier());
    }

    @Override
    public boolean settled(SequenceMark mark) {
      beforeSettled.run();
      return super.settled(mark);
    }

    @Override
    public ReadRows read(List<SequenceRange> wanted, ReadLimit limit) {
      ReadRows read = super.read(wanted, limit);
      rows += read.rows().size();
      readUpTo =
          read.rows().stream().mapToLong(row -> row.position().sequence()).max().orElse(readUpTo);
      return read;
    }
  }

  /**
   * What was read ahead is of use also when a mark is settled, as it is at once if nobody writes.
   */
  @Test
  void rowsAreReadOnceWhileFloorsRise() {
    write(BACKLOG);

    receive(BACKLOG);

    assertThat(rows).isBetween((long) BACKLOG, (long) BACKLOG + TWICE_MAX);
  }

  /**
   * It is not among what was read ahead just before, and its sequence lies below the mark that is
   * settled then. It is not left to the sweep, which comes after a minute.
   */
  @Test
  void rowThatCommitsBetweenTheReadAheadAndTheMarkIsRead() {
    int before = 12_000;
    reach = 3 * before; // one mark for all, which waits for the open transaction
    write(before);
    Tx open = world.database.begin();
    open.outbox().send(RelayFixture.message("open", "open"));
    write(before);
    beforeSettled =
        () -> {
          if (readUpTo > before + 1) {
            open.commit();
            beforeSettled = () -> {};
          }
        };

    receive(2 * before + 1);

    assertThat(world.received()).contains("open");
  }

  private void write(int messages) {
    for (int i = 0; i < messages; i++) {
      world.send("k" + i % 1_000, "m" + i);
    }
  }

  /** In less time than until the first sweep. */
  private void receive(int messages) {
    FakeBroker broker = world.transport.broker();
    for (int i = 0; i < ROUNDS_MAX && broker.stored().size() < messages; i++) {
      relay.runOnce();
      world.clock.advance(LATE_PAUSE);
    }
    assertThat(world.received()).hasSize(messages);
  }
}
