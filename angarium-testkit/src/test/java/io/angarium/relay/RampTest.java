package io.angarium.relay;

import static io.angarium.relay.RelayFixture.ORDERS;
import static io.angarium.relay.RelayFixture.message;
import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.Message;
import io.angarium.testkit.fake.FakeTransport;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A destination that comes back gets one message, then four, and so on, wherever they wait. */
class RampTest {
  private static final String STOCK = "fake:stock";
  private static final int BACKLOG = 3_000;

  private final RelayFixture world = new RelayFixture(FakeTransport.pipelined());
  private final Relay relay = world.local();

  /** Its backlog lies behind that of another one, so that one read finds only its first. */
  @Test
  void backlogBehindThatOfADestinationWhichStaysDownIsRampedUp() {
    world.settle(relay);
    world.transport.unavailable(ORDERS, true).unavailable(STOCK, true);
    send("k", 1);
    for (int i = 0; i < 15_000; i++) {
      world.send(Message.of(STOCK, new byte[] {1}).key("s" + i));
    }
    send("k", BACKLOG);
    world.pass(Duration.ofSeconds(1), relay);

    world.transport.unavailable(ORDERS, false).manual();
    assertRampUp(BACKLOG + 1);
  }

  @Test
  void backlogOfRetriesIsRampedUp() {
    world.settle(relay);
    world.transport.failWhile(row -> row.message().destination().toString().equals(ORDERS));
    for (int i = 0; i < BACKLOG; i++) {
      world.send(message("k" + i, "k" + i));
      world.send(Message.of(STOCK, new byte[] {1})); // else the node would rest
    }
    world.pass(Duration.ofMillis(900), relay); // the first are tried again after a second
    world.transport.heal().unavailable(ORDERS, true);
    world.pass(Duration.ofSeconds(2), relay);
    assertThat(world.database.parked()).hasSize(BACKLOG);

    world.transport.heal().manual();
    assertRampUp(BACKLOG);
  }

  private void send(String key, int count) {
    for (int i = 0; i < count; i++) {
      world.send(key + i, key + i);
    }
  }

  /**
   * Four times as many at once as the last time: three times all that were sent before, and one.
   */
  private void assertRampUp(int all) {
    int sent = 0;
    for (int i = 0; i < RelayFixture.ROUNDS_MAX && sent < all; i++) {
      world.clock.advance(Duration.ofMillis(10));
      relay.runOnce();
      int atOnce = inFlight().size();
      if (sent < 1_024) {
        assertThat(atOnce).as("at once after %d", sent).isLessThanOrEqualTo(3 * sent + 1);
      }
      sent += atOnce;
      world.transport.acknowledgeAll();
    }
    world.transport.automatic();
    world.pass(Duration.ofSeconds(1), relay);
    assertThat(world.received()).hasSize(all);
    assertThat(relay.circuits().keySet()).extracting(Object::toString).doesNotContain(ORDERS);
  }

  private List<String> inFlight() {
    return world.transport.inFlight().stream()
        .filter(row -> row.message().destination().toString().equals(ORDERS))
        .map(row -> RelayFixture.text(row.message()))
        .toList();
  }
}
