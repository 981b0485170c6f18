package io.angarium.alert.signal;

import io.angarium.Destination;
import io.angarium.board.BoardView;
import io.angarium.confirmation.ConfirmationDesk.Unconfirmed;
import io.angarium.desk.DestinationPause;
import io.angarium.desk.Overview;
import io.angarium.desk.RelayView;
import io.angarium.half.decide.HalfBacklog;
import io.angarium.reconciliation.StoredReport;
import io.angarium.relay.settings.CircuitState;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What rules look at: read once for all of them. Immutable.
 *
 * @param overview the outbox in numbers
 * @param relay nodes and partitions
 * @param half half messages that are open for too long; null if there are none in this database
 * @param board what the relay nodes tell of themselves; null if they tell nothing
 * @param circuits circuits of the relay of this process; empty without one
 * @param faults why work of this process is not done, each in a sentence
 * @param node the name of this process
 * @param clock what the clock of this process said when the database was asked for its own
 * @param unconfirmed messages that wait for the receipt of their consumer, by destination
 * @param openReports reports of reconciliations that differ and about which nothing was done,
 *     latest first
 * @param pauses of destinations, in force
 * @param oldestUnpaused when the oldest message was committed that waits and that no pause holds
 *     back; null if there is none
 */
public record Signals(
    Overview overview,
    RelayView relay,
    @Nullable HalfBacklog half,
    @Nullable BoardView board,
    Map<Destination, CircuitState> circuits,
    List<String> faults,
    String node,
    Instant clock,
    List<Unconfirmed> unconfirmed,
    List<StoredReport> openReports,
    List<DestinationPause> pauses,
    @Nullable Instant oldestUnpaused) {
  /** Copies the collections. */
  public Signals {
    circuits = Map.copyOf(circuits);
    faults = List.copyOf(faults);
    unconfirmed = List.copyOf(unconfirmed);
    openReports = List.copyOf(openReports);
    pauses = List.copyOf(pauses);
  }

  /** Signals without confirmations, reconciliations and pauses. */
  public Signals(
      Overview overview,
      RelayView relay,
      @Nullable HalfBacklog half,
      @Nullable BoardView board,
      Map<Destination, CircuitState> circuits,
      List<String> faults,
      String node,
      Instant clock) {
    this(
        overview,
        relay,
        half,
        board,
        circuits,
        faults,
        node,
        clock,
        List.of(),
        List.of(),
        List.of(),
        overview.oldestWaiting());
  }

  /** A copy with messages that wait for receipts, and reports that are open. */
  public Signals ofConsumers(List<Unconfirmed> unconfirmed, List<StoredReport> openReports) {
    return new Signals(
        overview,
        relay,
        half,
        board,
        circuits,
        faults,
        node,
        clock,
        unconfirmed,
        openReports,
        pauses,
        oldestUnpaused);
  }

  /** A copy with pauses, and the oldest message that waits for another reason. */
  public Signals ofPauses(List<DestinationPause> pauses, @Nullable Instant oldestUnpaused) {
    return new Signals(
        overview,
        relay,
        half,
        board,
        circuits,
        faults,
        node,
        clock,
        unconfirmed,
        openReports,
        pauses,
        oldestUnpaused);
  }

  /** The database's clock. */
  public Instant now() {
    return overview.now();
  }
}
