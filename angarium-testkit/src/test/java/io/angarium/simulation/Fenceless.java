package io.angarium.simulation;

import io.angarium.store.DeadEntry;
import io.angarium.store.OutboxStore;
import io.angarium.store.ParkedEntry;
import io.angarium.store.ParkedOutcome;
import io.angarium.store.lease.Lease;
import io.angarium.store.lease.LeaseLostException;
import io.angarium.store.lease.Membership;
import io.angarium.store.lease.NodeId;
import io.angarium.testkit.memory.InMemoryDatabase;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** Makes the writes of a lost lease in the name of the present owner. */
final class Fenceless extends Planted {
  private static final NodeId ASKING = new NodeId("mutant", new UUID(0, 1));

  private final InMemoryDatabase database;

  Fenceless(OutboxStore store, InMemoryDatabase database) {
    super(store);
    this.database = database;
  }

  @Override
  public void park(Collection<Lease> leases, List<ParkedEntry> parkings) {
    try {
      super.park(leases, parkings);
    } catch (LeaseLostException e) {
      super.park(leases.stream().map(lease -> present(lease, e)).toList(), parkings);
    }
  }

  @Override
  public Set<Long> settleParked(List<ParkedOutcome> settlements) {
    try {
      return super.settleParked(settlements);
    } catch (LeaseLostException e) {
      Set<Long> stillParked = new HashSet<>();
      settlements.forEach(settlement -> stillParked.addAll(settle(settlement)));
      return stillParked;
    }
  }

  private Set<Long> settle(ParkedOutcome settlement) {
    try {
      return super.settleParked(List.of(settlement));
    } catch (LeaseLostException e) {
      Lease present = present(settlement.lease(), e);
      return super.settleParked(
          List.of(
              new ParkedOutcome(
                  present, settlement.keyHash(), settlement.acknowledged(), settlement.failed())));
    }
  }

  @Override
  public void bury(Lease lease, List<DeadEntry> burials) {
    try {
      super.bury(lease, burials);
    } catch (LeaseLostException e) {
      super.bury(present(lease, e), burials);
    }
  }

  private Lease present(Lease lost, LeaseLostException cause) {
    Membership membership = database.leaseStore().heartbeat(ASKING, false, Duration.ofNanos(1));
    Membership.Owner owner = membership.owners().get(lost.partition());
    if (owner == null) {
      throw cause;
    }
    return new Lease(lost.partition(), owner.node(), owner.epoch());
  }
}
