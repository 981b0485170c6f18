package io.angarium.relay.internal.send;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.Destination;
import io.angarium.intake.Partitioning;
import io.angarium.relay.internal.flight.Transports;
import io.angarium.relay.internal.settings.RelayContext;
import io.angarium.relay.settings.CircuitState;
import io.angarium.relay.settings.CircuitTiming;
import io.angarium.relay.settings.DestinationPolicy;
import io.angarium.relay.settings.RelayConfig;
import io.angarium.relay.settings.RelayListener;
import io.angarium.store.Tripwire;
import io.angarium.testkit.ManualClock;
import io.angarium.testkit.fake.FakeTransport;
import io.angarium.testkit.memory.InMemoryDatabase;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A service that never tires of inventing destinations. */
class ManyDestinationsTest {
  private static final int MANY = 3 * Circuits.KEPT_MAX;

  private final ManualClock clock = ManualClock.create();
  private final RelayContext context =
      new RelayContext(
          InMemoryDatabase.create(clock, new Partitioning(8, 2)).outboxStore(),
          RelayConfig.defaults("a"),
          destination ->
              new DestinationPolicy(
                  DestinationPolicy.defaults().retry(),
                  destination.address().endsWith("7")
                      ? DestinationPolicy.OnDead.BLOCK_KEY
                      : DestinationPolicy.OnDead.SKIP,
                  CircuitTiming.DEFAULTS),
          RelayListener.all(List.of()),
          clock,
          Tripwire.NONE);
  private final Circuits circuits = new Circuits(context);

  private static Destination destination(int i) {
    return Destination.parse("fake:d" + i);
  }

  private void sendToMany() {
    for (int i = 0; i < MANY; i++) {
      assertThat(circuits.permit(destination(i))).isTrue();
      circuits.answered(destination(i));
    }
  }

  @Test
  void idleCircuitsAreForgotten() {
    sendToMany();

    assertThat(circuits.size()).isLessThanOrEqualTo(Circuits.KEPT_MAX);
  }

  @Test
  void openCircuitIsRemembered() {
    Destination down = Destination.parse("fake:down");
    circuits.permit(down);
    circuits.unavailable(down, "test");

    sendToMany();

    assertThat(circuits.permit(down)).isFalse();
    assertThat(circuits.states()).containsExactly(Map.entry(down, CircuitState.OPEN));
  }

  /** Its permit would be returned to another circuit, which then waited for one result less. */
  @Test
  void circuitWithAMessageInFlightIsRemembered() {
    Destination slow = Destination.parse("fake:slow");
    circuits.permit(slow);
    circuits.permit(slow);
    sendToMany();

    circuits.unavailable(slow, "test");
    clock.advance(CircuitTiming.DEFAULTS.pauseMax());

    assertThat(circuits.granted(d -> Circuit.Demand.HELD)).as("one is in flight").isEmpty();
    circuits.answered(slow);
    assertThat(circuits.granted(d -> Circuit.Demand.HELD)).containsExactly(slow);
  }

  /**
   * More than are kept: nothing can be forgotten, and looking at all for each one would take long.
   */
  @Test
  void circuitsInUseAreAllRemembered() {
    for (int i = 0; i < MANY; i++) {
      circuits.permit(destination(i));
    }

    assertThat(circuits.size()).isEqualTo(MANY);
    for (int i = 0; i < MANY; i++) {
      circuits.answered(destination(i));
    }
    for (int i = 0; i < 2 * MANY; i++) {
      circuits.permit(destination(MANY + i));
      circuits.answered(destination(MANY + i));
    }
    assertThat(circuits.size()).isLessThanOrEqualTo(2 * MANY);
  }

  @Test
  void keyOrderOfADestinationIsFoundOutAgainWhenItWasForgotten() {
    ChainedDestinations chained =
        new ChainedDestinations(
            context.policies(), new Transports(List.of(FakeTransport.pipelined()), null));

    for (int round = 0; round < 2; round++) {
      for (int i = 0; i < MANY; i++) {
        assertThat(chained.contains(destination(i))).isEqualTo(i % 10 == 7);
      }
    }

    assertThat(chained.size()).isLessThanOrEqualTo(ChainedDestinations.KEPT_MAX);
  }
}
