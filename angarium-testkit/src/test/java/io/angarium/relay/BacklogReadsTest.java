package io.angarium.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.simulation.Planted;
import io.angarium.store.Mark;
import io.angarium.store.OutboxStore;
import io.angarium.store.ReadLimit;
import io.angarium.store.ReadRows;
import io.angarium.store.Span;
import io.angarium.testkit.FakeTransport;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How often the rows of a backlog are read. */
class BacklogReadsTest {
  private static final int BACKLOG = 60_000;

  /** How many sequences a mark goes further than the one before. */
  private static final int MARK = 10_000;

  /** A round as long as that between two looks for late rows takes a mark each time. */
  private static final Duration LATE_PAUSE = Duration.ofMillis(20);

  /** Of the first look, which does not know yet how much there is. */
  private static final int TWICE_MAX = 5_000;

  private final RelayFixture world = new RelayFixture(FakeTransport.pipelined());
  private final Relay relay = world.storedIn(new Reads(world.database.outboxStore())).local();
  private long rows;
  private long marked;

  /** Counts the rows that are read; marks reach only so far, as on MariaDB and MySQL. */
  private final class Reads extends Planted {
    Reads(OutboxStore store) {
      super(store);
    }

    @Override
    public Mark mark() {
      Mark taken = super.mark();
      marked = Math.min(taken.lastSequence(), marked + MARK);
      return new Mark(marked, taken.barrier());
    }

    @Override
    public ReadRows read(List<Span> wanted, ReadLimit limit) {
      ReadRows read = super.read(wanted, limit);
      rows += read.rows().size();
      return read;
    }
  }

  /**
   * What was read ahead is of use also when a mark is settled, as it is at once if nobody writes.
   */
  @Test
  void rowsAreReadOnceWhileFloorsRise() {
    for (int i = 0; i < BACKLOG; i++) {
      world.send("k" + i % 1_000, "m" + i);
    }

    for (int i = 0; i < RelayFixture.ROUNDS_MAX && world.received().size() < BACKLOG; i++) {
      relay.runOnce();
      world.clock.advance(LATE_PAUSE);
    }

    assertThat(world.received()).hasSize(BACKLOG);
    assertThat(rows).isBetween((long) BACKLOG, (long) BACKLOG + TWICE_MAX);
  }
}
