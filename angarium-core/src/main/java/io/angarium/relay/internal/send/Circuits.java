package io.angarium.relay.internal.send;

import io.angarium.Destination;
import io.angarium.relay.internal.send.Circuit.Demand;
import io.angarium.relay.internal.settings.RelayContext;
import io.angarium.relay.settings.CircuitState;
import io.angarium.relay.status.CircuitStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Queue;
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
public final class Circuits {
  private static final Logger LOG = LoggerFactory.getLogger(Circuits.class);

  /** At so many circuits, idle ones are forgotten. */
  static final int KEPT_MAX = 10_000;

  /** Circuits asked in one round. */
  public static final int ASKED_MAX = 1_000;

  private final Map<Destination, Circuit> circuits = new HashMap<>();
  private final Map<Destination, CircuitState> notClosed = new ConcurrentHashMap<>();
  private final Map<Destination, CircuitStatus> shown = new ConcurrentHashMap<>();
  private final RelayContext context;
  private int forgetAt = KEPT_MAX;

  /** Open ones by the time of their probe. */
  private final Queue<Probe> probes = new PriorityQueue<>();

  /** Destinations to ask for permits, in the order in which they are asked. */
  private final Set<Destination> asked = new LinkedHashSet<>();

  private PausedDestinations paused = PausedDestinations.NONE;

  /** Neighbours mostly have the same destination. */
  private @Nullable Destination lastDestination;

  private @Nullable Circuit lastCircuit;

  /**
   * When an open circuit is probed. One of a circuit that has answered meanwhile, and was open
   * again, only makes it be asked too early.
   */
  private record Probe(Destination destination, long atNanos) implements Comparable<Probe> {
    @Override
    public int compareTo(Probe other) {
      return Long.signum(atNanos - other.atNanos);
    }
  }

  public Circuits(RelayContext context) {
    this.context = context;
  }

  public boolean permit(Destination destination) {
    return of(destination).permit();
  }

  /** True if messages of a destination are sent as they come, and none waits for a permit. */
  public boolean isClosed(Destination destination) {
    return !notClosed.containsKey(destination);
  }

  /** True if no message of a destination would get a permit now. */
  public boolean rests(Destination destination) {
    return notClosed.containsKey(destination) && of(destination).rests();
  }

  /** Messages of a destination that may be sent now. */
  public int permits(Destination destination) {
    return notClosed.containsKey(destination) ? of(destination).permits() : Integer.MAX_VALUE;
  }

  void returned(Destination destination) {
    Circuit circuit = of(destination);
    circuit.returned();
    askIfFree(destination, circuit);
  }

  public void answered(Destination destination) {
    Circuit circuit = of(destination);
    circuit.answered();
    note(destination, circuit);
    askIfFree(destination, circuit);
  }

  public void unavailable(Destination destination, String reason) {
    Circuit circuit = of(destination);
    CircuitState before = circuit.state();
    boolean first = before == CircuitState.CLOSED;
    circuit.unavailable(context.time().nanoTime());
    if (circuit.state() == CircuitState.OPEN && before != CircuitState.OPEN) {
      probes.add(new Probe(destination, circuit.probeAtNanos()));
      show(destination, circuit, reason);
    }
    if (first) {
      LOG.warn(
          "Destination {} is unavailable: {}. Its messages wait and are sent when it answers.",
          destination,
          reason);
    }
    note(destination, circuit);
    askIfFree(destination, circuit);
  }

  /** Sends nothing to these destinations, and to all others again, few messages at first. */
  public void pause(PausedDestinations destinations) {
    paused = destinations;
    long now = context.time().nanoTime();
    circuits.forEach(
        (destination, circuit) -> {
          boolean isPaused = circuit.state() == CircuitState.PAUSED;
          if (destinations.contains(destination)) {
            circuit.pause();
          } else if (isPaused) {
            circuit.resume(now);
            probes.add(new Probe(destination, now));
          }
          note(destination, circuit);
        });
  }

  private void askIfFree(Destination destination, Circuit circuit) {
    if (circuit.awaitsGrant()) {
      asked.add(destination);
    }
  }

  /**
   * The destinations whose held messages should be tried now. Asks a bounded number of circuits,
   * each in its turn: only those whose probe is due, or that ramp up.
   */
  public Collection<Destination> granted(Function<Destination, Demand> demand) {
    if (notClosed.isEmpty()) {
      asked.clear();
      probes.clear();
      return Set.of();
    }
    long now = context.time().nanoTime();
    for (Probe next = probes.peek(); next != null && next.atNanos() - now <= 0; ) {
      asked.add(probes.remove().destination());
      next = probes.peek();
    }
    List<Destination> turn = asked.stream().limit(ASKED_MAX).toList();
    List<Destination> granted = new ArrayList<>();
    for (Destination destination : turn) {
      asked.remove(destination);
      if (notClosed.containsKey(destination)
          && of(destination).awaitsGrant()
          && grant(destination, now, demand)) {
        granted.add(destination);
      }
    }
    return granted;
  }

  private boolean grant(Destination destination, long now, Function<Destination, Demand> demand) {
    Circuit circuit = of(destination);
    boolean granted = circuit.grant(now, demand.apply(destination));
    note(destination, circuit);
    if (circuit.state() == CircuitState.HALF_OPEN) {
      asked.add(destination);
    }
    return granted;
  }

  /** All circuits that are not closed. */
  public Map<Destination, CircuitState> states() {
    return Map.copyOf(notClosed);
  }

  /** All circuits that are open or tried, with their reasons. */
  public List<CircuitStatus> status() {
    return List.copyOf(shown.values());
  }

  private void show(Destination destination, Circuit circuit, String reason) {
    Instant now = context.time().instant();
    CircuitStatus before = shown.get(destination);
    long pauseNanos = circuit.probeAtNanos() - context.time().nanoTime();
    shown.put(
        destination,
        new CircuitStatus(
            destination,
            circuit.state(),
            reason,
            before == null ? now : before.since(),
            now.plusNanos(pauseNanos)));
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
      if (!paused.isEmpty() && paused.contains(destination)) {
        circuit.pause();
        note(destination, circuit);
      }
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
    if (state == CircuitState.HALF_OPEN) {
      shown.computeIfPresent(
          destination, (d, was) -> new CircuitStatus(d, state, was.reason(), was.since(), null));
    }
    if (state == CircuitState.CLOSED || state == CircuitState.PAUSED) {
      shown.remove(destination);
    }
    if (state == CircuitState.CLOSED) {
      LOG.info("Destination {} answers again.", destination);
    }
  }
}
