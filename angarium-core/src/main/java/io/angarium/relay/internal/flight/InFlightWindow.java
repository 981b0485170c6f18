package io.angarium.relay.internal.flight;

import io.angarium.Destination;
import io.angarium.MessageId;
import io.angarium.intake.Partitioning;
import io.angarium.intake.Position;
import io.angarium.intake.StoredMessage;
import io.angarium.relay.settings.RelayConfig;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Everything in flight on this node, by sequence: the guard against sending a row twice, and the
 * window. Not thread-safe: one thread at a time.
 */
public final class InFlightWindow {
  private final SequenceTable<InFlight> bySequence = new SequenceTable<>();
  private final RelayConfig.Window window;
  private final TransportQuotas quotas;
  private final int keyless;
  private final int[] perPartition;
  private final long[] bytesPerPartition;
  private final Map<Position, MessageId> unsettled = new HashMap<>();
  private long bytes;
  private int disowned;

  public InFlightWindow(
      RelayConfig.Window window, Partitioning partitioning, TransportQuotas quotas) {
    this.window = window;
    this.quotas = quotas;
    this.keyless = partitioning.keyless();
    this.perPartition = new int[partitioning.keyed() + partitioning.keyless()];
    this.bytesPerPartition = new long[perPartition.length];
  }

  public boolean contains(Position position) {
    return bySequence.get(position.sequence()) != null;
  }

  public @Nullable InFlight get(Position position) {
    return bySequence.get(position.sequence());
  }

  /** Which message was read at the position of one in flight. */
  public MessageId id(Position position) {
    return Objects.requireNonNull(get(position), "in flight").row.id();
  }

  public void add(InFlight flight) {
    Position position = flight.row.position();
    if (bySequence.put(position.sequence(), flight) == null) {
      bytes += flight.bytes();
      perPartition[position.partition() + keyless]++;
      bytesPerPartition[position.partition() + keyless] += flight.bytes();
      TransportQuota share = quotas.of(flight.destination);
      flight.share = share;
      if (share != null) {
        share.add(flight.bytes());
      }
    }
  }

  public @Nullable InFlight remove(Position position) {
    InFlight flight = bySequence.remove(position.sequence());
    if (flight != null) {
      if (flight.disowned) {
        removeDisowned(flight);
      }
      bytes -= flight.bytes();
      perPartition[position.partition() + keyless]--;
      bytesPerPartition[position.partition() + keyless] -= flight.bytes();
      TransportQuota share = flight.share;
      if (share != null) {
        share.remove(flight.bytes());
      }
    }
    return flight;
  }

  /**
   * The parked list may hold it in this era too, and a node that takes it off must own its key. So
   * it is kept in mind until this node reads it again. There are never more than the window has
   * room for.
   */
  private void removeDisowned(InFlight flight) {
    disowned--;
    if (flight.unsettled && unsettled.size() < window.recordsMax()) {
      unsettled.put(flight.row.position(), flight.row.id());
    }
  }

  /**
   * Tells whether the broker acknowledged a parked message in an earlier era, whose end kept the
   * message on the list. It tells so once.
   */
  public boolean takeUnsettled(StoredMessage row) {
    return !unsettled.isEmpty() && unsettled.remove(row.position(), row.id());
  }

  /** Makes the rows of what is in flight now be deleted by position and message. */
  public void disown() {
    bySequence.values().forEach(flight -> flight.disowned = true);
    disowned = size();
  }

  /** How many are in flight that were read in an earlier era. */
  public int disowned() {
    return disowned;
  }

  /** True if nothing is in flight to such a destination. */
  public boolean holdsNone(Predicate<Destination> destinations) {
    for (InFlight flight : bySequence.values()) {
      if (destinations.test(flight.destination)) {
        return false;
      }
    }
    return true;
  }

  public int size() {
    return bySequence.size();
  }

  public int of(int partition) {
    return perPartition[partition + keyless];
  }

  /** Bytes in flight of a partition. */
  public long bytesOf(int partition) {
    return bytesPerPartition[partition + keyless];
  }

  /** Bytes that still fit into the window; negative if a row was larger than what was free. */
  public long freeBytes() {
    return window.bytesMax() - bytes;
  }

  /** Messages that still fit into the window if each has {@code bytesEach}. */
  public int free(long bytesEach) {
    long byBytes = (window.bytesMax() - bytes) / Math.max(1, bytesEach);
    return (int) Math.max(0, Math.min(byBytes, window.recordsMax() - bySequence.size()));
  }
}
