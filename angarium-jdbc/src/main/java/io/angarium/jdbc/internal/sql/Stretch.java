package io.angarium.jdbc.internal.sql;

import io.angarium.intake.Position;
import io.angarium.store.SequenceRange;
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
public record Stretch(List<SequenceRange> spans, long after, long upTo) {
  /** The ends of spans that are read together are no further apart than this. */
  static final long SLACK = 10_000;

  /** All spans in as few stretches as it takes. */
  public static List<Stretch> of(List<SequenceRange> spans) {
    List<SequenceRange> sorted = new ArrayList<>(spans);
    sorted.sort(
        Comparator.comparingLong((SequenceRange span) -> span.after())
            .thenComparingLong(SequenceRange::upTo));
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

  private static boolean together(SequenceRange first, SequenceRange other) {
    return other.after() - first.after() <= SLACK && Math.abs(other.upTo() - first.upTo()) <= SLACK;
  }

  /** All of the spans in one. */
  public static Stretch around(List<SequenceRange> spans) {
    List<SequenceRange> byPartition = new ArrayList<>(spans);
    byPartition.sort(Comparator.comparingInt(SequenceRange::partition));
    long after = Long.MAX_VALUE;
    long upTo = 0;
    for (SequenceRange span : spans) {
      after = Math.min(after, span.after());
      upTo = Math.max(upTo, span.upTo());
    }
    return new Stretch(List.copyOf(byPartition), after, upTo);
  }

  /** The same from an id on. */
  public Stretch from(long id) {
    return new Stretch(spans, Math.max(after, id - 1), upTo);
  }

  public List<Integer> partitions() {
    return spans.stream().map(SequenceRange::partition).toList();
  }

  /** The rows that were asked for, of those between the ends. */
  public Predicate<Position> asked() {
    Map<Integer, SequenceRange> byPartition = new HashMap<>();
    spans.forEach(span -> byPartition.put(span.partition(), span));
    return position -> {
      SequenceRange span = byPartition.get(position.partition());
      return span != null
          && position.sequence() > span.after()
          && position.sequence() <= span.upTo();
    };
  }
}
