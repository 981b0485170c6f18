package io.angarium.relay.internal;

import io.angarium.internal.DurationText;
import io.angarium.relay.internal.partition.Leases;
import io.angarium.relay.internal.settings.RelayContext;
import io.angarium.relay.status.CircuitStatus;
import io.angarium.relay.status.RelayStatus;
import io.angarium.store.lease.NodeId;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Puts together what a relay says of itself, without waiting for its threads. Thread-safe. */
public final class RelayStatusReader {
  private final RelayContext context;
  private final NodeId node;
  private final Leases leases;
  private final SendLoop sendLoop;
  private final RelayThreads threads;
  private final StoreFailures failures;
  private volatile @Nullable Instant startedAt;

  public RelayStatusReader(
      RelayContext context,
      NodeId node,
      Leases leases,
      SendLoop sendLoop,
      RelayThreads threads,
      StoreFailures failures) {
    this.context = context;
    this.node = node;
    this.leases = leases;
    this.sendLoop = sendLoop;
    this.threads = threads;
    this.failures = failures;
  }

  /** The relay was started now. */
  public void started() {
    startedAt = context.time().instant();
  }

  public RelayStatus status() {
    Instant now = context.time().instant();
    List<CircuitStatus> circuits = sendLoop.circuitStatus();
    return new RelayStatus(
        node.name(),
        node.incarnation(),
        now,
        startedAt,
        rest(now),
        leases.valid() ? leases.held().size() : 0,
        sendLoop.inFlight(),
        context.config().window().recordsMax(),
        circuits.size(),
        circuits.stream()
            .sorted(Comparator.comparing(CircuitStatus::since))
            .limit(RelayStatus.CIRCUITS_MAX)
            .toList(),
        failures.last(),
        fault());
  }

  private RelayStatus.@Nullable Rest rest(Instant now) {
    Duration left = leases.restLeft();
    return left.isZero()
        ? null
        : new RelayStatus.Rest(now.plus(left), "Every send of this node kept failing");
  }

  /** Why it does not work as it should; null if it does. */
  public @Nullable String fault() {
    if (!threads.running()) {
      return "The relay does not run";
    }
    if (!leases.valid()) {
      return "Its lease has ended, as the database does not answer its heartbeats";
    }
    Duration stalled = sendLoop.stalledFor();
    if (!stalled.isZero()) {
      return "It has finished no round for "
          + DurationText.of(stalled.truncatedTo(ChronoUnit.SECONDS));
    }
    return sendLoop.recordsAll() ? null : "The database refuses what it writes";
  }
}
