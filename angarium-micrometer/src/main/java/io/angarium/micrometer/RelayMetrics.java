package io.angarium.micrometer;

import io.angarium.Destination;
import io.angarium.intake.StoredMessage;
import io.angarium.relay.Relay;
import io.angarium.relay.settings.CircuitState;
import io.angarium.relay.settings.RelayListener;
import io.angarium.relay.settings.Route;
import io.angarium.store.Invariant;
import io.angarium.transport.SendResult;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Counts and times what a relay does, see {@link OutboxMeter}. One per relay:
 *
 * <pre>{@code
 * RelayMetrics metrics = new RelayMetrics(registry, MetricsConfig.DEFAULTS);
 * Relay relay = Relay.builder(store, leases).transport(kafka).listener(metrics).build();
 * metrics.watch(relay);
 * }</pre>
 *
 * Does not block. A message costs two look-ups and one recorded time, and allocates nothing.
 * Thread-safe.
 */
public final class RelayMetrics implements RelayListener, AutoCloseable {
  /** The most values of the tag {@code task}; further ones share {@code other}. */
  public static final int TASKS_MAX = 32;

  private final Registration meters;
  private final PerTag<Destination, DestinationMeters> destinations;
  private final Counter taken;
  private final Counter gone;
  private final Counter confirmed;
  private final Counter resent;
  private final Map<String, Counter> storeFailures = new ConcurrentHashMap<>();
  private final Map<Invariant, Counter> broken = new EnumMap<>(Invariant.class);
  private volatile @Nullable Relay relay;

  /**
   * Creates the metrics and registers those that need no destination.
   *
   * @param registry where the meters are registered; two relays that share one need different
   *     {@link MetricsConfig#tags}
   */
  public RelayMetrics(MeterRegistry registry, MetricsConfig config) {
    this.meters = new Registration(registry, config);
    this.destinations =
        new PerTag<>(config.destinationsMax(), tag -> new DestinationMeters(meters, tag));
    this.taken = meters.counter(OutboxMeter.LEASE_CHANGES, "taken");
    this.gone = meters.counter(OutboxMeter.LEASE_CHANGES, "gone");
    this.confirmed = meters.counter(OutboxMeter.CONFIRMED);
    this.resent = meters.counter(OutboxMeter.RESENT);
    for (Invariant invariant : Invariant.values()) { // at 0, so that the first one is a rise
      broken.put(invariant, meters.counter(OutboxMeter.INVARIANT_BROKEN, invariant.tag()));
    }
    meters.gauge(OutboxMeter.PARTITIONS, this, RelayMetrics::partitions);
    meters.gauge(OutboxMeter.HEALTHY, this, RelayMetrics::healthy);
  }

  /** Names the relay that the gauges ask; a later one takes the place of the one before. */
  public void watch(Relay relay) {
    this.relay = relay;
  }

  private double partitions() {
    Relay watched = relay;
    return watched == null ? 0 : watched.partitions();
  }

  private double healthy() {
    Relay watched = relay;
    return watched != null && watched.healthy() ? 1 : 0;
  }

  @Override
  public void attempted(StoredMessage message, Route route, SendResult result) {
    OutcomeTag outcome = OutcomeTag.of(result);
    if (outcome != OutcomeTag.ACKNOWLEDGED) {
      destinations.of(message.message().destination()).attempted(outcome);
    }
  }

  @Override
  public void sent(StoredMessage message, Route route, Duration age) {
    destinations.of(message.message().destination()).sent(route, age);
  }

  @Override
  public void dead(StoredMessage message, String reason) {
    destinations.of(message.message().destination()).dead();
  }

  @Override
  public void confirmed(int messages) {
    confirmed.increment(messages);
  }

  @Override
  public void resent(int messages) {
    resent.increment(messages);
  }

  @Override
  public void leaseTaken(int partition) {
    taken.increment();
  }

  @Override
  public void leaseGone(int partition) {
    gone.increment();
  }

  @Override
  public void circuitChanged(Destination destination, CircuitState state) {
    destinations.of(destination).circuit(destination, state);
  }

  @Override
  public void storeFailed(String task, RuntimeException cause) {
    Counter counter = storeFailures.get(task);
    if (counter == null) {
      String tag = storeFailures.size() < TASKS_MAX ? task : PerTag.OTHER;
      counter = storeFailures.computeIfAbsent(tag, this::storeFailures);
    }
    counter.increment();
  }

  private Counter storeFailures(String task) {
    return meters.counter(OutboxMeter.STORE_FAILURES, task);
  }

  @Override
  public void invariantBroken(Invariant which, String detail) {
    Counter counter = broken.get(which);
    if (counter != null) {
      counter.increment();
    }
  }

  /** Removes the meters from the registry. May be called twice. */
  @Override
  public void close() {
    meters.close();
  }
}
