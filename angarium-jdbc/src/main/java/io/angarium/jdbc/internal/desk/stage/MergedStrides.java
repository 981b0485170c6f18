package io.angarium.jdbc.internal.desk.stage;

import io.angarium.desk.MessageQuery.Order;
import io.angarium.desk.MessageRow;
import io.angarium.jdbc.internal.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Strides of a stage whose key begins with the partition: reads some rows of each partition and
 * merges them by sequence. It reads up to twice as many rows as it returns, and a few more for each
 * partition.
 */
final class MergedStrides implements Strides {
  /** The rows of one partition that were read and not returned yet. */
  private static final class Lane {
    final int partition;
    final Queue<MessageRow> rows = new ArrayDeque<>();
    long lastRead;
    boolean ended;

    Lane(int partition, long lastRead) {
      this.partition = partition;
      this.lastRead = lastRead;
    }
  }

  /** A statement for the next rows of each partition. */
  @FunctionalInterface
  interface Next {
    Sql rows(List<Place> lanes, int limit);
  }

  private final StageRows rows;
  private final Comparator<Place> comparator;
  private final Next next;
  private final Map<Integer, Lane> lanes = new TreeMap<>();

  MergedStrides(
      StageRows rows,
      Order order,
      Comparator<Place> comparator,
      List<Integer> partitions,
      @Nullable Place after,
      Next next) {
    this.rows = rows;
    this.comparator = comparator;
    this.next = next;
    for (int partition : partitions) {
      lanes.put(partition, new Lane(partition, begin(order, partition, after)));
    }
  }

  /** The sequence of a row is exclusive, unless the partition comes after its own in the order. */
  private static long begin(Order order, int partition, @Nullable Place after) {
    Place place = after == null ? Place.before(order) : after;
    if (order == Order.OLDEST) {
      return partition > place.partition() ? place.sequence() - 1 : place.sequence();
    }
    return partition < place.partition() ? place.sequence() + 1 : place.sequence();
  }

  @Override
  public List<MessageRow> next(Connection connection, int max) throws SQLException {
    List<MessageRow> merged = new ArrayList<>();
    while (merged.size() < max) {
      fill(connection, max);
      Lane first = first();
      if (first == null) {
        break;
      }
      merged.add(Objects.requireNonNull(first.rows.poll()));
    }
    return merged;
  }

  private @Nullable Lane first() {
    Lane first = null;
    for (Lane lane : lanes.values()) {
      if (!lane.rows.isEmpty() && (first == null || comparator.compare(at(lane), at(first)) < 0)) {
        first = lane;
      }
    }
    return first;
  }

  private static Place at(Lane lane) {
    return Place.of(Objects.requireNonNull(lane.rows.peek()));
  }

  /** Reads partitions on that have few rows left, together with one that has none. */
  private void fill(Connection connection, int max) throws SQLException {
    if (lanes.values().stream().noneMatch(lane -> lane.rows.isEmpty() && !lane.ended)) {
      return;
    }
    int chunk = lanes.size() == 1 ? max : Math.min(max, 2 * (max / lanes.size()) + 4);
    List<Lane> low =
        lanes.values().stream()
            .filter(lane -> !lane.ended && lane.rows.size() <= chunk / 2)
            .toList();
    List<Place> from =
        low.stream().map(lane -> new Place(Place.EARLIEST, lane.lastRead, lane.partition)).toList();
    Map<Integer, Integer> read = new TreeMap<>();
    List<MessageRow> found = new ArrayList<>(rows.read(connection, next.rows(from, chunk)));
    found.sort(Comparator.comparing(Place::of, comparator)); // a union promises no order
    for (MessageRow row : found) {
      Lane lane = Objects.requireNonNull(lanes.get(row.position().partition()));
      lane.rows.add(row);
      lane.lastRead = row.position().sequence();
      read.merge(lane.partition, 1, Integer::sum);
    }
    low.forEach(lane -> lane.ended = read.getOrDefault(lane.partition, 0) < chunk);
  }
}
