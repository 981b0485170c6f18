package io.angarium.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.intake.Position;
import io.angarium.simulation.Planted;
import io.angarium.store.LateRows;
import io.angarium.store.OutboxStore;
import io.angarium.store.ReadLimit;
import io.angarium.store.ReadRows;
import io.angarium.store.SequenceMark;
import io.angarium.store.SequenceRange;
import io.angarium.store.Snapshot;
import io.angarium.testkit.fake.FakeTransport;
import io.angarium.testkit.memory.Tx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When a relay takes a mark, and when it trusts it. */
class FloorsRiseTest {
  private final RelayFixture world = new RelayFixture(FakeTransport.pipelined());
  private final List<String> calls = new ArrayList<>();
  private final Relay relay = world.storedIn(new Calls(world.database.outboxStore())).local();

  /** Notes what decides about floors. */
  private final class Calls extends Planted {
    Calls(OutboxStore store) {
      super(store);
    }

    @Override
    public SequenceMark mark() {
      calls.add("mark");
      return super.mark();
    }

    @Override
    public boolean settled(SequenceMark mark) {
      boolean settled = super.settled(mark);
      calls.add(settled ? "settled" : "open");
      return settled;
    }

    @Override
    public ReadRows read(List<SequenceRange> wanted, ReadLimit limit) {
      calls.add("read");
      return super.read(wanted, limit);
    }

    @Override
    public LateRows readLate(
        List<SequenceRange> wanted,
        @Nullable Snapshot since,
        ReadLimit limit,
        Predicate<Position> known) {
      calls.add("late");
      return super.readLate(wanted, since, limit, known);
    }
  }

  @BeforeEach
  void start() {
    world.settle(relay);
    world.send("k", "k1");
    world.settle(relay);
    calls.clear();
  }

  private void lookForLateRows() {
    world.clock.advance(Duration.ofMillis(200));
    world.settle(relay);
  }

  @Test
  void markThatIsSettledAtOnceIsUsedInTheSameLook() {
    lookForLateRows(); // learns how far the sequence has come
    lookForLateRows();

    assertThat(calls).containsSequence("mark", "settled", "read", "late").containsOnlyOnce("mark");
  }

  @Test
  void markThatIsOpenIsKeptUntilItIsSettled() {
    try (Tx open = world.database.begin()) {
      open.outbox().send(RelayFixture.message("k", "open"));
      world.send("k", "k2");
      lookForLateRows(); // learns how far the sequence has come
      lookForLateRows();
      lookForLateRows();
      open.commit();
    }
    lookForLateRows();

    assertThat(calls)
        .containsSubsequence("mark", "open", "open", "settled")
        .containsOnlyOnce("mark");
    assertThat(world.received()).containsExactly("k1", "k2", "open");
  }
}
