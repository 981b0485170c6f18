package io.angarium.relay;

import io.angarium.store.ReadRows;
import io.angarium.store.Span;

/** What a look found. Immutable. */
record Found(Look look, ReadRows read) {
  /** True if there may be more than it brought. */
  boolean more() {
    return !read.more().isEmpty() || !look.toTheEnd();
  }

  /** True if it brought all rows of a span. */
  boolean exhausted(Span span) {
    return !read.more().contains(span.partition());
  }
}
