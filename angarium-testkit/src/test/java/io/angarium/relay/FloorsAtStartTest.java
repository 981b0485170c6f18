package io.angarium.relay;

import static io.angarium.relay.RelayFixture.message;
import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.intake.Position;
import io.angarium.simulation.Planted;
import io.angarium.store.LateRows;
import io.angarium.store.OutboxStore;
import io.angarium.store.ReadLimit;
import io.angarium.store.ReadRows;
import io.angarium.store.SequenceRange;
import io.angarium.store.Snapshot;
import io.angarium.testkit.fake.FakeTransport;
import io.angarium.testkit.memory.StoreCall;
import io.angarium.testkit.memory.Tx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Where a relay that takes partitions looks for what came late. */
class FloorsAtStartTest {
  private final RelayFixture world = new RelayFixture(FakeTransport.pipelined());
  private final List<SequenceRange> spans = new ArrayList<>();
  private final Relay relay = world.storedIn(new Spans(world.database.outboxStore())).local();

  /** Notes where a relay looks. */
  private final class Spans extends Planted {
    Spans(OutboxStore store) {
      super(store);
    }

    @Override
    public ReadRows read(List<SequenceRange> wanted, ReadLimit limit) {
      spans.addAll(wanted);
      return super.read(wanted, limit);
    }

    @Override
    public LateRows readLate(
        List<SequenceRange> wanted,
        @Nullable Snapshot since,
        ReadLimit limit,
        Predicate<Position> known) {
      spans.addAll(wanted);
      return super.readLate(wanted, since, limit, known);
    }
  }

  private void sendTwice() {
    world.send("k", "k1");
    world.settle(relay);
    world.send("k", "k2");
    world.settle(relay);
  }

  /** Keyless ones are looked at later, when their rows have aged. */
  private List<Integer> keyedPartitionsReadFromTheBeginning() {
    return spans.stream()
        .filter(span -> span.after() == 0 && span.partition() >= 0)
        .map(SequenceRange::partition)
        .toList();
  }

  private void sendToAllPartitions() {
    for (int i = 0; i < 30; i++) {
      world.send("k" + i, "before");
    }
  }

  @Test
  void onlyTheFirstLookBeginsAtTheBeginning() {
    sendToAllPartitions();

    sendTwice();

    assertThat(keyedPartitionsReadFromTheBeginning()).hasSize(8).doesNotHaveDuplicates();
    assertThat(world.received()).hasSize(32).containsSubsequence("k1", "k2");
  }

  @Test
  void whatWasOpenAtTheStartIsSentBeforeTheNextOneOfItsKey() {
    Tx open = world.database.begin();
    open.outbox().send(message("k", "open"));
    world.send("k", "k1");
    world.settle(relay);
    assertThat(world.received()).containsExactly("k1");

    open.commit();
    world.send("k", "k2");
    world.settle(relay);

    assertThat(world.received()).containsExactly("k1", "open", "k2");
  }

  @Test
  void whatIsCommittedWhileTheMarkIsCheckedIsNotOverlooked() {
    Tx open = world.database.begin();
    open.outbox().send(message("k", "open"));
    world.database.faults().beforeNext(StoreCall.SETTLED, open::commit);

    sendTwice();

    assertThat(world.received()).containsExactly("open", "k1", "k2");
  }

  @Test
  void onlyTheFirstLookAtAPartitionThatIsTakenOverBeginsAtTheBeginning() {
    Relay other = world.storedIn(world.database.outboxStore()).relay("b");
    world.settle(relay, other);
    world.pass(Duration.ofSeconds(10), relay, other);
    sendToAllPartitions();
    world.pass(Duration.ofMillis(2_500), relay, other); // no floor rises at the takeover by chance
    spans.clear();

    other.close();
    for (int i = 0; i < 200; i++) { // many looks before a floor could rise in its own time
      world.clock.advance(Duration.ofMillis(20));
      sendToAllPartitions();
      world.settle(relay);
    }

    assertThat(keyedPartitionsReadFromTheBeginning()).isNotEmpty().doesNotHaveDuplicates();
    assertThat(world.database.unsent()).isEmpty();
  }
}
