package io.angarium.jdbc.internal.desk.stage;

import io.angarium.desk.MessageRow;
import java.sql.Connection;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/** Strides of rows that are read already. */
final class GivenStrides implements Strides {
  private final Queue<MessageRow> rows = new ArrayDeque<>();

  /** Takes the rows behind a place; all of them if it is null. */
  GivenStrides(Collection<MessageRow> given, Comparator<Place> comparator, @Nullable Place after) {
    given.stream()
        .filter(row -> after == null || comparator.compare(Place.of(row), after) > 0)
        .sorted(Comparator.comparing(Place::of, comparator))
        .forEach(rows::add);
  }

  @Override
  public List<MessageRow> next(Connection connection, int max) {
    List<MessageRow> next = new ArrayList<>();
    while (next.size() < max && !rows.isEmpty()) {
      next.add(rows.remove());
    }
    return next;
  }
}
