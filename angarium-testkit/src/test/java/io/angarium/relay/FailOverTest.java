package io.angarium.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.intake.Position;
import io.angarium.intake.StoredMessage;
import io.angarium.relay.internal.settings.RelayContext;
import io.angarium.relay.internal.write.DeleteQueue;
import io.angarium.relay.settings.DestinationPolicy;
import io.angarium.relay.settings.RelayConfig;
import io.angarium.relay.settings.RelayListener;
import io.angarium.simulation.Planted;
import io.angarium.store.LateRows;
import io.angarium.store.OutboxStore;
import io.angarium.store.ReadLimit;
import io.angarium.store.ReadRows;
import io.angarium.store.SentMessage;
import io.angarium.store.SequenceRange;
import io.angarium.store.Snapshot;
import io.angarium.store.WorkHint;
import io.angarium.testkit.fake.FakeTransport;
import io.angarium.testkit.memory.InMemoryDatabase;
import io.angarium.testkit.memory.Tx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * A replica takes over that lacks what was written last: it gives the same sequences to other
 * messages.
 */
class FailOverTest {
  private static final Duration SHORT = Duration.ofSeconds(3);

  private final RelayFixture world = new RelayFixture(FakeTransport.pipelined());
  private final InMemoryDatabase replica =
      InMemoryDatabase.create(world.clock, world.database.partitioning());
  private final Switched store = new Switched(world.database.outboxStore(), replica.outboxStore());
  private final Relay relay = world.storedIn(store).relay("a");

  /** Asks the first store until it is gone, then the second one. */
  private static final class Switched extends Planted {
    private final OutboxStore replica;
    private boolean failedOver;

    Switched(OutboxStore first, OutboxStore replica) {
      super(first);
      this.replica = replica;
    }

    @Override
    public ReadRows read(List<SequenceRange> spans, ReadLimit limit) {
      return failedOver ? replica.read(spans, limit) : super.read(spans, limit);
    }

    @Override
    public LateRows readLate(
        List<SequenceRange> spans,
        @Nullable Snapshot since,
        ReadLimit limit,
        Predicate<Position> known) {
      return failedOver
          ? replica.readLate(spans, since, limit, known)
          : super.readLate(spans, since, limit, known);
    }

    @Override
    public long lastSequence() {
      return failedOver ? replica.lastSequence() : super.lastSequence();
    }

    @Override
    public WorkHint glance(Collection<Integer> partitions, Duration ahead) {
      return failedOver ? replica.glance(partitions, ahead) : super.glance(partitions, ahead);
    }

    @Override
    public void delete(Collection<Position> positions) {
      if (failedOver) {
        replica.delete(positions);
      } else {
        super.delete(positions);
      }
    }

    @Override
    public Set<Position> deleteExact(Collection<SentMessage> messages) {
      return failedOver ? replica.deleteExact(messages) : super.deleteExact(messages);
    }
  }

  private void sendToReplica(int messages) {
    sendToReplica("k", messages);
  }

  private void sendToReplica(@Nullable String key, int messages) {
    try (Tx tx = replica.begin()) {
      for (int i = 0; i < messages; i++) {
        tx.outbox().send(Message.of(RelayFixture.ORDERS, new byte[] {1}).key(key));
      }
      tx.commit();
    }
  }

  private void send(int messages) {
    for (int i = 0; i < messages; i++) {
      world.send("k", "old " + i);
    }
  }

  @Test
  void messagesWithLowerSequencesAreFoundSoon() {
    send(20);
    world.pass(SHORT, relay);

    store.failedOver = true;
    sendToReplica(3);
    world.pass(SHORT, relay);

    assertThat(world.received()).hasSize(23);
    assertThat(replica.unsent()).isEmpty();
  }

  @Test
  void lateAcknowledgementDeletesNoOtherMessage() {
    world.transport.manual();
    send(20);
    world.pass(SHORT, relay);

    store.failedOver = true;
    sendToReplica(10);
    world.pass(SHORT, relay);
    world.transport.acknowledgeAll();
    world.pass(SHORT, relay);

    assertThat(replica.unsent()).hasSize(10);
    assertThat(world.transport.inFlight()).hasSize(10);
    world.transport.acknowledgeAll();
    world.pass(SHORT, relay);
    assertThat(world.received()).hasSize(30);
    assertThat(replica.unsent()).isEmpty();
  }

  @Test
  void messagesWithTheSequencesOfSomeInFlightAreSentOnceTheseHaveResults() {
    world.transport.manual();
    send(20);
    world.pass(SHORT, relay);

    store.failedOver = true;
    sendToReplica(null, 10); // of other partitions
    world.pass(SHORT.multipliedBy(3), relay);
    world.transport.acknowledgeAll();
    world.transport.automatic();
    world.pass(SHORT.multipliedBy(3), relay);

    assertThat(world.received()).hasSize(30);
    assertThat(replica.unsent()).isEmpty();
  }

  @Test
  void whatWaitsForItsDeleteIsDeletedOnlyIfItIsTheSameMessage() {
    sendToReplica(2);
    List<StoredMessage> rows = replica.unsent();
    List<Position> positions = rows.stream().map(StoredMessage::position).toList();
    List<String> broken = new ArrayList<>();
    DeleteQueue deletes =
        new DeleteQueue(
            new RelayContext(
                replica.outboxStore(),
                RelayConfig.defaults("a"),
                destination -> DestinationPolicy.defaults(),
                RelayListener.all(List.of()),
                world.clock,
                (which, detail) -> broken.add(which.tag())),
            () -> {});
    deletes.add(positions);
    MessageId lost = new MessageId(new UUID(1, 1));

    deletes.startOver(
        position -> position.equals(positions.get(0)) ? rows.get(0).id() : lost, () -> {});

    assertThat(deletes.run()).isEqualTo(2);
    assertThat(deletes.takeDeleted()).containsExactlyElementsOf(positions);
    assertThat(replica.unsent()).containsExactly(rows.get(1));
    assertThat(broken).containsExactly("exact-delete");
  }
}
