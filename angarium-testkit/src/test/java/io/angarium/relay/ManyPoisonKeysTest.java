package io.angarium.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.simulation.Planted;
import io.angarium.store.Lease;
import io.angarium.store.OutboxStore;
import io.angarium.store.Parking;
import io.angarium.testkit.FakeTransport;
import io.angarium.testkit.Tx;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Many keys that fail at once are parked by few writes. */
class ManyPoisonKeysTest {
  private static final int KEYS = 400;

  /** Counts the writes that park. */
  private static final class Parks extends Planted {
    private int writes;
    private int heads;

    Parks(OutboxStore store) {
      super(store);
    }

    @Override
    public void park(Lease lease, List<Parking> parkings) {
      writes++;
      heads += (int) parkings.stream().filter(Parking::head).count();
      super.park(lease, parkings);
    }
  }

  private final RelayFixture world = new RelayFixture(FakeTransport.pipelined());
  private final Parks parks = new Parks(world.database.outboxStore());
  private final Relay relay = world.storedIn(parks).relay("a");

  @Test
  void headsOfOnePartitionAreParkedTogether() {
    send();
    world.transport.failWhile(message -> true);

    world.settle(relay);

    assertThat(parks.heads).isEqualTo(KEYS);
    assertThat(parks.writes).isLessThanOrEqualTo(world.database.partitioning().keyed() * 2);
  }

  @Test
  void allOfThemArriveOnceTheyCanBeSent() {
    send();
    world.transport.failWhile(message -> true);
    world.settle(relay);
    world.transport.heal();

    world.pass(Duration.ofSeconds(10), relay);

    assertThat(world.received()).hasSize(KEYS).doesNotHaveDuplicates();
  }

  private void send() {
    try (Tx tx = world.database.begin()) {
      IntStream.range(0, KEYS)
          .forEach(i -> tx.outbox().send(RelayFixture.message("k" + i, "m" + i)));
      tx.commit();
    }
  }
}
