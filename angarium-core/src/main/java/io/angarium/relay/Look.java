package io.angarium.relay;

import io.angarium.store.ReadLimit;
import io.angarium.store.Span;
import java.util.List;

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
}
