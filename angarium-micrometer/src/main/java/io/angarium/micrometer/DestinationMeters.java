package io.angarium.micrometer;

import io.angarium.Destination;
import io.angarium.relay.settings.CircuitState;
import io.angarium.relay.settings.Route;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The meters of one destination tag, all registered at once: a series that starts at zero lets a
 * query see the first increase. Thread-safe.
 */
final class DestinationMeters {
  private final Map<Route, Timer> delivery = new EnumMap<>(Route.class);
  private final Map<OutcomeTag, Counter> failed = new EnumMap<>(OutcomeTag.class);
  private final Counter dead;
  private final Map<Destination, CircuitState> notClosed = new ConcurrentHashMap<>();

  DestinationMeters(Registration meters, String tag) {
    for (Route route : Route.values()) {
      String name = route.name().toLowerCase(Locale.ROOT);
      delivery.put(route, meters.timer(OutboxMeter.DELIVERY, tag, name));
    }
    for (OutcomeTag outcome : OutcomeTag.values()) {
      if (outcome != OutcomeTag.ACKNOWLEDGED) {
        failed.put(outcome, meters.counter(OutboxMeter.ATTEMPTS_FAILED, tag, outcome.tag()));
      }
    }
    this.dead = meters.counter(OutboxMeter.DEAD, tag);
    meters.gauge(OutboxMeter.CIRCUIT, this, DestinationMeters::circuit, tag);
  }

  void sent(Route route, Duration age) {
    Timer timer = delivery.get(route);
    if (timer != null) {
      timer.record(age);
    }
  }

  void attempted(OutcomeTag outcome) {
    Counter counter = failed.get(outcome);
    if (counter != null) {
      counter.increment();
    }
  }

  void dead() {
    dead.increment();
  }

  void circuit(Destination destination, CircuitState state) {
    if (state == CircuitState.CLOSED) {
      notClosed.remove(destination);
    } else {
      notClosed.put(destination, state);
    }
  }

  /** The worst of the destinations that share the tag. */
  private double circuit() {
    if (notClosed.isEmpty()) {
      return 0;
    }
    if (notClosed.containsValue(CircuitState.OPEN)) {
      return 2;
    }
    return notClosed.containsValue(CircuitState.HALF_OPEN) ? 1 : 3;
  }
}
