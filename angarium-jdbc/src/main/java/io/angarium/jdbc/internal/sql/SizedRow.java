package io.angarium.jdbc.internal.sql;

import io.angarium.intake.Position;
import io.angarium.store.SequenceRange;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A row whose payload size is known. Immutable.
 *
 * @param index the place in which it came
 */
public record SizedRow(Position position, int bytes, int index) {
  /** The rows of each span, in the order of the spans. */
  public static List<List<SizedRow>> bySpan(List<SizedRow> rows, List<SequenceRange> spans) {
    Map<Integer, List<SizedRow>> byPartition = new HashMap<>();
    for (SizedRow row : rows) {
      byPartition.computeIfAbsent(row.position.partition(), p -> new ArrayList<>()).add(row);
    }
    return spans.stream().map(s -> byPartition.getOrDefault(s.partition(), List.of())).toList();
  }

  /**
   * The first rows of each group that fit together: one of each group in turn, so that none starves
   * behind another. At least one row, if there is any.
   */
  public static Set<SizedRow> keep(List<List<SizedRow>> groups, long bytesMax) {
    Set<SizedRow> kept = new HashSet<>();
    List<Iterator<SizedRow>> open = new ArrayList<>();
    groups.forEach(group -> open.add(group.iterator()));
    long left = bytesMax;
    while (!open.isEmpty()) {
      for (Iterator<Iterator<SizedRow>> turn = open.iterator(); turn.hasNext(); ) {
        Iterator<SizedRow> group = turn.next();
        SizedRow row = group.hasNext() ? group.next() : null;
        if (row == null || (row.bytes > left && !kept.isEmpty())) {
          turn.remove();
        } else {
          kept.add(row);
          left -= row.bytes;
        }
      }
    }
    return kept;
  }

  /** The first sequence of each partition that was not kept. */
  public static Map<Integer, Long> firstWithout(List<SizedRow> ascending, Set<SizedRow> kept) {
    Map<Integer, Long> first = new HashMap<>();
    for (SizedRow row : ascending) {
      if (!kept.contains(row)) {
        first.putIfAbsent(row.position.partition(), row.position.sequence());
      }
    }
    return first;
  }
}
