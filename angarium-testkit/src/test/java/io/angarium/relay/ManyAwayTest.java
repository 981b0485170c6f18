package io.angarium.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.Destination;
import io.angarium.Message;
import io.angarium.intake.Partitioning;
import io.angarium.relay.internal.send.Circuit;
import io.angarium.relay.internal.send.Circuits;
import io.angarium.relay.internal.settings.RelayContext;
import io.angarium.relay.settings.CircuitTiming;
import io.angarium.relay.settings.DestinationPolicy;
import io.angarium.relay.settings.RelayConfig;
import io.angarium.relay.settings.RelayListener;
import io.angarium.store.OutboxStore;
import io.angarium.store.ReadRows;
import io.angarium.store.Tripwire;
import io.angarium.testkit.ManualClock;
import io.angarium.testkit.fake.FakeTransport;
import io.angarium.testkit.memory.InMemoryDatabase;
import io.angarium.testkit.memory.Tx;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Very many destinations of a broker that is away. What they cost is counted in steps: rows that
 * are read, names that are passed to the database, circuits that are asked.
 */
class ManyAwayTest {
  private static final int MANY = 3_000;
  private static final int VERY_MANY = 100_000;
  private static final int EACH = 2;

  private final RelayFixture fixture = new RelayFixture(FakeTransport.pipelined());
  private long rowsRead;
  private long namesPassed;

  private OutboxStore counted(OutboxStore store) {
    return (OutboxStore)
        Proxy.newProxyInstance(
            OutboxStore.class.getClassLoader(),
            new Class<?>[] {OutboxStore.class},
            (proxy, method, arguments) -> {
              try {
                Object answer = method.invoke(store, arguments);
                if (answer instanceof ReadRows read) {
                  rowsRead += read.rows().size();
                }
                if (method.getName().equals("dueHeads")) {
                  namesPassed += ((Collection<?>) arguments[1]).size();
                }
                return answer;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private void write(int from, int to, boolean keyed) {
    try (Tx tx = fixture.database.begin()) {
      for (int i = from; i < to; i++) {
        for (int j = 0; j < EACH; j++) {
          Message message = Message.of("fake:d" + i, new byte[] {(byte) j});
          tx.outbox().send(keyed ? message.key("k" + i) : message);
        }
      }
      tx.commit();
    }
  }

  private void outage(int many, boolean keyed) {
    Relay relay = fixture.storedIn(counted(fixture.database.outboxStore())).relay("a");
    for (int i = 0; i < many; i++) {
      fixture.transport.unavailable("fake:d" + i, true);
    }
    write(0, many, keyed);
    fixture.pass(Duration.ofSeconds(10), relay);
    rowsRead = 0;
    namesPassed = 0;

    fixture.pass(Duration.ofSeconds(60), relay);

    // each is probed at least every pauseMax, and a probe is one row
    long probes = many * (2 + 60 / CircuitTiming.DEFAULTS.pauseMax().toSeconds());
    assertThat(relay.circuits()).hasSize(many);
    assertThat(rowsRead).as("rows read").isLessThan(2 * probes + 4L * many * EACH);
    assertThat(namesPassed).as("names passed").isLessThan(many);

    rowsRead = 0;
    fixture.transport.heal();
    fixture.pass(CircuitTiming.DEFAULTS.pauseMax().plusSeconds(2), relay);

    assertThat(fixture.database.outboxStore().backlog().depth()).isZero();
    assertThat(fixture.transport.orderFaults()).isEmpty();
    assertThat(rowsRead).as("rows read when they come back").isLessThan(6L * many * EACH);
  }

  @Test
  void keylessMessagesOfManyThatAreAwayCostOneRowAProbe() {
    outage(MANY, false);
  }

  @Test
  void keyedMessagesOfManyThatAreAwayCostOneRowAProbe() {
    outage(MANY, true);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @Tag("thorough")
  void aHundredThousandThatAreAwayCostNoMoreEach(boolean keyed) {
    outage(VERY_MANY, keyed);
  }

  @ParameterizedTest
  @ValueSource(ints = {MANY, VERY_MANY})
  void onlyCircuitsThatMayChangeAreAsked(int many) {
    ManualClock clock = ManualClock.create();
    Circuits circuits =
        new Circuits(
            new RelayContext(
                InMemoryDatabase.create(clock, new Partitioning(8, 2)).outboxStore(),
                RelayConfig.defaults("a"),
                destination -> DestinationPolicy.defaults(),
                RelayListener.all(List.of()),
                clock,
                Tripwire.NONE));
    for (int i = 0; i < many; i++) {
      Destination destination = Destination.parse("fake:d" + i);
      circuits.permit(destination);
      circuits.unavailable(destination, "test");
    }
    List<Destination> asked = new ArrayList<>();

    for (int round = 0; round < 100; round++) {
      circuits.granted(d -> asked(asked, d));
    }
    assertThat(asked).hasSizeLessThanOrEqualTo(many);
    asked.clear();
    clock.advance(CircuitTiming.DEFAULTS.pauseMax());
    Set<Destination> granted = new HashSet<>();
    for (int round = 0; round * Circuits.ASKED_MAX < many; round++) {
      granted.addAll(circuits.granted(d -> asked(asked, d)));
    }

    assertThat(granted).hasSize(many);
    assertThat(asked).hasSize(many);
  }

  private static Circuit.Demand asked(List<Destination> asked, Destination destination) {
    asked.add(destination);
    return Circuit.Demand.HELD;
  }
}
