package io.angarium.testkit.tck;

import io.angarium.TimeSource;
import io.angarium.intake.CommittedMessages;
import io.angarium.intake.NewMessage;
import io.angarium.store.OutboxStore;
import io.angarium.store.lease.LeaseStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * One store under test, given to the contract suites by its implementer. Each test gets a fixture
 * of its own on a database as new: no rows, no leases, no partitioning, sequence at its beginning,
 * business keys kept unique. The suites close it after the test.
 */
public interface StoreFixture extends AutoCloseable {
  /** The store under test; the same at every call. */
  OutboxStore outbox();

  /** A further store on the same database, as another node would have it; the caller closes it. */
  OutboxStore anotherOutbox();

  /**
   * A further store as it is on a host with other clocks; the caller closes it.
   *
   * @return as {@link #anotherOutbox()}, as the default says, if the store never asks its host what
   *     time of day it is
   */
  default OutboxStore anotherOutbox(TimeSource host) {
    return anotherOutbox();
  }

  /** The leases of the same database. */
  LeaseStore leases();

  /**
   * The leases as they are on a host with other clocks; the fixture closes them.
   *
   * @return {@link #leases()}, as the default says, if they never ask their host what time of day
   *     it is
   */
  default LeaseStore anotherLeases(TimeSource host) {
    return leases();
  }

  /** Begins a transaction. At least six may be open at once, even in one thread. */
  OpenTransaction begin();

  /** The database's clock. */
  Instant now();

  /**
   * Returns when the database's clock has moved on by at least {@code duration}: moves it, or waits
   * for it. The suites ask for less than a second.
   */
  void letPass(Duration duration);

  /**
   * Makes the store find out that its database has gone back to an earlier state, as after a
   * fail-over: the next call begins a new {@link OutboxStore#era}. Rows may stay as they are.
   *
   * @return false if the store cannot tell, as the default says
   */
  default boolean goBack() {
    return false;
  }

  /** Frees what the fixture holds; open transactions are rolled back. */
  @Override
  void close();

  /** A transaction of an application. Not thread-safe: one thread at a time. */
  interface OpenTransaction extends AutoCloseable {
    /**
     * Writes messages in their order, at once, by the code that applications use.
     *
     * @throws io.angarium.DuplicateBusinessKeyException as {@link io.angarium.Outbox#send}
     */
    void insert(List<NewMessage> messages);

    /** Writes something else, so that the database has given the transaction its number. */
    void writeElsewhere();

    /** Commits. */
    void commit();

    /** What is handed over to a relay after the commit: as the last insert wrote it. */
    CommittedMessages written();

    /** Rolls back. */
    void rollback();

    /** Rolls back, unless the transaction has ended. */
    @Override
    void close();
  }
}
