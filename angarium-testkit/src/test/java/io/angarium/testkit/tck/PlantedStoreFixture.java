package io.angarium.testkit.tck;

import io.angarium.TimeSource;
import io.angarium.store.OutboxStore;
import io.angarium.store.lease.LeaseStore;
import io.angarium.testkit.memory.InMemoryStoreFixture;
import java.time.Duration;
import java.time.Instant;

/** A fixture whose store has the fault of a mutant. */
record PlantedStoreFixture(InMemoryStoreFixture real, StoreMutant mutant) implements StoreFixture {
  @Override
  public OutboxStore outbox() {
    return mutant.outbox(real.outbox(), real.database());
  }

  @Override
  public OutboxStore anotherOutbox() {
    return mutant.outbox(real.anotherOutbox(), real.database());
  }

  @Override
  public OutboxStore anotherOutbox(TimeSource host) {
    return mutant.outbox(real.anotherOutbox(host), real.database(), host);
  }

  @Override
  public LeaseStore anotherLeases(TimeSource host) {
    return mutant.leases(real.anotherLeases(host), real.database(), host);
  }

  @Override
  public LeaseStore leases() {
    return mutant.leases(real.leases());
  }

  @Override
  public OpenTransaction begin() {
    return mutant.transaction(real.begin());
  }

  @Override
  public Instant now() {
    return real.now();
  }

  @Override
  public void letPass(Duration duration) {
    real.letPass(duration);
  }

  @Override
  public boolean goBack() {
    return real.goBack();
  }

  @Override
  public void close() {
    real.close();
  }
}
