package io.angarium.jdbc.internal.desk;

import io.angarium.desk.BoundedCount;
import io.angarium.desk.NodeView;
import io.angarium.desk.PartitionView;
import io.angarium.desk.RelayView;
import io.angarium.jdbc.internal.dialect.Dialect;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads nodes, partitions and who relays them. Thread-safe. */
final class RelayReader {
  /** A column that is not there yet, or may not be read. */
  private static final Set<String> NO_COLUMN = Set.of("42703", "42S22", "42501");

  private static final int COLUMN_DENIED = 1143;

  private static final Comparator<NodeView> ORDER =
      Comparator.comparing((NodeView node) -> node.leaseLeft().isNegative())
          .thenComparing(NodeView::node)
          .thenComparing(NodeView::incarnation);

  private final Dialect server;
  private final ViewDialect dialect;

  RelayReader(Dialect server) {
    this.server = server;
    this.dialect = new ViewDialect(server);
  }

  private record Node(
      String name, UUID incarnation, Instant expiresAt, boolean takingPart, Instant now) {}

  private record Owned(int partition, @Nullable String node, @Nullable UUID by, long epoch) {}

  private record Depth(@Nullable Instant oldest, long count) {
    static final Depth NONE = new Depth(null, 0);
  }

  RelayView read(Connection connection) throws SQLException {
    return read(connection, transports(connection), depths(connection));
  }

  /** Reads who relays what, and counts nothing. */
  RelayView members(Connection connection) throws SQLException {
    return read(connection, Map.of(), Map.of());
  }

  private RelayView read(
      Connection connection, Map<UUID, List<String>> transports, Map<Integer, Depth> depths)
      throws SQLException {
    List<Node> nodes = dialect.nodes().query(connection, this::node);
    Instant now =
        nodes.isEmpty()
            ? dialect.now().query(connection, row -> server.instant(row, 1)).get(0)
            : nodes.get(0).now();
    List<Owned> leases = dialect.leases().query(connection, this::owned);
    return new RelayView(
        nodes(nodes, leases, transports, now), partitions(leases, live(nodes, now), depths), now);
  }

  private Node node(ResultSet row) throws SQLException {
    String name = row.getString(1);
    return new Node(
        name == null ? "" : name,
        server.uuid(row, 2),
        server.instant(row, 3),
        row.getBoolean(4),
        server.instant(row, 5));
  }

  private Owned owned(ResultSet row) throws SQLException {
    String node = row.getString(2);
    UUID by = node == null ? null : server.uuid(row, 3);
    return new Owned(row.getInt(1), node, by, row.getLong(4));
  }

  private static Set<UUID> live(List<Node> nodes, Instant now) {
    Set<UUID> live = new HashSet<>();
    nodes.stream()
        .filter(node -> node.expiresAt().isAfter(now))
        .forEach(node -> live.add(node.incarnation()));
    return live;
  }

  /** The transports of each live node that noted them. */
  Map<UUID, List<String>> transports(Connection connection) throws SQLException {
    Map<UUID, List<String>> transports = new HashMap<>();
    try {
      server
          .leases()
          .transports()
          .forEach(connection, row -> transports.put(server.uuid(row, 2), names(row.getString(3))));
    } catch (SQLException e) {
      if (!NO_COLUMN.contains(String.valueOf(e.getSQLState()))
          && e.getErrorCode() != COLUMN_DENIED) {
        throw e;
      }
    }
    return transports;
  }

  private static List<String> names(String text) {
    return Arrays.stream(text.split(",")).filter(name -> !name.isEmpty()).sorted().toList();
  }

  private static List<NodeView> nodes(
      List<Node> nodes, List<Owned> leases, Map<UUID, List<String>> transports, Instant now) {
    Map<UUID, Integer> partitions = new HashMap<>();
    for (Owned lease : leases) {
      if (lease.by() != null) {
        partitions.merge(lease.by(), 1, Integer::sum);
      }
    }
    return nodes.stream()
        .map(
            node ->
                new NodeView(
                    node.name(),
                    node.incarnation(),
                    node.takingPart(),
                    Duration.between(now, node.expiresAt()),
                    partitions.getOrDefault(node.incarnation(), 0),
                    transports.getOrDefault(node.incarnation(), List.of())))
        .sorted(ORDER)
        .toList();
  }

  /** Also partitions that have rows and no lease, as no relay knows them. */
  private List<PartitionView> partitions(
      List<Owned> leases, Set<UUID> live, Map<Integer, Depth> depths) {
    Map<Integer, Owned> owned = new TreeMap<>();
    depths.keySet().forEach(partition -> owned.put(partition, new Owned(partition, null, null, 0)));
    leases.forEach(lease -> owned.put(lease.partition(), lease));
    long counted = depths.values().stream().mapToLong(Depth::count).sum();
    boolean more = !dialect.countsEachPartition() && counted >= ViewDialect.DEPTHS_MAX;
    List<PartitionView> views = new ArrayList<>();
    for (Owned lease : owned.values()) {
      Depth depth = depths.getOrDefault(lease.partition(), Depth.NONE);
      views.add(
          new PartitionView(
              lease.partition(),
              waiting(depth.count(), more),
              depth.oldest(),
              lease.node(),
              lease.by() != null && live.contains(lease.by()),
              lease.epoch()));
    }
    return views;
  }

  private static BoundedCount waiting(long count, boolean more) {
    return more
        ? new BoundedCount(Math.min(count, PartitionView.COUNT_MAX), true)
        : BoundedCount.upTo(PartitionView.COUNT_MAX, count);
  }

  private Map<Integer, Depth> depths(Connection connection) throws SQLException {
    Map<Integer, Depth> depths = new HashMap<>();
    dialect
        .depths()
        .forEach(
            connection,
            row -> depths.put(row.getInt(1), new Depth(server.instant(row, 2), row.getLong(3))));
    return depths;
  }
}
