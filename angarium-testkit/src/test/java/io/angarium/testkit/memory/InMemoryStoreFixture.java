package io.angarium.testkit.memory;

import io.angarium.intake.CommittedMessages;
import io.angarium.intake.NewMessage;
import io.angarium.store.OutboxStore;
import io.angarium.store.lease.LeaseStore;
import io.angarium.testkit.RecordingHandover;
import io.angarium.testkit.tck.StoreFixture;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The {@link StoreFixture} of an {@link InMemoryDatabase}. */
public final class InMemoryStoreFixture implements StoreFixture {
  private final InMemoryDatabase database;
  private final OutboxStore outbox;
  private final LeaseStore leases;

  /** A fixture on a database of its own. */
  public InMemoryStoreFixture() {
    this(InMemoryDatabase.create());
  }

  InMemoryStoreFixture(InMemoryDatabase database) {
    this.database = database;
    this.outbox = database.outboxStore();
    this.leases = database.leaseStore();
  }

  /** The database behind it. */
  public InMemoryDatabase database() {
    return database;
  }

  @Override
  public OutboxStore outbox() {
    return outbox;
  }

  @Override
  public OutboxStore anotherOutbox() {
    return database.outboxStore();
  }

  @Override
  public LeaseStore leases() {
    return leases;
  }

  @Override
  public OpenTransaction begin() {
    List<CommittedMessages> told = new ArrayList<>();
    Tx tx = database.begin(new RecordingHandover(told));
    return new OpenTransaction() {
      @Override
      public void insert(List<NewMessage> messages) {
        tx.insert(messages);
      }

      @Override
      public void writeElsewhere() {
        tx.write();
      }

      @Override
      public void commit() {
        tx.commit();
      }

      @Override
      public CommittedMessages written() {
        return told.get(told.size() - 1);
      }

      @Override
      public void rollback() {
        tx.rollback();
      }

      @Override
      public void close() {
        tx.close();
      }
    };
  }

  @Override
  public Instant now() {
    return database.now();
  }

  @Override
  public void letPass(Duration duration) {
    database.clock().advance(duration);
  }

  @Override
  public boolean goBack() {
    database.failOver(database.backup());
    return true;
  }

  @Override
  public void close() {
    outbox.close();
  }
}
