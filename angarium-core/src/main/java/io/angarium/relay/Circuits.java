package io.angarium.relay;

import io.angarium.Destination;
import io.angarium.relay.Circuit.Demand;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The circuits of the destinations seen. When there are very many, those without anything to
 * remember are forgotten. Not thread-safe: one thread at a time, but {@link #states} may be asked
 * by any.
 */
final class Circuits {
  private static final Logger LOG = LoggerFactory.getLogger(Circuits.class);

  /** At so many circuits, idle ones are forgotten. */
  static final int KEPT_MAX = 10_000;

  private final Map<Destination, Circuit> circuits = new HashMap<>();
  private final Map<Destination, CircuitState> notClosed = new ConcurrentHashMap<>();
  private final RelayContext context;
  private int forgetAt = KEPT_MAX;

  /** Neighbours mostly have the same destination. */
  private @Nullable Destination lastDestination;

  private @Nullable Circuit lastCircuit;

  Circuits(RelayContext context) {
    this.context = context;
  }

  boolean permit(Destination destination) {
    return of(destination).permit();
  }

  /** True if messages of a destination are sent as they come, and none waits for a permit. */
  boolean isClosed(Destination destination) {
    return !notClosed.containsKey(destination);
  }

  /** True if no message of a destination would get a permit now. */
  boolean rests(Destination destination) {
    return notClosed.containsKey(destination) && of(destination).rests();
  }

  void returned(Destination destination) {
    of(destination).returned();
  }

  void answered(Destination destination) {
    Circuit circuit = of(destination);
    circuit.answered();
    note(destination, circuit);
  }

  void unavailable(Destination destination, String reason) {
    Circuit circuit = of(destination);
    boolean first = circuit.state() == CircuitState.CLOSED;
    circuit.unavailable(context.time().nanoTime());
    if (first) {
      LOG.warn(
          "Destination {} is unavailable: {}. Its messages wait and are sent when it answers.",
          destination,
          reason);
    }
    note(destination, circuit);
  }

  /** Destinations that must not be tried now: no message of theirs would get a permit. */
  Collection<Destination> resting() {
    if (notClosed.isEmpty()) {
      return Set.of();
    }
    return notClosed.keySet().stream().filter(d -> of(d).rests()).toList();
  }

  /** The destinations whose held messages should be tried now. */
  Collection<Destination> granted(Function<Destination, Demand> demand) {
    if (notClosed.isEmpty()) {
      return Set.of();
    }
    long now = context.time().nanoTime();
    return notClosed.keySet().stream().filter(d -> grant(d, now, demand.apply(d))).toList();
  }

  private boolean grant(Destination destination, long now, Demand demand) {
    Circuit circuit = of(destination);
    boolean granted = circuit.grant(now, demand);
    note(destination, circuit);
    return granted;
  }

  /** All circuits that are not closed. */
  Map<Destination, CircuitState> states() {
    return Map.copyOf(notClosed);
  }

  @SuppressWarnings("ReferenceEquality") // only saves a look into the map
  private Circuit of(Destination destination) {
    Circuit last = lastCircuit;
    if (last != null && destination == lastDestination) {
      return last;
    }
    Circuit circuit = circuits.get(destination);
    if (circuit == null) {
      forgetIdle();
      circuit = new Circuit(context.policies().apply(destination).circuit());
      circuits.put(destination, circuit);
    }
    lastDestination = destination;
    lastCircuit = circuit;
    return circuit;
  }

  private void forgetIdle() {
    if (circuits.size() >= forgetAt) {
      circuits.values().removeIf(Circuit::isIdle);
      forgetAt = Math.max(KEPT_MAX, 2 * circuits.size()); // else each new one looked at all again
    }
  }

  /** Circuits remembered, whatever their state. */
  int size() {
    return circuits.size();
  }

  private void note(Destination destination, Circuit circuit) {
    CircuitState state = circuit.state();
    CircuitState before =
        state == CircuitState.CLOSED
            ? notClosed.isEmpty() ? CircuitState.CLOSED : notClosed.remove(destination)
            : notClosed.put(destination, state);
    if ((before == null ? CircuitState.CLOSED : before) == state) {
      return;
    }
    context.listener().circuitChanged(destination, state);
    if (state == CircuitState.CLOSED) {
      LOG.info("Destination {} answers again.", destination);
    }
  }
}
