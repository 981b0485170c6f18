package io.angarium.jdbc;

import io.angarium.store.Position;
import io.angarium.store.Span;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Spans of several partitions that one scan in the order of the ids reads together: with few rows
 * between them that nobody asked for, as an id belongs to one row only. Immutable.
 *
 * @param spans by partition
 * @param after the lowest of their lower ends
 * @param upTo the highest of their upper ends
 */
record Stretch(List<Span> spans, long after, long upTo) {
  /** The ends of spans that are read together are no further apart than this. */
  static final long SLACK = 10_000;

  /** All spans in as few stretches as it takes. */
  static List<Stretch> of(List<Span> spans) {
    List<Span> sorted = new ArrayList<>(spans);
    sorted.sort(
        Comparator.comparingLong((Span span) -> span.after()).thenComparingLong(Span::upTo));
    List<Stretch> stretches = new ArrayList<>();
    int from = 0;
    for (int i = 1; i <= sorted.size(); i++) {
      if (i == sorted.size() || !together(sorted.get(from), sorted.get(i))) {
        stretches.add(around(sorted.subList(from, i)));
        from = i;
      }
    }
    return stretches;
  }

  private static boolean together(Span first, Span other) {
    return other.after() - first.after() <= SLACK && Math.abs(other.upTo() - first.upTo()) <= SLACK;
  }

  /** All of the spans in one. */
  static Stretch around(List<Span> spans) {
    List<Span> byPartition = new ArrayList<>(spans);
    byPartition.sort(Comparator.comparingInt(Span::partition));
    long after = Long.MAX_VALUE;
    long upTo = 0;
    for (Span span : spans) {
      after = Math.min(after, span.after());
      upTo = Math.max(upTo, span.upTo());
    }
    return new Stretch(List.copyOf(byPartition), after, upTo);
  }

  /** The same from an id on. */
  Stretch from(long id) {
    return new Stretch(spans, Math.max(after, id - 1), upTo);
  }

  List<Integer> partitions() {
    return spans.stream().map(Span::partition).toList();
  }

  /** The rows that were asked for, of those between the ends. */
  Predicate<Position> asked() {
    Map<Integer, Span> byPartition = new HashMap<>();
    spans.forEach(span -> byPartition.put(span.partition(), span));
    return position -> {
      Span span = byPartition.get(position.partition());
      return span != null
          && position.sequence() > span.after()
          && position.sequence() <= span.upTo();
    };
  }
}
