package io.angarium.relay;

import io.angarium.store.ReadLimit;
import io.angarium.store.Span;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What one look for new rows asks for. Immutable.
 *
 * @param partitions those of the spans, in their order
 * @param rows that were asked for in all
 * @param toTheEnd false if a span ends before the last row that may be there
 */
record Look(
    List<PartitionState> partitions,
    List<Span> spans,
    ReadLimit limit,
    int rows,
    boolean toTheEnd) {

  /** The most rows that it can bring. */
  long rowsMax() {
    return Math.min((long) limit.rows() * spans.size(), Span.reach(spans));
  }

  /** The same with other spans of the same partitions. */
  Look spans(List<Span> others) {
    return new Look(partitions, others, limit, rows, toTheEnd);
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
