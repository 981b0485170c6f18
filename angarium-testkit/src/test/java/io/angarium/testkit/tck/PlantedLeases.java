package io.angarium.testkit.tck;

import io.angarium.intake.Partitioning;
import io.angarium.store.lease.Lease;
import io.angarium.store.lease.LeaseStore;
import io.angarium.store.lease.Membership;
import io.angarium.store.lease.NodeId;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Leases in which a mutant replaces a method. */
class PlantedLeases implements LeaseStore {
  private final LeaseStore leases;

  PlantedLeases(LeaseStore leases) {
    this.leases = leases;
  }

  @Override
  public void prepare(Partitioning partitioning) {
    leases.prepare(partitioning);
  }

  @Override
  public Membership heartbeat(NodeId node, boolean takingPart, Duration ttl) {
    return leases.heartbeat(node, takingPart, ttl);
  }

  @Override
  public List<Lease> acquire(NodeId node, Collection<Integer> partitions, Duration margin) {
    return leases.acquire(node, partitions, margin);
  }

  @Override
  public void noteTransports(NodeId node, Set<String> names) {
    leases.noteTransports(node, names);
  }

  @Override
  public Map<NodeId, Set<String>> transports() {
    return leases.transports();
  }

  @Override
  public void handOver(Lease lease, NodeId to) {
    leases.handOver(lease, to);
  }

  @Override
  public void release(Collection<Lease> held) {
    leases.release(held);
  }

  @Override
  public void leave(NodeId node) {
    leases.leave(node);
  }
}
