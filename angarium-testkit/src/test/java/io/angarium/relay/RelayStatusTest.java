package io.angarium.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.Destination;
import io.angarium.Message;
import io.angarium.StoreException;
import io.angarium.relay.settings.CircuitState;
import io.angarium.relay.status.CircuitStatus;
import io.angarium.relay.status.RelayStatus;
import io.angarium.store.OutboxStore;
import io.angarium.testkit.fake.FakeTransport;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a relay says of itself. */
@Timeout(60)
class RelayStatusTest {
  private final FakeTransport broker = FakeTransport.pipelined();
  private final RelayFixture world = new RelayFixture(broker);
  private volatile boolean storeFails;

  @Test
  void relayThatWasNotStartedSaysSo() {
    Relay relay = world.relay("a");

    RelayStatus status = relay.status();

    assertThat(status.node()).isEqualTo("a");
    assertThat(status.startedAt()).isNull();
    assertThat(status.fault()).isEqualTo("The relay does not run");
    assertThat(status.healthy()).isFalse();
    assertThat(status.partitions()).isZero();
  }

  @Test
  void startedRelayTellsSinceWhenAndWhatItHolds() {
    try (Relay relay = world.relay("a")) {
      relay.start();
      while (!relay.healthy()) {
        LockSupport.parkNanos(1_000_000);
      }

      RelayStatus status = relay.status();

      assertThat(status.fault()).isNull();
      assertThat(status.startedAt()).isEqualTo(world.clock.instant());
      assertThat(status.at()).isEqualTo(world.clock.instant());
      assertThat(status.partitions()).isEqualTo(10);
      assertThat(status.inFlightMax()).isEqualTo(20_000);
      assertThat(status.rest()).isNull();
      assertThat(status.storeFailure()).isNull();
    }
  }

  @Test
  void twoStartsOfOneNodeHaveDifferentIncarnations() {
    Relay first = world.relay("a");
    Relay second = world.relay("b");

    assertThat(first.status().incarnation()).isNotEqualTo(second.status().incarnation());
    assertThat(first.status().incarnation()).isEqualTo(first.status().incarnation());
  }

  @Test
  void messagesWithoutResultAreInFlight() {
    Relay relay = world.relay("a");
    broker.manual();
    world.send("k1", "1");
    world.send("k2", "1");

    relay.runOnce();

    assertThat(relay.status().inFlight()).isEqualTo(2);
    broker.acknowledgeAll();
    world.settle(relay);
    assertThat(relay.status().inFlight()).isZero();
  }

  @Test
  void openCircuitTellsWhySinceWhenAndWhenItIsProbed() {
    Relay relay = world.relay("a");
    broker.unavailable(RelayFixture.ORDERS, true);
    world.send("k", "1");

    relay.runOnce();
    relay.runOnce();

    RelayStatus status = relay.status();
    assertThat(status.notClosed()).isEqualTo(1);
    CircuitStatus circuit = status.circuits().get(0);
    assertThat(circuit.destination()).isEqualTo(Destination.parse(RelayFixture.ORDERS));
    assertThat(circuit.state()).isEqualTo(CircuitState.OPEN);
    assertThat(circuit.reason()).isNotBlank();
    assertThat(circuit.since()).isEqualTo(world.clock.instant());
    assertThat(circuit.nextProbe()).isAfter(world.clock.instant());
  }

  @Test
  void circuitThatOpensAgainKeepsSinceWhenItIsNotClosed() {
    Relay relay = world.relay("a");
    broker.unavailable(RelayFixture.ORDERS, true);
    world.send("k", "1");
    relay.runOnce();
    relay.runOnce();
    CircuitStatus first = relay.status().circuits().get(0);

    world.clock.advance(Duration.ofSeconds(20));
    relay.runOnce();
    relay.runOnce();

    CircuitStatus again = relay.status().circuits().get(0);
    assertThat(again.since()).isEqualTo(first.since());
    assertThat(again.nextProbe()).isAfter(Objects.requireNonNull(first.nextProbe()));
  }

  @Test
  void closedCircuitIsGone() {
    Relay relay = world.relay("a");
    broker.unavailable(RelayFixture.ORDERS, true);
    world.send("k", "1");
    relay.runOnce();
    relay.runOnce();

    broker.unavailable(RelayFixture.ORDERS, false);
    world.clock.advance(Duration.ofSeconds(20));
    world.settle(relay);

    assertThat(relay.circuits()).isEmpty();
    assertThat(relay.status().notClosed()).isZero();
    assertThat(relay.status().circuits()).isEmpty();
  }

  @Test
  void statusNamesTheLongestOfManyCircuits() {
    Relay relay = world.relay("a");
    for (int i = 0; i < 25; i++) {
      broker.unavailable("fake:d" + i, true);
      world.send(Message.of("fake:d" + i, new byte[] {1}).key("k" + i));
      relay.wake();
      relay.runOnce();
      relay.runOnce();
      world.clock.advance(Duration.ofMillis(1));
    }

    RelayStatus status = relay.status();

    assertThat(status.notClosed()).isEqualTo(25);
    assertThat(status.circuits()).hasSize(RelayStatus.CIRCUITS_MAX);
    assertThat(status.circuits().get(0).destination()).isEqualTo(Destination.parse("fake:d0"));
  }

  @Test
  void failuresOfTheDatabaseAreCountedForFiveMinutes() {
    Relay relay = world.storedIn(failing(world.database.outboxStore())).relay("a");
    relay.runOnce();
    storeFails = true;
    world.send("k", "1");
    relay.wake();
    relay.runOnce();
    world.clock.advance(Duration.ofMinutes(1));
    relay.runOnce(); // a heartbeat, as its lease has ended
    relay.wake();
    relay.runOnce();
    storeFails = false;

    RelayStatus.StoreFailure failure = Objects.requireNonNull(relay.status().storeFailure());
    world.clock.advance(Duration.ofMinutes(4));
    RelayStatus.StoreFailure later = Objects.requireNonNull(relay.status().storeFailure());
    world.clock.advance(Duration.ofMinutes(10));
    RelayStatus.StoreFailure last = Objects.requireNonNull(relay.status().storeFailure());

    assertThat(failure.text()).isEqualTo("gone away");
    assertThat(failure.recent()).isEqualTo(2);
    assertThat(later.recent()).isEqualTo(1);
    assertThat(last.recent()).isZero();
    assertThat(last.at()).isEqualTo(failure.at());
  }

  private OutboxStore failing(OutboxStore store) {
    return (OutboxStore)
        Proxy.newProxyInstance(
            OutboxStore.class.getClassLoader(),
            new Class<?>[] {OutboxStore.class},
            (proxy, method, arguments) -> {
              if (storeFails && !method.getName().equals("era")) {
                throw new StoreException("gone away\nwith details", null);
              }
              try {
                return method.invoke(store, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
