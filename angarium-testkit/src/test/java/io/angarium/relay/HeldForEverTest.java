package io.angarium.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.intake.StoredMessage;
import io.angarium.testkit.fake.FakeTransport;
import io.angarium.testkit.fake.FakeTransport.Outcome;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A message that waits for its destination has somebody who lets it go on. */
class HeldForEverTest {
  private final RelayFixture world = new RelayFixture(FakeTransport.pipelined());
  private final Relay relay = world.relay("a");

  /** Its destination answers, as far as is known: the first one has an answer of its own. */
  @ParameterizedTest
  @EnumSource(names = {"REFUSE", "FAIL"})
  void messageBehindAFailedOneOfItsKeyIsTriedAgain(Outcome first) {
    world.transport.manual();
    world.send("k", "first");
    world.send("k", "second");
    world.pass(Duration.ofSeconds(1), relay);
    List<StoredMessage> inFlight = world.transport.inFlight();
    assertThat(inFlight).hasSize(2);

    world.transport.resolve(inFlight.get(0).id(), first);
    world.transport.resolve(inFlight.get(1).id(), Outcome.UNAVAILABLE);
    world.transport.automatic();
    world.pass(Duration.ofSeconds(10), relay);

    assertThat(world.received()).contains("second");
    assertThat(world.database.unsent()).isEmpty();
  }
}
