package io.angarium.testkit.memory;

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
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** The leases of an {@link InMemoryDatabase}. Thread-safe. */
public final class InMemoryLeaseStore implements LeaseStore {
  private final Storage storage;
  private final StoreFaults faults;
  private final Map<NodeId, Set<String>> transports = new ConcurrentHashMap<>();

  InMemoryLeaseStore(Storage storage, StoreFaults faults) {
    this.storage = storage;
    this.faults = faults;
  }

  @Override
  public void prepare(Partitioning partitioning) {
    run(
        StoreCall.PREPARE,
        () -> storage.leases.prepare(partitioning, storage.now().toEpochMilli()));
  }

  @Override
  public Membership heartbeat(NodeId node, boolean takingPart, Duration ttl) {
    return call(
        StoreCall.HEARTBEAT,
        () ->
            storage.leases.heartbeat(
                node, takingPart, transports.getOrDefault(node, Set.of()), storage.now(), ttl));
  }

  @Override
  public void noteTransports(NodeId node, Set<String> names) {
    transports.put(node, Set.copyOf(names));
  }

  @Override
  public Map<NodeId, Set<String>> transports() {
    return call(StoreCall.TRANSPORTS, () -> storage.leases.transports(storage.now()));
  }

  @Override
  public void handOver(Lease lease, NodeId to) {
    run(StoreCall.HAND_OVER, () -> storage.leases.handOver(lease, to));
  }

  @Override
  public List<Lease> acquire(NodeId node, Collection<Integer> partitions, Duration margin) {
    return call(
        StoreCall.ACQUIRE, () -> storage.leases.acquire(node, partitions, storage.now(), margin));
  }

  @Override
  public void release(Collection<Lease> leases) {
    run(StoreCall.RELEASE, () -> leases.forEach(storage.leases::release));
  }

  @Override
  public void leave(NodeId node) {
    run(StoreCall.LEAVE, () -> storage.leases.leave(node));
  }

  private void run(StoreCall call, Runnable work) {
    call(
        call,
        () -> {
          work.run();
          return true;
        });
  }

  private <T> T call(StoreCall call, Supplier<T> work) {
    return faults.strike(
        call,
        () -> {
          synchronized (storage) {
            return work.get();
          }
        });
  }
}
