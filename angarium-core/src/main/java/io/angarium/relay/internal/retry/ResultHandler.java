package io.angarium.relay.internal.retry;

import io.angarium.intake.Position;
import io.angarium.intake.StoredMessage;
import io.angarium.relay.internal.flight.InFlight;
import io.angarium.relay.internal.flight.InFlightWindow;
import io.angarium.relay.internal.flight.KeyState;
import io.angarium.relay.internal.flight.KeyState.Failure;
import io.angarium.relay.internal.flight.ResultQueue;
import io.angarium.relay.internal.flight.ResultQueue.Result;
import io.angarium.relay.internal.partition.NodeHealth;
import io.angarium.relay.internal.partition.OwnedPartitions;
import io.angarium.relay.internal.partition.PartitionState;
import io.angarium.relay.internal.send.Circuits;
import io.angarium.relay.internal.settings.RelayContext;
import io.angarium.relay.internal.write.DeleteQueue;
import io.angarium.relay.internal.write.FencedWriteQueue;
import io.angarium.store.ParkedOutcome;
import io.angarium.store.SentMessage;
import io.angarium.store.lease.Lease;
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
 * KeyFailures}. Not thread-safe: one thread at a time.
 */
public final class ResultHandler {
  private final RelayContext context;
  private final ResultQueue results;
  private final InFlightWindow inFlight;
  private final OwnedPartitions partitions;
  private final Circuits circuits;
  private final FencedWriteQueue writes;
  private final DeleteQueue deletes;
  private final KeyFailures failures;
  private final NodeHealth health;
  private final Map<Lease, List<Position>> parkedKeyless = new HashMap<>();
  private final List<Position> acknowledged = new ArrayList<>();
  private Instant now = Instant.EPOCH;
  private long nowNanos;

  /**
   * @param results filled by any thread, emptied here
   */
  public ResultHandler(
      RelayContext context,
      ResultQueue results,
      InFlightWindow inFlight,
      OwnedPartitions partitions,
      Circuits circuits,
      FencedWriteQueue writes,
      DeleteQueue deletes,
      KeyFailures failures,
      NodeHealth health) {
    this.context = context;
    this.results = results;
    this.inFlight = inFlight;
    this.partitions = partitions;
    this.circuits = circuits;
    this.writes = writes;
    this.deletes = deletes;
    this.failures = failures;
    this.health = health;
  }

  /**
   * Applies the results that have come in.
   *
   * @return true if there was one
   */
  public boolean apply() {
    now = context.time().instant();
    nowNanos = context.time().nanoTime();
    deletes.takeDeleted().forEach(inFlight::remove);
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
    InFlight flight = inFlight.get(result.row().position());
    if (flight != null && !flight.resolved && isOf(flight, result)) {
      flight.resolved = true;
      apply(flight, result.result());
    }
  }

  /** A late result may be that of a message which another server had at the same position. */
  private static boolean isOf(InFlight flight, Result result) {
    return flight.row.id().equals(result.row().id());
  }

  private void apply(InFlight flight, SendResult result) {
    if (!flight.sentBefore) {
      attempted(flight, result);
    }
    if (result instanceof Acknowledged) {
      acknowledged(flight);
    } else {
      failed(flight, result);
    }
    KeyState key = flight.key;
    if (key != null && !key.dropped && --key.inFlight == 0) {
      failures.resolve(key);
    }
  }

  private void attempted(InFlight flight, SendResult result) {
    context.listener().attempted(flight.row, flight.route, result);
    if (result instanceof Unavailable unavailable && !isBehindAFailedOne(flight)) {
      circuits.unavailable(flight.destination, unavailable.reason());
    } else {
      circuits.answered(flight.destination);
    }
    if (result instanceof Acknowledged) {
      health.acknowledged(flight.share, nowNanos);
      context.listener().sent(flight.row, flight.route, flight.age(now));
    } else if (!flight.withoutTransport) {
      health.failed(flight.share, nowNanos);
    }
  }

  /** True if it may be for that one's sake: it says nothing of the destination then. */
  private static boolean isBehindAFailedOne(InFlight flight) {
    KeyState key = flight.key;
    return key != null
        && key.failures.stream()
            .filter(earlier -> !(earlier.result() instanceof Unavailable))
            .map(Failure::flight)
            .anyMatch(earlier -> isAhead(earlier, flight));
  }

  private static boolean isAhead(InFlight earlier, InFlight flight) {
    return earlier.destination.equals(flight.destination)
        && earlier.row.position().sequence() < flight.row.position().sequence();
  }

  private void acknowledged(InFlight flight) {
    StoredMessage row = flight.row;
    flight.unsettled = flight.source == InFlight.Source.PARKED;
    if (flight.disowned) {
      acknowledgedBefore(flight);
    } else if (!flight.unsettled) {
      acknowledged.add(row.position());
    } else if (flight.key == null) {
      acknowledgedParked(row.position());
    } else if (flight.key.dropped) {
      inFlight.remove(row.position());
    } else {
      flight.key.acknowledged.add(flight);
    }
  }

  /** Who takes one off the parked list must own its key, and that is not known yet. */
  private void acknowledgedBefore(InFlight flight) {
    if (flight.unsettled) {
      inFlight.remove(flight.row.position());
    } else {
      deletes.addExact(new SentMessage(flight.row.position(), flight.row.id()));
    }
  }

  private void acknowledgedParked(Position position) {
    PartitionState partition = partitions.get(position.partition());
    if (partition == null) {
      inFlight.remove(position);
    } else {
      parkedKeyless.computeIfAbsent(partition.lease, l -> new ArrayList<>()).add(position);
    }
  }

  private void settleKeyless(Lease lease, List<Position> rows) {
    ParkedOutcome settlement = new ParkedOutcome(lease, 0, rows, List.of());
    writes.settle(settlement, settlement.acknowledged(), more -> {});
  }

  private void failed(InFlight flight, SendResult result) {
    Failure failure = new Failure(flight, result);
    if (flight.key == null) {
      failures.resolveKeyless(failure);
    } else if (flight.key.dropped) {
      inFlight.remove(flight.row.position());
    } else {
      flight.key.failures.add(failure);
    }
  }
}
