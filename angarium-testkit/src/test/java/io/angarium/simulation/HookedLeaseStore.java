package io.angarium.simulation;

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

/** Leases whose every call is a numbered step of the simulation. */
class HookedLeaseStore implements LeaseStore {
  private final LeaseStore leases;
  private final Hooks hooks;

  HookedLeaseStore(LeaseStore leases, Hooks hooks) {
    this.leases = leases;
    this.hooks = hooks;
  }

  @Override
  public void prepare(Partitioning partitioning) {
    hooks.around("prepare", () -> leases.prepare(partitioning));
  }

  @Override
  public Membership heartbeat(NodeId node, boolean takingPart, Duration ttl) {
    return hooks.around("heartbeat", () -> leases.heartbeat(node, takingPart, ttl));
  }

  @Override
  public List<Lease> acquire(NodeId node, Collection<Integer> partitions, Duration margin) {
    return hooks.around("acquire", () -> leases.acquire(node, partitions, margin));
  }

  @Override
  public void noteTransports(NodeId node, Set<String> names) {
    leases.noteTransports(node, names);
  }

  @Override
  public Map<NodeId, Set<String>> transports() {
    return hooks.around("transports", leases::transports);
  }

  @Override
  public void handOver(Lease lease, NodeId to) {
    hooks.around("hand over", () -> leases.handOver(lease, to));
  }

  @Override
  public void release(Collection<Lease> held) {
    hooks.around("release", () -> leases.release(held));
  }

  @Override
  public void leave(NodeId node) {
    hooks.around("leave", () -> leases.leave(node));
  }
}
