package io.angarium.testkit.memory;

import io.angarium.Destination;
import io.angarium.MessageId;
import io.angarium.MessageLimits;
import io.angarium.Outbox;
import io.angarium.deadletter.DeadLetter;
import io.angarium.desk.Desk;
import io.angarium.intake.Handover;
import io.angarium.intake.MessageIntake;
import io.angarium.intake.Partitioning;
import io.angarium.intake.StoredMessage;
import io.angarium.store.OutboxStore;
import io.angarium.store.Snapshot;
import io.angarium.store.lease.LeaseStore;
import io.angarium.store.lease.NodeId;
import io.angarium.testkit.ManualClock;
import io.angarium.testkit.PublishedMessages;
import io.angarium.testkit.memory.Storage.OutboxRow;
import io.angarium.testkit.memory.Storage.Sent;
import io.angarium.testkit.operation.InMemoryOperations;
import io.angarium.testkit.pause.InMemoryPauses;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A database in memory that treats messages as PostgreSQL does: transactions overlap, sequences are
 * handed out before the commit and never given back, rows appear at the commit, snapshots know
 * which transactions had not ended. Everything is lost with the object.
 *
 * <pre>{@code
 * InMemoryDatabase database = InMemoryDatabase.create();
 * try (Tx tx = database.begin()) {
 *   tx.outbox().send(Message.of("kafka:orders", json).key("4711"));
 *   tx.commit();
 * }
 * }</pre>
 *
 * Deterministic when used by one thread; thread-safe.
 */
public final class InMemoryDatabase {
  private static final Duration LOCK_WAIT_MAX = Duration.ofSeconds(10);

  private final ManualClock clock;
  private final Storage storage;
  private final StoreFaults faults = new StoreFaults();
  private final MessageIntake intake;
  private final InMemoryPauses pauses;
  private final InMemoryOperations operations;
  private volatile Handover handover = Handover.NONE;

  private InMemoryDatabase(ManualClock clock, Partitioning partitioning, boolean keepsHistory) {
    this.clock = clock;
    this.storage = new Storage(clock, keepsHistory, LOCK_WAIT_MAX);
    this.pauses =
        new InMemoryPauses(
            storage,
            storage::now,
            () -> storage.leases.live(storage.now()),
            entry -> storage.desk.note(List.of(entry), storage.now()));
    Random random = new Random(partitioning.hashCode()); // seeded: ids repeat from run to run
    this.intake =
        new MessageIntake(
            MessageLimits.DEFAULTS, partitioning, null, List.of(), clock, random::nextLong);
    this.operations =
        new InMemoryOperations(
            this::act,
            storage::now,
            new InMemoryDesk(storage, new StoreFaults(), intake, pauses),
            storage.desk::isDiscardedBy);
  }

  /** An empty database with a clock of its own and the usual partitions. */
  public static InMemoryDatabase create() {
    return create(ManualClock.create(), Partitioning.DEFAULTS);
  }

  /** An empty database that keeps no history of sent messages. */
  public static InMemoryDatabase create(ManualClock clock, Partitioning partitioning) {
    return new InMemoryDatabase(clock, partitioning, false);
  }

  /** An empty database that keeps sent messages, see {@link #sent}. */
  public static InMemoryDatabase withHistory(ManualClock clock, Partitioning partitioning) {
    return new InMemoryDatabase(clock, partitioning, true);
  }

  /** Tells {@code handover} of the messages of every transaction begun from now on. */
  public InMemoryDatabase handover(Handover handover) {
    this.handover = handover;
    return this;
  }

  /** Begins a transaction; nothing is written yet. */
  public Tx begin() {
    return begin(handover);
  }

  /** Begins a transaction of a process whose relay is told through {@code handover}. */
  public Tx begin(Handover handover) {
    return new Tx(storage, faults, intake, handover);
  }

  /** A new way in for a relay; all stores of a database see the same rows. */
  public OutboxStore outboxStore() {
    return new InMemoryOutboxStore(storage, faults);
  }

  /** A new way in for a relay's leases. */
  public LeaseStore leaseStore() {
    return new InMemoryLeaseStore(storage, faults);
  }

  /** The pauses, for relays and for persons; a backup does not hold them. */
  public InMemoryPauses pauses() {
    return pauses;
  }

  /** The operations, for nodes and for persons; a backup does not hold them. */
  public InMemoryOperations operations() {
    return operations;
  }

