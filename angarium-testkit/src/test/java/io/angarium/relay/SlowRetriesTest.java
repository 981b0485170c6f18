package io.angarium.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.Message;
import io.angarium.testkit.fake.FakeTransport;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Retries that get no result do not hold up those of other destinations. */
class SlowRetriesTest {
  private static final String LAST = "fake:last";

  private final RelayFixture world = new RelayFixture(FakeTransport.pipelined());
  private final Relay relay = world.local();

  /** Lets messages fail, the last destination after all others, and then gives no more results. */
  private void failAndFallSilent(int destinations, int messagesEach) {
    world.settle(relay);
    world.transport.failWhile(row -> true);
    for (int i = 0; i < destinations * messagesEach; i++) {
      String destination = "fake:slow" + i % destinations;
      world.send(Message.of(destination, new byte[] {1}).key(i % 2 == 0 ? "k" + i : null));
    }
    world.pass(Duration.ofMillis(200), relay);
    for (int i = 0; i < 3; i++) {
      world.send(Message.of(LAST, new byte[] {1}).key("k" + i));
    }
    world.pass(Duration.ofMillis(200), relay);
    assertThat(world.database.parked()).hasSize(destinations * messagesEach + 3);
    world.transport.heal().manual();
  }

  private long inFlight(String destination) {
    return world.transport.inFlight().stream()
        .filter(row -> row.message().destination().toString().startsWith(destination))
        .count();
  }

  @Test
  void ofOneDestination() {
    failAndFallSilent(1, 700);

    world.pass(Duration.ofMillis(2_500), relay);

    assertThat(inFlight("fake:slow")).isGreaterThanOrEqualTo(500);
    assertThat(inFlight(LAST)).isEqualTo(3);
  }

  @Test
  void ofManyDestinations() {
    failAndFallSilent(70, 20);

    world.pass(Duration.ofMillis(2_500), relay);

    assertThat(inFlight("fake:slow")).isGreaterThanOrEqualTo(500);
    assertThat(inFlight(LAST)).isEqualTo(3);
  }

  @Test
  void ofOneDestinationThatReturnsASingleResultNowAndThen() {
    failAndFallSilent(1, 700);

    for (int i = 0; i < 30; i++) {
      world.pass(Duration.ofMillis(100), relay);
      world.transport.inFlight().stream()
          .filter(row -> !row.message().destination().toString().equals(LAST))
          .findFirst()
          .ifPresent(row -> world.transport.resolve(row.id()));
    }

    assertThat(inFlight(LAST)).isEqualTo(3);
  }
}
