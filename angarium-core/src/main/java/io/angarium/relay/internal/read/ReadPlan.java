package io.angarium.relay.internal.read;

import io.angarium.relay.internal.partition.PartitionState;
import io.angarium.store.ReadLimit;
import io.angarium.store.SequenceRange;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What one poll for new rows asks for. Immutable.
 *
 * @param partitions the partitions of the spans, in the same order
 * @param rows that were asked for in all
 * @param toTheEnd false if a span ends before the last row that may be there
 */
record ReadPlan(
    List<PartitionState> partitions,
    List<SequenceRange> spans,
    ReadLimit limit,
    int rows,
    boolean toTheEnd) {

  /** The most rows that it can bring. */
  long rowsMax() {
    return Math.min((long) limit.rows() * spans.size(), SequenceRange.reach(spans));
  }

  /** The same with other spans of the same partitions. */
  ReadPlan spans(List<SequenceRange> others) {
    return new ReadPlan(partitions, others, limit, rows, toTheEnd);
  }

  /** The partitions that it reads from below their cursor: late rows come with the new ones. */
  Set<Integer> fromFloor() {
    Set<Integer> below = new HashSet<>();
    for (int i = 0; i < spans.size(); i++) {
      if (spans.get(i).after() < partitions.get(i).cursor()) {
        below.add(partitions.get(i).partition);
      }
    }
    return below;
  }
}
