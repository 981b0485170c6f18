package io.angarium.relay.internal.read;

import io.angarium.store.ReadRows;
import io.angarium.store.SequenceRange;

/** What a look found. Immutable. */
record ReadResult(ReadPlan look, ReadRows read) {
  /** True if there may be more than it brought. */
  boolean more() {
    return !read.more().isEmpty() || !look.toTheEnd();
  }

  /** True if it brought all rows of a span. */
  boolean exhausted(SequenceRange span) {
    return !read.more().contains(span.partition());
  }
}
