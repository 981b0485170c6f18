package io.angarium.relay.internal;

import io.angarium.Destination;
import io.angarium.StoreException;
import io.angarium.intake.Partitioning;
import io.angarium.intake.Position;
import io.angarium.intake.StoredMessage;
import io.angarium.internal.DurationText;
import io.angarium.relay.internal.flight.InFlightWindow;
import io.angarium.relay.internal.flight.ResultQueue;
import io.angarium.relay.internal.flight.TransportQuotas;
import io.angarium.relay.internal.flight.Transports;
import io.angarium.relay.internal.partition.Leases;
import io.angarium.relay.internal.partition.NodeHealth;
import io.angarium.relay.internal.partition.OwnedPartitions;
import io.angarium.relay.internal.partition.PartitionState;
import io.angarium.relay.internal.pause.PauseWatch;
import io.angarium.relay.internal.read.Reader;
import io.angarium.relay.internal.retry.KeyFailures;
import io.angarium.relay.internal.retry.ParkedRetries;
import io.angarium.relay.internal.retry.ResultHandler;
import io.angarium.relay.internal.send.Circuit.Demand;
import io.angarium.relay.internal.send.Circuits;
import io.angarium.relay.internal.send.Sender;
import io.angarium.relay.internal.settings.RelayContext;
import io.angarium.relay.internal.write.DeleteQueue;
import io.angarium.relay.internal.write.FencedWriteQueue;
import io.angarium.relay.internal.write.QueuedWrite.Subject;
import io.angarium.relay.settings.CircuitState;
import io.angarium.relay.status.CircuitStatus;
import io.angarium.store.lease.Lease;
import io.angarium.transport.SendResult;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The loop that moves messages from the store to the transports. One round takes in results,
 * membership, hand-overs and reads, and hands over what may go. Rounds run on one thread at a time;
 * {@link #handovers} and {@link #wake} may be called by any.
 */
public final class SendLoop {
  private static final Logger LOG = LoggerFactory.getLogger(SendLoop.class);
  private static final Duration STORE_PAUSE = Duration.ofMillis(200);
  private static final Duration UNOWNED_PAUSE = Duration.ofMillis(20);
  private static final Duration FULL_PAUSE = Duration.ofMillis(1);

  /** A round that takes longer, or so many that fail, are no progress. */
  private static final Duration STALLED_FROM = Duration.ofSeconds(30);

  private final RelayContext context;
  private final Leases leases;
  private final PauseWatch pauses;
  private final TransportQuotas quotas;
  private final InFlightWindow inFlight;
  private final OwnedPartitions partitions;
  private final Circuits circuits;
  private final FencedWriteQueue writes;
  private final Sender sender;
  private final Reader reader;
  private final ParkedRetries retries;
  private final KeyFailures failures;
  private final ResultHandler outcomes;
  private final NodeHealth health;
  private final ResultQueue results = new ResultQueue();
  private final Handovers handovers;
  private final Runnable signal;
  private final DeleteQueue deletes;
  private int era;

  private boolean storeFailing;
  private long storeRetryNanos;

  /** When a round was last made to its end. */
  private volatile long completedNanos;

  private boolean stallTold;

  /** At the end of the last round. */
  private volatile int inFlightSize;

  /**
   * @param signal wakes the thread that runs the rounds
   * @param readsAhead runs a read while the send loop goes on
   */
  public SendLoop(
      RelayContext context,
      Transports transports,
      Leases leases,
      PauseWatch pauses,
      DeleteQueue deletes,
      Runnable signal,
      Executor readsAhead) {
    this.context = context;
    this.leases = leases;
    this.pauses = pauses;
    this.signal = signal;
    this.quotas = new TransportQuotas(transports, context.config().window());
    this.inFlight =
        new InFlightWindow(context.config().window(), context.config().partitioning(), quotas);
    this.health = new NodeHealth(context.config().leasing().restAfter());
    this.circuits = new Circuits(context);
    this.partitions =
        new OwnedPartitions(
            leases,
            context.config().partitioning(),
            context.store(),
            context.listener(),
            this::gone);
    this.writes = new FencedWriteQueue(context, inFlight, partitions::lost, refusedKeys());
    this.sender =
        new Sender(
            context, transports, inFlight, quotas, partitions, circuits, writes, this::result);
    this.handovers = new Handovers(context, inFlight, sender);
    this.deletes = deletes;
    Runnable startOver = () -> startOver(() -> {});
    this.reader =
        new Reader(context, inFlight, quotas, partitions, circuits, sender, readsAhead, startOver);
    this.retries =
        new ParkedRetries(
            context,
            inFlight,
            quotas,
            partitions,
            circuits,
            writes,
            sender,
            this::enqueued,
            reader::sawSequence);
    this.failures = new KeyFailures(context, partitions, writes, sender, retries);
    this.outcomes =
        new ResultHandler(
            context, results, inFlight, partitions, circuits, writes, deletes, failures, health);
    this.era = context.store().era();
    context.store().adopt(era);
    this.storeRetryNanos = context.time().nanoTime();
    this.completedNanos = storeRetryNanos;
  }

  /** The rounds begin: the time before does not count. */
  public void begin() {
    completedNanos = context.time().nanoTime();
  }

  /** How long no round has been made to its end; zero if that is usual. Thread-safe. */
  public Duration stalledFor() {
    Duration since = Duration.ofNanos(context.time().nanoTime() - completedNanos);
    return since.compareTo(STALLED_FROM) < 0 ? Duration.ZERO : since;
  }

  /**
   * Logs once that no round has been made to its end for long, and once that one has again.
   *
   * @param doing tells where the thread of the rounds is now
   */
  public void reportStall(Supplier<String> doing) {
    Duration stalled = stalledFor();
    if (!stalled.isZero() && !stallTold) {
      LOG.warn(
          "Relay {} has finished no round for {} and sends nothing meanwhile; it is in {}.",
          context.config().node(),
          DurationText.of(stalled.truncatedTo(ChronoUnit.SECONDS)),
          doing.get());
    } else if (stalled.isZero() && stallTold) {
      LOG.info("Relay {} finishes rounds again.", context.config().node());
    }
    stallTold = !stalled.isZero();
  }

  private void result(StoredMessage row, SendResult result) {
    results.add(row, result);
    signal.run();
  }

  /** Keyless rows that came into the outbox here belong to nobody else: no grace is needed. */
  private void enqueued(List<Position> rows) {
    for (Position row : rows) {
      if (!Partitioning.isKeyed(row.partition())) {
        handovers.add(row, Duration.ZERO);
      }
    }
    reader.hurry();
  }

  /**
   * Forgets all positions: from now on they may belong to other messages.
   *
   * @param then done while nothing with a position is under way to the database
   */
  private void startOver(Runnable then) {
    handovers.startOver();
    inFlight.disown();
    partitions.startOver();
    deletes.startOver(inFlight::id, then);
  }

  /** Another server took over, or a backup was restored: nothing may be written before it. */
  private void enterEra() {
    int current = context.store().era();
    if (current != era) {
      LOG.warn(
          "The database is another one than before, or an earlier state of it; reading everything"
              + " again.");
      reader.forget();
      startOver(() -> context.store().adopt(current));
      era = current;
      storeRetryNanos = context.time().nanoTime();
    }
  }

  private FencedWriteQueue.RefusedKeys refusedKeys() {
    return new FencedWriteQueue.RefusedKeys() {
      @Override
      public void refused(Subject key) {
        sender.leaveWaiting(key.partition(), key.keyHash());
      }

      @Override
      public void left(Subject key, long sequence) {
        PartitionState partition = partitions.get(key.partition());
        if (partition != null) {
          partition.leave(key.keyHash(), sequence);
        }
      }

      @Override
      public void written(Subject key) {
        PartitionState partition = partitions.get(key.partition());
        if (partition != null) {
          partition.resumeKey(key.keyHash());
          reader.hurry();
        }
      }
    };
  }

  /** True if the database records all that becomes of messages. Thread-safe. */
  public boolean recordsAll() {
    return writes.recordsAll() && retries.movesAll() && deletes.areTaken();
  }

  private void gone(Lease lease) {
    writes.drop(lease);
    sender.dropPartition(lease.partition());
  }

  /** Where committed keyless messages go; those that are too many are dropped. Thread-safe. */
  public Handovers handovers() {
    return handovers;
  }

  /**
   * Makes a partition be read soon. Thread-safe.
   *
   * @return true if the thread that runs the rounds is to be woken for it
   */
  public boolean wake(int partition) {
    return reader.wake(partition);
  }

  /**
   * Makes the send loop ask soon when the next delayed message is due. Thread-safe.
   *
   * @return true if the thread that runs the rounds is to be woken for it
   */
  public boolean wakeForDelayed() {
    return retries.delayedWritten();
  }

  /** Makes all partitions be read soon. Thread-safe. */
  public void wakeAll() {
    reader.wakeAll();
  }

  /**
   * Runs one round. Blocks for the database and at most {@code blockingMax} of a transport.
   *
   * @return true if the next round should follow at once
   */
  public boolean round() {
    boolean busy = outcomes.apply();
    try {
      enterEra();
      busy |= work();
    } catch (StoreException e) {
      storeFailed(e);
    }
    flush();
    inFlightSize = inFlight.size();
    if (health.needsRest(context.time().nanoTime()) && leases.rest()) {
      health.rested();
      LOG.warn("Every send of this node keeps failing; giving its partitions to others.");
    }
    return busy || !results.isEmpty();
  }

  /**
   * Sends what is committed now, in rounds until all of it was read, unless the database fails or
   * time runs out. Blocks.
   *
   * @param deadlineNanos no further round begins after it; there is always one
   */
  void lastRounds(long deadlineNanos) {
    reader.hurry();
    boolean busy = round();
    while ((reader.behind() || !handovers.isEmpty()) && !storeFailing) {
      if (context.time().nanoTime() - deadlineNanos >= 0) {
        return;
      }
      if (!busy) { // the window is full
        LockSupport.parkNanos(this, FULL_PAUSE.toNanos());
      }
      busy = round();
    }
  }

  /** Finishes what is in flight, and starts nothing. */
  public void drain() {
    outcomes.apply();
    writeAll();
    writes.dropRefused();
    flush();
  }

  /**
   * Makes the writes that are being gathered. Blocks.
   *
   * @return true if there were some
   */
  public boolean writeAll() {
    boolean some = !writes.idle();
    try {
      writes.runAll();
    } catch (StoreException e) {
      storeFailed(e);
    }
    return some && writes.idle();
  }

  /** Hands over; what earlier attempts of a key came to is stored even if its next one is off. */
  private void flush() {
    boolean held = areHeld(sender.keyedPartitions());
    reader.readFurther(); // not before: the question would wait for it
    sender.flush(held);
    sender.takeAbandoned().forEach(failures::resolve);
  }

  /** Asked last, after all reads: see {@link io.angarium.store.OutboxStore#held}. */
  private boolean areHeld(Set<Integer> keyed) {
    if (keyed.isEmpty()) {
      return true;
    }
    if (!partitions.valid() || context.time().nanoTime() - storeRetryNanos < 0) {
      return false;
    }
    try {
      partitions.dropTaken(keyed);
      return true;
    } catch (StoreException e) {
      storeFailed(e);
      return false;
    }
  }

  public boolean idle() {
    return inFlight.size() == 0;
  }

  private boolean work() {
    if (pauses.apply(circuits, inFlight)) {
      handovers.startOver(); // persons may have buried messages that were handed over meanwhile
    }
    boolean busy = handovers.takeRows();
    if (context.time().nanoTime() - storeRetryNanos < 0) {
      return busy;
    }
    partitions.sync(inFlight, deletes::refusedRows);
    writes.run();
    busy |= partitions.releaseDrained(inFlight, this::refusedRows);
    resumeGranted();
    quotas.takeResumed().forEach(reader::resume);
    busy |= handovers.readPlaces();
    busy |= retries.poll();
    busy |= reader.poll();
    writes.run();
    storeWorks();
    completedNanos = context.time().nanoTime();
    return busy;
  }

  /** Rows of a partition that are in flight for what the database refuses alone. */
  private int refusedRows(int partition) {
    return writes.refusedRows(partition) + deletes.refusedRows(partition);
  }

  private void resumeGranted() {
    boolean lookedAtAll = lookedAtAll();
    for (Destination destination : circuits.granted(d -> demand(d, lookedAtAll))) {
      reader.resume(destination);
      if (retries.holds(destination)) {
        retries.dueIn(Duration.ZERO);
      }
    }
  }

  private Demand demand(Destination destination, boolean lookedAtAll) {
    if (quotas.holds(destination)) {
      return Demand.UNKNOWN; // it is not for want of permits
    }
    if (partitions.holds(destination) || retries.holds(destination)) {
      return Demand.HELD;
    }
    return lookedAtAll ? Demand.NONE : Demand.UNKNOWN;
  }

  /** True if the last round looked at everything that waits in the database. */
  private boolean lookedAtAll() {
    return !storeFailing
        && partitions.valid()
        && writes.idle()
        && !reader.behind()
        && !retries.behind();
  }

  private void storeFailed(StoreException cause) {
    storeRetryNanos = context.time().nanoTime() + STORE_PAUSE.toNanos();
    reader.hurry();
    if (!storeFailing) {
      storeFailing = true;
      LOG.warn("The database cannot be used; trying again. {}", cause.getMessage());
    }
    LOG.debug("The database cannot be used", cause);
    context.listener().storeFailed("relay", cause);
  }

  private void storeWorks() {
    if (storeFailing && context.time().nanoTime() - storeRetryNanos >= 0) {
      storeFailing = false;
      LOG.info("The database works again.");
    }
  }

  /** Nanoseconds the thread may rest unless signalled. */
  long nanosToDue() {
    if (storeFailing) {
      return STORE_PAUSE.toNanos();
    }
    if (!partitions.valid()) {
      return UNOWNED_PAUSE.toNanos();
    }
    long due = Math.min(retries.nanosToDue(), writes.nanosToDue());
    return partitions.isEmpty() ? UNOWNED_PAUSE.toNanos() : Math.min(due, reader.nanosToDue());
  }

  /** All circuits that are not closed. Thread-safe. */
  public Map<Destination, CircuitState> circuits() {
    return circuits.states();
  }

  /** All circuits that are open or tried, with their reasons. Thread-safe. */
  List<CircuitStatus> circuitStatus() {
    return circuits.status();
  }

  /** How many messages are in flight. Thread-safe. */
  int inFlight() {
    return inFlightSize;
  }
}
