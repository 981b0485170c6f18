package io.angarium.relay;

import io.angarium.relay.KeyState.Failure;
import io.angarium.relay.Results.Result;
import io.angarium.store.Lease;
import io.angarium.store.Position;
import io.angarium.store.SentMessage;
import io.angarium.store.Settlement;
import io.angarium.store.StoredMessage;
import io.angarium.transport.SendResult;
import io.angarium.transport.SendResult.Acknowledged;
import io.angarium.transport.SendResult.Unavailable;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Takes the results of attempts: what was acknowledged is deleted, what failed goes to {@link
 * KeyTroubles}. Not thread-safe: one thread at a time.
 */
final class Outcomes {
  private final RelayContext context;
  private final Results results;
  private final Flights flights;
  private final Partitions partitions;
  private final Circuits circuits;
  private final StoreWrites writes;
  private final Deletes deletes;
  private final KeyTroubles troubles;
  private final NodeHealth health;
  private final Map<Lease, List<Position>> parkedKeyless = new HashMap<>();
  private final List<Position> acknowledged = new ArrayList<>();
  private Instant now = Instant.EPOCH;
  private long nowNanos;

  /**
   * @param results filled by any thread, emptied here
   */
  Outcomes(
      RelayContext context,
      Results results,
      Flights flights,
      Partitions partitions,
      Circuits circuits,
      StoreWrites writes,
      Deletes deletes,
      KeyTroubles troubles,
      NodeHealth health) {
    this.context = context;
    this.results = results;
    this.flights = flights;
    this.partitions = partitions;
    this.circuits = circuits;
    this.writes = writes;
    this.deletes = deletes;
    this.troubles = troubles;
    this.health = health;
  }

  /**
   * Applies the results that have come in.
   *
   * @return true if there was one
   */
  boolean apply() {
    now = context.time().instant();
    nowNanos = context.time().nanoTime();
    deletes.takeDeleted().forEach(flights::remove);
    boolean any = results.drain(this::apply) > 0;
    if (!acknowledged.isEmpty()) {
      deletes.add(acknowledged);
      acknowledged.clear();
    }
    parkedKeyless.forEach(this::settleKeyless);
    parkedKeyless.clear();
    return any;
  }

  private void apply(Result result) {
    Flight flight = flights.get(result.row().position());
    if (flight != null && !flight.resolved && isOf(flight, result)) {
      flight.resolved = true;
      apply(flight, result.result());
    }
  }

  /** A late result may be that of a message which another server had at the same position. */
  private static boolean isOf(Flight flight, Result result) {
    return flight.row.id().equals(result.row().id());
  }

  private void apply(Flight flight, SendResult result) {
    context.listener().attempted(flight.row, flight.route, result);
    if (result instanceof Unavailable unavailable && !isBehindAFailedOne(flight)) {
      circuits.unavailable(flight.destination, unavailable.reason());
    } else {
      circuits.answered(flight.destination);
    }
    if (result instanceof Acknowledged) {
      health.acknowledged(flight.share, nowNanos);
      acknowledged(flight);
    } else {
      if (!flight.withoutTransport) {
        health.failed(flight.share, nowNanos);
      }
      failed(flight, result);
    }
    KeyState key = flight.key;
    if (key != null && !key.dropped && --key.inFlight == 0) {
      troubles.resolve(key);
    }
  }

  /** True if it may be for that one's sake: it says nothing of the destination then. */
  private static boolean isBehindAFailedOne(Flight flight) {
    KeyState key = flight.key;
    return key != null
        && key.failures.stream()
            .filter(earlier -> !(earlier.result() instanceof Unavailable))
            .map(Failure::flight)
            .anyMatch(earlier -> isAhead(earlier, flight));
  }

  private static boolean isAhead(Flight earlier, Flight flight) {
    return earlier.destination.equals(flight.destination)
        && earlier.row.position().sequence() < flight.row.position().sequence();
  }

  private void acknowledged(Flight flight) {
    StoredMessage row = flight.row;
    context.listener().sent(row, flight.route, flight.age(now));
    if (flight.disowned) {
      acknowledgedBefore(flight);
    } else if (flight.source != Flight.Source.PARKED) {
      acknowledged.add(row.position());
    } else if (flight.key == null) {
      acknowledgedParked(row.position());
    } else if (flight.key.dropped) {
      flights.remove(row.position());
    } else {
      flight.key.acknowledged.add(flight);
    }
  }

  /** A parked one is sent again: who takes it off must own its key, and that is not known yet. */
  private void acknowledgedBefore(Flight flight) {
    if (flight.source == Flight.Source.PARKED) {
      flights.remove(flight.row.position());
    } else {
      deletes.addExact(new SentMessage(flight.row.position(), flight.row.id()));
    }
  }

  private void acknowledgedParked(Position position) {
    PartitionState partition = partitions.get(position.partition());
    if (partition == null) {
      flights.remove(position);
    } else {
      parkedKeyless.computeIfAbsent(partition.lease, l -> new ArrayList<>()).add(position);
    }
  }

  private void settleKeyless(Lease lease, List<Position> rows) {
    Settlement settlement = new Settlement(lease, 0, rows, List.of());
    writes.settle(settlement, settlement.acknowledged(), more -> {});
  }

  private void failed(Flight flight, SendResult result) {
    Failure failure = new Failure(flight, result);
    if (flight.key == null) {
      troubles.resolveKeyless(failure);
    } else if (flight.key.dropped) {
      flights.remove(flight.row.position());
    } else {
      flight.key.failures.add(failure);
    }
  }
}
