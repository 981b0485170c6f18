package io.angarium.simulation;

import io.angarium.store.DeadEntry;
import io.angarium.store.OutboxStore;
import io.angarium.store.ParkedEntry;
import io.angarium.store.ParkedOutcome;
import io.angarium.store.lease.Lease;
import io.angarium.store.lease.LeaseLostException;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/** Tells the ledger of every fenced write that went through without its lease. */
final class FenceWatch extends Planted {
  private final OutboxStore sound;
  private final Ledger ledger;

  /**
   * @param watched what a relay writes to
   * @param sound the same database without a planted fault
   */
  FenceWatch(OutboxStore watched, OutboxStore sound, Ledger ledger) {
    super(watched);
    this.sound = sound;
    this.ledger = ledger;
  }

  @Override
  public void park(Collection<Lease> leases, List<ParkedEntry> parkings) {
    super.park(leases, parkings);
    leases.forEach(lease -> mustHold(lease, "park"));
  }

  @Override
  public Set<Long> settleParked(List<ParkedOutcome> settlements) {
    Set<Long> stillParked = super.settleParked(settlements);
    settlements.forEach(settlement -> mustHold(settlement.lease(), "settle parked"));
    return stillParked;
  }

  @Override
  public void bury(Lease lease, List<DeadEntry> burials) {
    super.bury(lease, burials);
    mustHold(lease, "bury");
  }

  private void mustHold(Lease lease, String write) {
    try {
      sound.park(List.of(lease), List.of()); // changes nothing, but asks for the lease
    } catch (LeaseLostException e) {
      ledger.fault(write + " went through without " + lease);
    }
  }
}
