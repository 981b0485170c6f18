package io.angarium.relay.internal.partition;

import io.angarium.store.lease.NodeId;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Map.Entry;
import java.util.Set;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * The partitions that move because one of their messages needs a transport which not every node
 * has: those that this node is to give to another one, and those that it was given. Not
 * thread-safe: {@link Leases} guards it.
 */
final class TransportMoves {
  /** A partition moves at most so often. */
  private static final long PAUSE_NANOS = Duration.ofMinutes(1).toNanos();

  private final NodeId node;
  private final Map<Integer, String> lacking = new HashMap<>();
  private final Map<Integer, NodeId> leaving = new HashMap<>();

  /** By partition, the node that would have it but for the transports. */
  private final Map<Integer, String> given = new HashMap<>();

  private final Map<Integer, Long> movedNanos = new HashMap<>();

  TransportMoves(NodeId node) {
    this.node = node;
  }

  /** A message of a partition needs a transport that this node has not. */
  void lacks(int partition, String transport, long nowNanos) {
    Long moved = movedNanos.get(partition);
    if (!leaving.containsKey(partition) && (moved == null || nowNanos - moved >= PAUSE_NANOS)) {
      lacking.put(partition, transport);
    }
  }

  /** True if a transport is lacking since the last {@link #plan}. */
  boolean isAnyLacking() {
    return !lacking.isEmpty();
  }

  /**
   * Decides which partitions leave for want of a transport, and to which nodes.
   *
   * @param able nodes that want partitions, with their transports
   * @param choice picks one of some names for a partition; an empty name of none
   */
  void plan(Map<NodeId, Set<String>> able, BiFunction<Integer, Set<String>, String> choice) {
    lacking.forEach(
        (partition, transport) -> {
          Map<String, NodeId> candidates = new HashMap<>();
          able.forEach(
              (other, transports) -> {
                if (transports.contains(transport) && !other.name().equals(node.name())) {
                  candidates.put(other.name(), other);
                }
              });
          NodeId to = candidates.get(choice.apply(partition, candidates.keySet()));
          if (to != null) {
            leaving.put(partition, to);
          }
        });
    lacking.clear();
  }

  /** Forgets what is held no longer, or was to go to a node that wants none any more. */
  void keep(Set<Integer> held, Set<String> takingPart) {
    lacking.keySet().retainAll(held);
    leaving.keySet().retainAll(held);
    leaving.values().removeIf(to -> !takingPart.contains(to.name()));
    given.keySet().retainAll(held);
    if (!takingPart.contains(node.name())) {
      given.clear();
    }
  }

  /**
   * True if this node wants a partition.
   *
   * @param home the node that has it but for the transports
   */
  boolean isWanted(int partition, String home) {
    given.computeIfPresent(partition, (p, before) -> before.equals(home) ? before : null);
    return !leaving.containsKey(partition)
        && (home.equals(node.name()) || given.containsKey(partition));
  }

  /** The partitions to be given away. */
  Set<Integer> leaving() {
    return leaving.keySet();
  }

  /** The node that a partition goes to; null for none in particular. */
  @Nullable NodeId target(int partition) {
    return leaving.get(partition);
  }

  /** A partition was given away. */
  void left(int partition, long nowNanos) {
    leaving.remove(partition);
    movedNanos.put(partition, nowNanos);
  }

  /** A partition was given to this node, whose home lacks a transport. */
  void arrived(int partition, String home, long nowNanos) {
    given.put(partition, home);
    movedNanos.put(partition, nowNanos);
  }

  /** True if a node is known to lack a transport that is one of {@code ours}. */
  static boolean lacksAny(String name, Map<NodeId, Set<String>> noted, Set<String> ours) {
    return noted.entrySet().stream()
        .filter(entry -> entry.getKey().name().equals(name))
        .map(Entry::getValue)
        .anyMatch(transports -> !transports.containsAll(ours));
  }
}
