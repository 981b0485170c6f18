package io.angarium.simulation;

import io.angarium.store.Burial;
import io.angarium.store.Lease;
import io.angarium.store.LeaseLostException;
import io.angarium.store.OutboxStore;
import io.angarium.store.Parking;
import io.angarium.store.Position;
import java.util.Collection;
import java.util.List;

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
  public void park(Lease lease, List<Parking> parkings) {
    super.park(lease, parkings);
    mustHold(lease, "park");
  }

  @Override
  public boolean settleParked(
      Lease lease, long keyHash, Collection<Position> acknowledged, Collection<Parking> failed) {
    boolean more = super.settleParked(lease, keyHash, acknowledged, failed);
    mustHold(lease, "settle parked");
    return more;
  }

  @Override
  public void bury(Lease lease, List<Burial> burials) {
    super.bury(lease, burials);
    mustHold(lease, "bury");
  }

  private void mustHold(Lease lease, String write) {
    try {
      sound.park(lease, List.of()); // changes nothing, but asks for the lease
    } catch (LeaseLostException e) {
      ledger.fault(write + " went through without " + lease);
    }
  }
}
