package io.angarium.testkit.memory;

import io.angarium.desk.Desk;
import io.angarium.desk.DestinationPause;
import io.angarium.intake.Partitioning;
import io.angarium.operation.OperationDesk;
import io.angarium.operation.OperationStore;
import io.angarium.pause.PauseStore;
import io.angarium.store.OutboxStore;
import io.angarium.store.lease.LeaseStore;
import io.angarium.testkit.ManualClock;
import io.angarium.testkit.tck.DeskFixture;
import java.time.Duration;
import java.time.Instant;

/** The {@link DeskFixture} of an {@link InMemoryDatabase}. */
public class InMemoryDeskFixture implements DeskFixture {
  private final InMemoryDatabase database =
      InMemoryDatabase.withHistory(ManualClock.create(), new Partitioning(4, 2))
          .unconfirmed(CONFIRMED);
  private final InMemoryStoreFixture store = new InMemoryStoreFixture(database);
  private final Desk desk = database.desk();

  @Override
  public Desk desk() {
    return desk;
  }

  @Override
  public void age(Duration age) {
    database.clock().advance(age);
  }

  @Override
  public void ageOperations(Duration age) {
    database.clock().advance(age);
  }

  @Override
  public PauseStore pauses() {
    return database.pauses();
  }

  @Override
  public OperationDesk operationDesk() {
    return database.operations();
  }

  @Override
  public OperationStore operationStore() {
    return database.operations();
  }

  @Override
  public void endPauses() {
    database.clock().advance(DestinationPause.MAX);
  }

  @Override
  public void breakAudit() {
    database.auditBroken(true);
  }

  @Override
  public void mendAudit() {
    database.auditBroken(false);
  }

  @Override
  public OutboxStore outbox() {
    return store.outbox();
  }

  @Override
  public OutboxStore anotherOutbox() {
    return store.anotherOutbox();
  }

  @Override
  public LeaseStore leases() {
    return store.leases();
  }

  @Override
  public OpenTransaction begin() {
    return store.begin();
  }

  @Override
  public Instant now() {
    return store.now();
  }

  @Override
  public void letPass(Duration duration) {
    store.letPass(duration);
  }

  @Override
  public boolean goBack() {
    return store.goBack();
  }

  @Override
  public void close() {
    store.close();
  }
}
