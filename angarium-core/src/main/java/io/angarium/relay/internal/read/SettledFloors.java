package io.angarium.relay.internal.read;

import io.angarium.relay.internal.partition.OwnedPartitions;
import io.angarium.relay.internal.partition.PartitionState;
import io.angarium.store.OutboxStore;
import io.angarium.store.SequenceMark;
import io.angarium.store.SequenceRange;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Raises the floors of the partitions, below which no row can appear any more: to a mark, once
 * every transaction that might write below it has ended. Not thread-safe: one thread at a time.
 */
final class SettledFloors {
  /**
   * So many rows read since the last decision make the next one urgent: late reads cost by them.
   */
  private static final int EAGER_ROWS = 2_000;

  private final OutboxStore store;
  private final OwnedPartitions partitions;
  private final ToLongFunction<PartitionState> end;
  private @Nullable SequenceMark mark;
  private int undecidedRows;

  /**
   * @param end how far a partition may be read
   */
  SettledFloors(OutboxStore store, OwnedPartitions partitions, ToLongFunction<PartitionState> end) {
    this.store = store;
    this.partitions = partitions;
    this.end = end;
  }

  void forget() {
    mark = null;
    undecidedRows = 0;
  }

  /** Notes rows that were read. */
  void read(int rows) {
    undecidedRows += rows;
  }

  boolean urgent() {
    return undecidedRows >= EAGER_ROWS;
  }

  /**
   * Takes a mark for partitions that were not looked at yet, so that their floors may begin there:
   * looks for late rows would pass over all that was ever deleted and is still in the index.
   * Blocks.
   *
   * @return true if there are such partitions, and every row up to the mark was decided before this
   *     call ended
   */
  boolean begin() {
    List<PartitionState> fresh = new ArrayList<>();
    for (PartitionState partition : partitions.active()) {
      if (partition.isNew()) {
        fresh.add(partition);
      }
    }
    if (fresh.isEmpty()) {
      return false;
    }
    SequenceMark taken = store.mark();
    boolean settled = store.settled(taken);
    mark = taken;
    fresh.forEach(PartitionState::begin);
    return settled;
  }

  /** True if every row up to the mark was decided before this call ended. Blocks. */
  boolean advanceMark(long lastSequence) {
    if (mark == null && partitions.active().stream().anyMatch(p -> undecided(p, lastSequence))) {
      mark = store.mark();
    }
    return mark != null && store.settled(mark); // often at once, where nobody writes
  }

  private boolean undecided(PartitionState partition, long lastSequence) {
    return partition.floor() < Math.min(end.applyAsLong(partition), lastSequence);
  }

  /** Raises the floors to the mark: both reads began after everything up to it was decided. */
  void decide(ReadResult found) {
    SequenceMark settled = mark;
    if (settled == null) {
      return;
    }
    List<SequenceRange> spans = found.look().spans();
    for (int i = 0; i < spans.size(); i++) {
      PartitionState partition = found.look().partitions().get(i);
      long sequence = decided(partition, settled);
      boolean exhausted = found.exhausted(spans.get(i)) && spans.get(i).upTo() >= sequence;
      partition.decide(sequence, exhausted);
    }
    for (PartitionState partition : partitions.active()) {
      partition.decide(decided(partition, settled), false);
    }
    forget();
  }

  private long decided(PartitionState partition, SequenceMark settled) {
    return Math.min(settled.lastSequence(), end.applyAsLong(partition));
  }
}