  /** The nodes whose heartbeats have not run out. */
  public Set<NodeId> liveNodes() {
    return look(() -> Set.copyOf(storage.leases.live(storage.now())));
  }

  /** A new way in for persons; all desks of a database see the same messages and acts. */
  public Desk desk() {
    return new InMemoryDesk(storage, faults, intake, pauses);
  }

  /** Keeps messages for a destination after they were sent, as if a receipt had to come. */
  InMemoryDatabase unconfirmed(Destination destination) {
    synchronized (storage) {
      storage.desk.confirmed.add(destination);
    }
    return this;
  }

  /** Makes the audit refuse every entry, or take them again. */
  void auditBroken(boolean broken) {
    synchronized (storage) {
      storage.desk.auditBroken = broken;
    }
  }

  /** What goes wrong. */
  public StoreFaults faults() {
    return faults;
  }

  /** The clock behind the database's clock. */
  public ManualClock clock() {
    return clock;
  }

  /** How messages are spread over partitions. */
  public Partitioning partitioning() {
    return intake.partitioning();
  }

  /** Lets the database's clock differ from {@link #clock}; zero at first. */
  public InMemoryDatabase clockSkew(Duration skew) {
    synchronized (storage) {
      storage.clockSkew(skew);
    }
    return this;
  }

  /** The database's clock. */
  public Instant now() {
    return look(storage::now);
  }

  /** Committed rows of the outbox, by partition and sequence. */
  public List<StoredMessage> unsent() {
    return look(() -> storage.outbox.values().stream().map(OutboxRow::message).toList());
  }

  /** Delayed messages whose time has not been acted on, by partition and sequence. */
  public List<StoredMessage> delayed() {
    return look(() -> List.copyOf(storage.delayed.values()));
  }

  /** The parked list, by partition and sequence. */
  public List<ParkedMessage> parked() {
    return look(() -> List.copyOf(storage.parked.rows()));
  }

  /** The dead letters, by partition and sequence. */
  public List<DeadLetter> dead() {
    return look(() -> List.copyOf(storage.dead.values()));
  }

  /** Sent messages in the order they were recorded; empty unless the history is kept. */
  public List<StoredMessage> sent() {
    return look(() -> storage.sent.stream().map(Sent::message).toList());
  }

  /**
   * What committed transactions have published since the beginning, delayed messages included; the
   * same at every call. Relaying takes nothing away from it.
   */
  public PublishedMessages published() {
    return storage.published;
  }

  /** Who requeued a message last; null if nobody did. */
  public @Nullable String updatedBy(MessageId id) {
    synchronized (storage) {
      return storage.updatedBy.get(id);
    }
  }

  /** The snapshot of this moment: which transactions have ended. */
  public Snapshot snapshot() {
    return look(storage.log::snapshot);
  }

  /**
   * One above the latest ended transaction; a transaction still running may have a higher number.
   */
  public long snapshotXmax() {
    return look(storage.log::xmax);
  }

  /** What is committed at this moment, and the leases of the nodes. */
  public DatabaseBackup backup() {
    return look(() -> new DatabaseBackup(storage.copy()));
  }

  /**
   * Lets another server take over that has what a backup holds and nothing later, so that sequences
   * and numbers of transactions come a second time. Open transactions fail when they are used.
   */
  public void failOver(DatabaseBackup backup) {
    synchronized (storage) {
      storage.takeOver(backup.copy);
    }
  }

  /**
   * Commits messages above the sequence, which stays where it is: as tables are after a copy or a
   * logical replication, which leave it behind.
   *
   * @param ahead how far above
   */
  public void copyIn(long ahead, Consumer<Outbox> messages) {
    synchronized (storage) {
      long last = storage.lastSequence();
      storage.lastSequence(last + ahead);
      try (Tx tx = begin()) {
        messages.accept(tx.outbox());
        tx.commit();
      }
      storage.lastSequence(last);
    }
  }

  /** Deletes all nodes and leases, as a tool does that empties tables between tests. */
  public void emptyLeases() {
    synchronized (storage) {
      storage.leases.empty();
    }
  }

  private <T> T act(Supplier<T> work) {
    return faults.strike(StoreCall.ACT, () -> look(work));
  }

  private <T> T look(Supplier<T> query) {
    synchronized (storage) {
      return query.get();
    }
  }
}
