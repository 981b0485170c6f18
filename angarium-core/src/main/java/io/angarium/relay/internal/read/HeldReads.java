package io.angarium.relay.internal.read;

import io.angarium.Destination;
import io.angarium.intake.Position;
import io.angarium.intake.StoredMessage;
import io.angarium.relay.internal.partition.Held;
import io.angarium.relay.internal.partition.OwnedPartitions;
import io.angarium.relay.internal.partition.PartitionState;
import io.angarium.relay.internal.send.Circuits;
import io.angarium.relay.internal.settings.RelayContext;
import io.angarium.store.ReadLimit;
import io.angarium.store.ReadRows;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * Reads again what was held for destinations that may be tried. As many rows as there are permits
 * are read by their positions; only if fewer are known is the partition read again from the first
 * one. So a probe costs one row, however much else waits. Not thread-safe: one thread at a time.
 */
final class HeldReads {
  /** Most rows of a round. */
  static final int READ_MAX = 500;

  private final RelayContext context;
  private final OwnedPartitions partitions;
  private final Circuits circuits;
  private final ReadBudget room;
  private final BiConsumer<StoredMessage, PartitionState> offer;
  private final Runnable onRewound;
  private final Set<Destination> resumed = new LinkedHashSet<>();

  /**
   * @param offer takes a row that is held no longer
   * @param onRewound called when a partition is to be read again from a row on
   */
  HeldReads(
      RelayContext context,
      OwnedPartitions partitions,
      Circuits circuits,
      ReadBudget room,
      BiConsumer<StoredMessage, PartitionState> offer,
      Runnable onRewound) {
    this.context = context;
    this.partitions = partitions;
    this.circuits = circuits;
    this.room = room;
    this.offer = offer;
    this.onRewound = onRewound;
  }

  /** What is held for a destination is to be read again, as far as there are permits. */
  void resume(Destination destination) {
    resumed.add(destination);
  }

  /** True if what is held for a destination waits for {@link #run}. */
  boolean resumes(Destination destination) {
    return resumed.contains(destination);
  }

  /** True if some destinations wait for {@link #run}. */
  boolean pending() {
    return !resumed.isEmpty();
  }

  /** Reads the next part, if the window has room. Blocks. */
  void run() {
    int free = resumed.isEmpty() ? 0 : Math.min(READ_MAX, room.rows());
    if (free == 0) {
      return;
    }
    Map<Position, Destination> wanted = wanted(free);
    if (wanted.isEmpty()) {
      return;
    }
    ReadRows read = read(wanted);
    if (read.more().isEmpty()) { // what was not found is gone
      wanted.forEach(this::release);
    } else {
      resumed.addAll(wanted.values());
    }
    for (StoredMessage row : read.rows()) {
      release(row.position(), row.message().destination());
      PartitionState partition = partitions.get(row.position().partition());
      if (partition != null) {
        offer.accept(row, partition);
      }
    }
  }

  private ReadRows read(Map<Position, Destination> wanted) {
    ReadLimit limit = new ReadLimit(wanted.size() + 1, room.bytes());
    try {
      return context.store().readAt(wanted.keySet(), limit);
    } catch (RuntimeException e) {
      resumed.addAll(wanted.values()); // else nobody would release them
      throw e;
    }
  }

  private void release(Position position, Destination destination) {
    PartitionState partition = partitions.get(position.partition());
    if (partition != null) {
      partition.release(destination, position.sequence());
    }
  }

  /** The rows to read; they stay held until they were read. */
  private Map<Position, Destination> wanted(int max) {
    Map<Position, Destination> wanted = new LinkedHashMap<>();
    Iterator<Destination> next = resumed.iterator();
    while (wanted.size() < max && next.hasNext()) {
      if (addTo(wanted, next.next(), max)) {
        next.remove();
      }
    }
    return wanted;
  }

  /** True if nothing of the destination is left that could be read now. */
  private boolean addTo(Map<Position, Destination> wanted, Destination destination, int max) {
    int permits = circuits.permits(destination);
    int left = Math.min(permits, max - wanted.size());
    permits -= left;
    for (PartitionState partition : partitions.owned()) {
      Held held = partition.held(destination);
      if (held == null) {
        continue;
      }
      if (left == 0) {
        break;
      }
      if (!held.knows(left) || mustBeReadAnyhow(partition, held)) {
        partition.resume(destination);
        onRewound.run();
        continue;
      }
      for (long sequence : held.first(left)) {
        wanted.put(new Position(partition.partition, sequence), destination);
        left--;
      }
    }
    return left > 0 || permits == 0;
  }

  /**
   * True if what is read again from the cursor on must come first: it may hold an earlier message
   * of a key. A partition that is given back is read by another node.
   */
  private boolean mustBeReadAnyhow(PartitionState partition, Held held) {
    return partitions.active(partition.partition) == null || partition.cursor() < held.last();
  }
}
