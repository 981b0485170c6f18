package io.angarium.jdbc.internal.dialect;

import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.store.lease.Lease;
import io.angarium.store.lease.NodeId;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

/** Nodes, their heartbeats and transports, and the leases of partitions. Thread-safe. */
public interface LeaseSql {
  /** Locks leases that are still held, to the end of the transaction; one row or change each. */
  Sql fence(Collection<Lease> leases);

  /** Sets the partitioning if it is not set. */
  Sql setPartitioning(int keyed, int keyless);

  /** The partitioning that is set: keyed, keyless. */
  Sql partitioning();

  /** Adds lease rows that are missing. */
  List<Sql> addLeases(Collection<Integer> partitions, long epoch);

  /**
   * Prolongs a node; changes no row if it is not known under its name, or would have expired
   * before.
   *
   * @param notBefore microseconds since 1970, as {@link #expiresAt} returns them
   */
  Sql refreshNode(NodeId node, boolean takingPart, Duration ttl, long notBefore);

  /** When a node expires, in microseconds since 1970; no row if it is not known. */
  Sql expiresAt(UUID incarnation);

  /** Takes the name from nodes that are no longer alive and forgets those long gone. */
  List<Sql> retireNodes(NodeId node);

  /** Adds a node; violates a unique key if its name is taken. */
  Sql enterNode(NodeId node, boolean takingPart, Duration ttl);

  /**
   * Nodes that have their name, and partitions that have an owner, of one snapshot: partition (none
   * for a node), node, incarnation, epoch or {@link #expiresAt}, live, taking part, and whether it
   * lives for longer than {@code ahead} (the last three of nodes only).
   */
  Sql members(Duration ahead);

  /** Lets nodes that live for longer than {@code ahead} live for {@code ttl} only. */
  Sql cutNodes(Duration ttl, Duration ahead);

  /** Locks lease rows in order of partition. */
  Sql lockPartitions(Collection<Integer> partitions);

  /** Locks the nodes that own one of the partitions and expired a margin ago. */
  List<Sql> lockExpired(Collection<Integer> partitions, Duration margin);

  /** The incarnations locked by {@link #lockExpired}. */
  Sql expired(Collection<Integer> partitions, Duration margin);

  /** Takes partitions that are free, that the node owns, or whose owner is expired or unknown. */
  Sql take(NodeId node, Collection<Integer> partitions, Collection<UUID> expired);

  /** Partition and epoch of the node's leases among the partitions. */
  Sql leasesOf(NodeId node, Collection<Integer> partitions);

  /** Notes the names of a node's transports. */
  Sql noteTransports(NodeId node, String transports);

  /** Name, incarnation and transports of each live node that noted them. */
  Sql transports();

  /** Gives a lease that is still held to another node. */
  Sql handOver(Lease lease, NodeId to);

  /** Frees leases that are still held. */
  List<Sql> release(Collection<Lease> leases);

  /** Frees all partitions of a node and forgets it. */
  List<Sql> leave(NodeId node);
}
