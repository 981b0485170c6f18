package io.angarium.relay;

import io.angarium.MessageId;
import io.angarium.Partitioning;
import io.angarium.store.Position;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Everything in flight on this node, by sequence: the guard against sending a row twice, and the
 * window. Not thread-safe: one thread at a time.
 */
final class Flights {
  private final SequenceTable<Flight> bySequence = new SequenceTable<>();
  private final RelayConfig.Window window;
  private final Shares shares;
  private final int keyless;
  private final int[] perPartition;
  private final long[] bytesPerPartition;
  private long bytes;
  private int disowned;

  Flights(RelayConfig.Window window, Partitioning partitioning, Shares shares) {
    this.window = window;
    this.shares = shares;
    this.keyless = partitioning.keyless();
    this.perPartition = new int[partitioning.keyed() + partitioning.keyless()];
    this.bytesPerPartition = new long[perPartition.length];
  }

  boolean contains(Position position) {
    return bySequence.get(position.sequence()) != null;
  }

  @Nullable Flight get(Position position) {
    return bySequence.get(position.sequence());
  }

  /** Which message was read at the position of one in flight. */
  MessageId id(Position position) {
    return Objects.requireNonNull(get(position), "in flight").row.id();
  }

  void add(Flight flight) {
    Position position = flight.row.position();
    if (bySequence.put(position.sequence(), flight) == null) {
      bytes += flight.bytes();
      perPartition[position.partition() + keyless]++;
      bytesPerPartition[position.partition() + keyless] += flight.bytes();
      Share share = shares.of(flight.destination);
      flight.share = share;
      if (share != null) {
        share.add(flight.bytes());
      }
    }
  }

  @Nullable Flight remove(Position position) {
    Flight flight = bySequence.remove(position.sequence());
    if (flight != null) {
      disowned -= flight.disowned ? 1 : 0;
      bytes -= flight.bytes();
      perPartition[position.partition() + keyless]--;
      bytesPerPartition[position.partition() + keyless] -= flight.bytes();
      Share share = flight.share;
      if (share != null) {
        share.remove(flight.bytes());
      }
    }
    return flight;
  }

  /** Makes the rows of what is in flight now be deleted by position and message. */
  void disown() {
    bySequence.values().forEach(flight -> flight.disowned = true);
    disowned = size();
  }

  /** How many are in flight that were read in an earlier era. */
  int disowned() {
    return disowned;
  }

  int size() {
    return bySequence.size();
  }

  int of(int partition) {
    return perPartition[partition + keyless];
  }

  /** Bytes in flight of a partition. */
  long bytesOf(int partition) {
    return bytesPerPartition[partition + keyless];
  }

  /** Bytes that still fit into the window; negative if a row was larger than what was free. */
  long freeBytes() {
    return window.bytesMax() - bytes;
  }

  /** Messages that still fit into the window if each has {@code bytesEach}. */
  int free(long bytesEach) {
    long byBytes = (window.bytesMax() - bytes) / Math.max(1, bytesEach);
    return (int) Math.max(0, Math.min(byBytes, window.recordsMax() - bySequence.size()));
  }
}
