package io.angarium.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.intake.StoredMessage;
import io.angarium.testkit.fake.FakeTransport;
import io.angarium.testkit.fake.FakeTransport.Outcome;
import org.junit.jupiter.api.Test;

/**
 * A transport that could not send a message for the sake of an earlier one of its key says
 * Unavailable, so that it costs no attempt; the destination is there all the same.
 */
class BehindPoisonTest {
  private final RelayFixture world = new RelayFixture(FakeTransport.pipelined());
  private final Relay relay = world.local();

  private static Outcome outcome(StoredMessage row) {
    return switch (RelayFixture.text(row.message())) {
      case "k1" -> Outcome.FAIL;
      case "k2" -> Outcome.UNAVAILABLE;
      default -> Outcome.ACKNOWLEDGE;
    };
  }

  @Test
  void whatFailsBehindAMessageOfItsKeyIsNoOutage() {
    world.settle(relay);
    world.transport.outcomes(BehindPoisonTest::outcome).manual();
    world.send("k", "k1");
    world.send("k", "k2");
    world.settle(relay);
    assertThat(world.transport.inFlight()).hasSize(2);

    world.transport.acknowledgeAll();
    world.transport.automatic();
    world.settle(relay);

    assertThat(relay.circuits()).isEmpty();
    world.send("j", "j1");
    world.settle(relay);
    assertThat(world.received()).containsExactly("j1");
  }

  @Test
  void anOutageBeforeAnythingFailedIsOne() {
    world.settle(relay);
    world.transport.outcomes(row -> Outcome.UNAVAILABLE);
    world.send("k", "k1");
    world.send("k", "k2");
    world.settle(relay);

    assertThat(relay.circuits()).hasSize(1);
  }
}
