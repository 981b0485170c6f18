package io.angarium.testkit.memory;

import io.angarium.ConfigurationException;
import io.angarium.desk.BoundedCount;
import io.angarium.desk.NodeView;
import io.angarium.desk.PartitionView;
import io.angarium.intake.Partitioning;
import io.angarium.store.lease.Lease;
import io.angarium.store.lease.LeaseLostException;
import io.angarium.store.lease.LeaseStore;
import io.angarium.store.lease.Membership;
import io.angarium.store.lease.NodeId;
import io.angarium.store.lease.NodeIdInUseException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The nodes and leases of an {@link InMemoryDatabase}. Guarded by the database's lock. */
final class LeaseTable {
  private record Node(boolean takingPart, Instant expiresAt, Set<String> transports) {
    /** The clock was set back since: of its own accord a node never lives so far ahead. */
    Node cut(Instant now, Duration ttl) {
      return expiresAt.isAfter(now.plus(LeaseStore.TTL_MAX))
          ? new Node(takingPart, now.plus(ttl), transports)
          : this;
    }
  }

  private record Holding(@Nullable NodeId owner, long epoch) {}

  private final Map<NodeId, Node> nodes = new HashMap<>();
  private final TreeMap<Integer, Holding> holdings = new TreeMap<>();
  private @Nullable Partitioning partitioning;

  LeaseTable copy() {
    LeaseTable copy = new LeaseTable();
    copy.replaceAll(this);
    return copy;
  }

  void replaceAll(LeaseTable other) {
    nodes.clear();
    nodes.putAll(other.nodes);
    holdings.clear();
    holdings.putAll(other.holdings);
    partitioning = other.partitioning;
  }

  /** Empties the table, as a cleanup of all tables between two tests would. */
  void empty() {
    nodes.clear();
    holdings.clear();
  }

  void prepare(Partitioning wanted, long firstEpoch) {
    if (partitioning != null && !partitioning.equals(wanted)) {
      throw new ConfigurationException(
          List.of(
              "partitions: "
                  + wanted
                  + " (expected: "
                  + partitioning
                  + ", with which the database was set up)"));
    }
    partitioning = wanted;
    for (int partition : wanted.all()) {
      holdings.putIfAbsent(partition, new Holding(null, firstEpoch));
    }
  }

  Membership heartbeat(
      NodeId node, boolean takingPart, Set<String> transports, Instant now, Duration ttl) {
    nodes.replaceAll((other, state) -> state.cut(now, ttl));
    nodes.forEach(
        (other, state) -> {
          if (other.name().equals(node.name())
              && !other.equals(node)
              && state.expiresAt().isAfter(now)) {
            throw new NodeIdInUseException(
                "Node name '"
                    + node.name()
                    + "' is in use until "
                    + state.expiresAt()
                    + "; choose another name or wait",
                null);
          }
        });
    nodes.put(node, new Node(takingPart, now.plus(ttl), transports));
    return membership(now);
  }

  List<Lease> acquire(NodeId node, Collection<Integer> partitions, Instant now, Duration margin) {
    List<Lease> taken = new ArrayList<>();
    for (int partition : partitions) {
      Holding held = holdings.get(partition);
      if (held != null && isFree(held.owner(), node, now, margin)) {
        holdings.put(partition, new Holding(node, held.epoch() + 1));
        taken.add(new Lease(partition, node, held.epoch() + 1));
      }
    }
    return taken;
  }

  Map<NodeId, Set<String>> transports(Instant now) {
    Map<NodeId, Set<String>> noted = new HashMap<>();
    nodes.forEach(
        (node, state) -> {
          if (isLive(node, now) && !state.transports().isEmpty()) {
            noted.put(node, state.transports());
          }
        });
    return noted;
  }

  /** The nodes that are alive. */
  List<NodeId> live(Instant now) {
    return nodes.keySet().stream().filter(node -> isLive(node, now)).toList();
  }

  /** Live nodes first, then by name. One whose name was taken over has none. */
  List<NodeView> views(Instant now) {
    return nodes.entrySet().stream()
        .map(entry -> view(entry.getKey(), entry.getValue(), now))
        .filter(view -> !view.node().isEmpty() || view.partitions() > 0)
        .sorted(
            Comparator.comparing((NodeView view) -> view.leaseLeft().toNanos() <= 0)
                .thenComparing(NodeView::node)
                .thenComparing(NodeView::incarnation))
        .toList();
  }

  private NodeView view(NodeId node, Node state, Instant now) {
    boolean takenOver =
        nodes.entrySet().stream()
            .anyMatch(
                other ->
                    other.getKey().name().equals(node.name())
                        && other.getValue().expiresAt().isAfter(state.expiresAt()));
    long held = holdings.values().stream().filter(each -> node.equals(each.owner())).count();
    return new NodeView(
        takenOver ? "" : node.name(),
        node.incarnation(),
        state.takingPart(),
        Duration.between(now, state.expiresAt()),
        (int) held,
        state.transports().stream().sorted().toList());
  }

  /** The partitions by number, without their messages. */
  List<PartitionView> partitions(Instant now) {
    List<PartitionView> views = new ArrayList<>();
    holdings.forEach(
        (partition, held) -> {
          NodeId owner = held.owner();
          views.add(
              new PartitionView(
                  partition,
                  BoundedCount.NONE,
                  null,
                  owner == null ? null : owner.name(),
                  owner != null && isLive(owner, now),
                  held.epoch()));
        });
    return views;
  }

  void handOver(Lease lease, NodeId to) {
    if (isHeld(lease)) {
      holdings.put(lease.partition(), new Holding(to, lease.epoch()));
    }
  }

  void release(Lease lease) {
    if (isHeld(lease)) {
      holdings.put(lease.partition(), new Holding(null, lease.epoch()));
    }
  }

  void leave(NodeId node) {
    nodes.remove(node);
    holdings.replaceAll(
        (partition, held) -> node.equals(held.owner()) ? new Holding(null, held.epoch()) : held);
  }

  void check(Lease lease) {
    if (!isHeld(lease)) {
      throw new LeaseLostException(
          lease + " is lost: " + holdings.get(lease.partition()) + "; nothing was written", null);
    }
  }

  boolean isHeld(Lease lease) {
    return new Holding(lease.node(), lease.epoch()).equals(holdings.get(lease.partition()));
  }

  private boolean isFree(@Nullable NodeId owner, NodeId asking, Instant now, Duration margin) {
    if (owner == null || owner.equals(asking)) {
      return true;
    }
    Node state = nodes.get(owner);
    return state == null || !state.expiresAt().plus(margin).isAfter(now);
  }

  private Membership membership(Instant now) {
    List<String> takingPart =
        nodes.entrySet().stream()
            .filter(node -> node.getValue().takingPart() && isLive(node.getKey(), now))
            .map(node -> node.getKey().name())
            .sorted()
            .toList();
    Map<Integer, Membership.Owner> owners = new TreeMap<>();
    holdings.forEach(
        (partition, held) -> {
          NodeId owner = held.owner();
          if (owner != null) {
            owners.put(partition, new Membership.Owner(owner, held.epoch(), isLive(owner, now)));
          }
        });
    return new Membership(takingPart, owners);
  }

  private boolean isLive(NodeId node, Instant now) {
    Node state = nodes.get(node);
    return state != null && state.expiresAt().isAfter(now);
  }
}
