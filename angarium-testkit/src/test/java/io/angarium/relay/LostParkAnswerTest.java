package io.angarium.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.MessageId;
import io.angarium.intake.StoredMessage;
import io.angarium.relay.settings.DestinationPolicy;
import io.angarium.testkit.fake.FakeTransport;
import io.angarium.testkit.memory.StoreCall;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A message was parked, but its relay does not know it when the key goes on. */
class LostParkAnswerTest {
  @Test
  void messageIsSentOnceItsParkingIsKnownWhereOneOfAKeyGoesAtATime() {
    for (int millis = 0; millis < 1_100; millis += 50) { // some are in time for the look at heads
      assertAllAreSent(Duration.ofMillis(millis));
    }
  }

  private static void assertAllAreSent(Duration sinceTheRequeue) {
    RelayFixture world =
        new RelayFixture(FakeTransport.chained()).onDead(DestinationPolicy.OnDead.BLOCK_KEY);
    Relay relay = world.local();
    world.settle(relay);
    world.transport.refuseNext(1);
    MessageId dead = world.send("k", "k1");
    world.settle(relay);
    world.send("k", "k2");
    world.pass(Duration.ofSeconds(1), relay);
    world.transport.manual();

    world.database.outboxStore().deadLetters().requeue(List.of(dead), "me");
    world.clock.advance(sinceTheRequeue);
    world.database.faults().loseAnswerNext(StoreCall.PARK);
    MessageId last = world.send("k", "k3");
    acknowledgeOthers(world, relay, last);
    world.transport.acknowledgeAll();
    world.transport.automatic();
    world.pass(Duration.ofSeconds(3), relay);

    assertThat(world.received()).as("%s", sinceTheRequeue).containsExactly("k1", "k2", "k3");
    assertThat(world.database.parked()).as("%s", sinceTheRequeue).isEmpty();
  }

  /** For longer than the pause after which the parking is tried again. */
  private static void acknowledgeOthers(RelayFixture world, Relay relay, MessageId last) {
    for (int i = 0; i < 40; i++) {
      world.settle(relay);
      world.transport.inFlight().stream()
          .map(StoredMessage::id)
          .filter(id -> !id.equals(last))
          .forEach(world.transport::resolve);
      world.clock.advance(Duration.ofMillis(5));
    }
  }
}
