package io.angarium.relay.internal.read;

import io.angarium.relay.internal.partition.PartitionState;
import io.angarium.store.ReadLimit;
import io.angarium.store.ReadRows;
import io.angarium.store.SequenceRange;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * Plans looks for new rows. While more waits than a look can bring, the partitions go on together,
 * up to the same sequence each time, so that rows are read and deleted in about the order in which
 * they lie in the table. Not thread-safe: one thread at a time.
 */
final class BacklogPlanner {
  private static final long LENGTH_MAX = 1L << 40;

  /** With fewer rows than this part of what was asked for, the next stride is longer. */
  private static final int SPARSE = 4;

  private final int readMax;
  private final ToLongFunction<PartitionState> end;

  /** Sequences of a look for as many rows as a read may have; 0 if one look brings all. */
  private long length;

  /**
   * @param readMax the most rows of a look
   * @param end how far a partition may be read
   */
  BacklogPlanner(int readMax, ToLongFunction<PartitionState> end) {
    this.readMax = readMax;
    this.end = end;
  }

  /**
   * The next look at some partitions.
   *
   * @param partitions not empty
   * @param last the last sequence known
   */
  ReadPlan plan(List<PartitionState> partitions, long last, int rows, long bytes) {
    long bound = bound(partitions, last, rows);
    List<SequenceRange> spans = new ArrayList<>(partitions.size());
    for (PartitionState partition : partitions) {
      long whole = end.applyAsLong(partition);
      // one that is ahead of the others is read by itself: its new rows must not wait for them
      long upTo = partition.cursor() < bound ? Math.min(whole, bound) : whole;
      spans.add(new SequenceRange(partition.partition, partition.cursor(), upTo));
    }
    int each = SequenceRange.reach(spans) <= rows ? rows : Math.max(1, rows / spans.size());
    ReadLimit limit = new ReadLimit(each, bytes);
    return new ReadPlan(partitions, spans, limit, rows, bound == Long.MAX_VALUE);
  }

  private long bound(List<PartitionState> partitions, long last, int rows) {
    if (length == 0) {
      return Long.MAX_VALUE;
    }
    long bound = lowest(partitions) + Math.max(1, length * rows / readMax);
    return bound < last ? bound : Long.MAX_VALUE;
  }

  /** Where the partitions are, the keyless ones, which are looked at less often, left out. */
  private static long lowest(List<PartitionState> partitions) {
    long keyed = Long.MAX_VALUE;
    long keyless = Long.MAX_VALUE;
    for (PartitionState partition : partitions) {
      if (partition.keyed()) {
        keyed = Math.min(keyed, partition.cursor());
      } else {
        keyless = Math.min(keyless, partition.cursor());
      }
    }
    return keyed == Long.MAX_VALUE ? keyless : keyed;
  }

  /** Fits the length of the next stride to what a look brought. */
  void looked(ReadResult found) {
    ReadRows read = found.read();
    if (!read.more().isEmpty()) {
      length = Math.max(readMax, length / 2);
    } else if (found.look().toTheEnd()) {
      length = 0;
    } else if (read.rows().isEmpty() || read.rows().size() < found.look().rows() / SPARSE) {
      length = Math.min(LENGTH_MAX, length * 2);
    }
  }

  /** Begins anew. */
  void forget() {
    length = 0;
  }
}
