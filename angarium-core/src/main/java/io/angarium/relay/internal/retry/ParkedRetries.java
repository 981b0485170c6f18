package io.angarium.relay.internal.retry;

import io.angarium.Destination;
import io.angarium.StoreException;
import io.angarium.intake.Position;
import io.angarium.intake.StoredMessage;
import io.angarium.relay.internal.flight.InFlightWindow;
import io.angarium.relay.internal.flight.TransportQuotas;
import io.angarium.relay.internal.partition.OwnedPartitions;
import io.angarium.relay.internal.read.ReadBudget;
import io.angarium.relay.internal.send.Circuits;
import io.angarium.relay.internal.send.Sender;
import io.angarium.relay.internal.settings.RelayContext;
import io.angarium.relay.internal.write.FencedWriteQueue;
import io.angarium.store.ReadLimit;
import io.angarium.store.ReadRows;
import io.angarium.store.WorkHint;
import io.angarium.store.WriteRefusedException;
import io.angarium.store.lease.Lease;
import io.angarium.store.lease.LeaseLostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * Sends parked messages again when they are due, and moves delayed ones into the outbox when their
 * time has come. Not thread-safe: one thread at a time.
 */
public final class ParkedRetries {
  private static final int HEADS_MAX = 500;

  /** So many looks in a row leave out more and more destinations whose results are slow. */
  private static final int LOOKS_MAX = 10;

  private static final int GROUP_MAX = 500;
  private static final int DELAYED_MAX = 1_000;

  /** The most due times that are kept; idle polls find what is due at further times. */
  private static final int DUE_MAX = 10_000;

  /** What a destination that is left out costs of the time until the next look. */
  private static final long EXCEPT_NANOS = 10_000;

  /** After a commit of delayed messages passes so much time before the store is asked for them. */
  private static final Duration WRITTEN_PAUSE = Duration.ofMillis(50);

  private final RelayContext context;
  private final InFlightWindow inFlight;
  private final ReadBudget room;
  private final OwnedPartitions partitions;
  private final Circuits circuits;
  private final FencedWriteQueue writes;
  private final Sender sender;
  private final Consumer<List<Position>> onEnqueued;
  private final LongConsumer onSequence;
  private final Set<Destination> held = new HashSet<>();
  private final RefusedDelayed delayed;
  private final NavigableSet<Long> dueTicks = new TreeSet<>();
  private final long startNanos;
  private final long tickNanos;
  private boolean behind;

  /** The next look is made for something that will be due then. */
  private boolean expected;

  /** Delayed messages are due, or soon: the store is asked for the next ones behind them. */
  private boolean announced;

  private volatile boolean delayedWritten;
  private long askedNanos;
  private long polledNanos;

  /** A look that leaves out many destinations is made less often. */
  private long restUntilNanos;

  private long refreshNanos;
  private long nextNanos;

  /**
   * @param onEnqueued told where delayed messages came into the outbox
   * @param onSequence told the last sequence when it was asked for, too
   */
  public ParkedRetries(
      RelayContext context,
      InFlightWindow inFlight,
      TransportQuotas quotas,
      OwnedPartitions partitions,
      Circuits circuits,
      FencedWriteQueue writes,
      Sender sender,
      Consumer<List<Position>> onEnqueued,
      LongConsumer onSequence) {
    this.context = context;
    this.inFlight = inFlight;
    this.room = new ReadBudget(context.config().window(), inFlight, quotas, context.time());
    this.partitions = partitions;
    this.circuits = circuits;
    this.writes = writes;
    this.sender = sender;
    this.onEnqueued = onEnqueued;
    this.onSequence = onSequence;
    this.delayed = new RefusedDelayed(context);
    this.startNanos = context.time().nanoTime();
    this.tickNanos = Math.max(1_000_000, context.config().polling().busy().toNanos());
    this.nextNanos = startNanos;
    this.refreshNanos = startNanos;
    this.restUntilNanos = startNanos;
    this.polledNanos = startNanos - context.config().polling().busy().toNanos();
    this.askedNanos = startNanos - WRITTEN_PAUSE.toNanos();
  }

  /** True if the database takes all delayed messages that are due. Thread-safe. */
  public boolean movesAll() {
    return delayed.isEmpty();
  }

  /** Something will be due after a pause. */
  public void dueIn(Duration pause) {
    behind |= pause.isZero();
    long at = context.time().nanoTime() + pause.toNanos();
    if (at - nextNanos < 0) {
      nextNanos = at;
      expected = true;
    }
    if (dueTicks.size() < DUE_MAX) {
      dueTicks.add((at - startNanos + tickNanos - 1) / tickNanos);
    }
  }

  /**
   * Delayed messages have committed: one may be due before the next look. Thread-safe.
   *
   * @return true if the thread that looks must be woken for it
   */
  public boolean delayedWritten() {
    boolean told = delayedWritten;
    delayedWritten = true;
    return !told;
  }

  /** The next look, if nothing else becomes known: when something is due, or an idle pause on. */
  private long nextAfter(long nowNanos) {
    dueTicks.headSet((nowNanos - startNanos) / tickNanos, true).clear();
    long idle = nowNanos + context.config().polling().idle().toNanos();
    long due = dueTicks.isEmpty() ? idle : startNanos + dueTicks.first() * tickNanos;
    expected = due - idle < 0;
    return expected ? due : idle;
  }

  /**
   * Nanoseconds until the next poll. Retries of many keys become due one after the other; one poll
   * finds all that become due within a busy pause.
   */
  public long nanosToDue() {
    long now = context.time().nanoTime();
    long due = nextNanos - now;
    if (delayedWritten) {
      due = Math.min(due, askedNanos + WRITTEN_PAUSE.toNanos() - now);
    }
    long busy = polledNanos + context.config().polling().busy().toNanos();
    return Math.max(due, Math.max(busy - now, restUntilNanos - now));
  }

  /** True if due messages of a destination were left where they are for want of a permit. */
  public boolean holds(Destination destination) {
    return held.contains(destination);
  }

  /** True if more is due, as far as is known, than the last look found. */
  public boolean behind() {
    return behind;
  }

  /**
   * Looks for due messages, if it is time to. Blocks.
   *
   * @return true if something was sent or moved
   */
  public boolean poll() {
    if (!delayed.isEmpty()) {
      delayed.keep(leases());
    }
    if (partitions.isEmpty()) {
      held.clear();
      behind = false;
    }
    if (nanosToDue() > 0 || partitions.isEmpty() || !partitions.valid()) {
      return false;
    }
    polledNanos = context.time().nanoTime();
    boolean known = behind || (expected && nextNanos - polledNanos <= 0);
    nextNanos = nextAfter(polledNanos);
    boolean due = (!known || announced || delayedWritten || askedLongAgo()) && anyDue();
    boolean some = (known || due) && moveDue();
    refreshBlockedKeys();
    if (some) {
      dueIn(context.config().polling().busy());
    }
    return some;
  }

  private boolean askedLongAgo() {
    return polledNanos - askedNanos >= context.config().polling().idle().toNanos();
  }

  /**
   * Asks the store whether messages are due that this node does not know of: delayed messages,
   * requeued ones, and messages that other nodes parked.
   */
  private boolean anyDue() {
    boolean written = delayedWritten;
    delayedWritten = false; // first: who commits from now on asks again
    askedNanos = polledNanos;
    WorkHint glance = glance(written);
    onSequence.accept(glance.lastSequence());
    Duration untilDue = glance.untilDue();
    announced = glance.due() || untilDue != null;
    if (untilDue != null) {
      dueIn(untilDue);
    }
    if (!glance.due()) {
      held.clear();
    }
    return glance.due();
  }

  private WorkHint glance(boolean written) {
    try {
      return context.store().glance(active(), ahead());
    } catch (StoreException e) {
      if (written) {
        delayedWritten = true; // not answered
      }
      throw e;
    }
  }

  /** Beyond the next look, though that may come late. */
  private Duration ahead() {
    return context.config().polling().idle().multipliedBy(2);
  }

  private boolean moveDue() {
    boolean sent = sendDue();
    return enqueueDue() || sent;
  }

  private Set<Integer> active() {
    Set<Integer> active = new HashSet<>();
    partitions.active().forEach(p -> active.add(p.partition));
    return active;
  }

  /** Keys that were freed by others: it reads all that are blocked, so not at each look. */
  private void refreshBlockedKeys() {
    if (polledNanos - refreshNanos < 0) {
      return;
    }
    writes.runAll();
    if (writes.idle()) {
      partitions.refreshBlockedKeys(writes::refuses);
      refreshNanos = polledNanos + context.config().polling().idle().toNanos();
    }
  }

  private boolean sendDue() {
    Set<Integer> active = active();
    held.removeIf(destination -> !circuits.rests(destination)); // of the others it is known anew
    Set<Destination> except = new HashSet<>(held);
    boolean sent = false;
    boolean further = true;
    for (int look = 0; further && look < LOOKS_MAX; look++) {
      behind = true; // unless the look shows something else
      if (inFlight.free(1) == 0) {
        break;
      }
      ReadRows due = dueHeads(active, except);
      List<StoredMessage> heads = due.rows();
      behind = !due.more().isEmpty();
      Map<Destination, Integer> underWay = underWay(heads);
      sent |= send(heads);
      further = behind && leaveOut(underWay, heads.size(), except);
    }
    behind |= except.stream().anyMatch(destination -> !circuits.rests(destination));
    restUntilNanos = polledNanos + except.size() * EXCEPT_NANOS;
    return sent;
  }

  private ReadRows dueHeads(Set<Integer> active, Set<Destination> except) {
    try {
      ReadRows due = context.store().dueHeads(active, except, limit(HEADS_MAX));
      due.rows().forEach(head -> room.saw(head.message().payload().length));
      return due;
    } catch (StoreException e) {
      room.careful();
      throw e;
    }
  }

  private boolean send(List<StoredMessage> heads) {
    boolean sent = false;
    for (StoredMessage head : heads) {
      sent |= !isUnderWay(head) && send(head);
    }
    return sent;
  }

  /** How many heads of each destination were sent already and have no result yet. */
  private Map<Destination, Integer> underWay(List<StoredMessage> heads) {
    Map<Destination, Integer> underWay = new HashMap<>();
    for (StoredMessage head : heads) {
      if (isUnderWay(head)) {
        underWay.merge(head.message().destination(), 1, Integer::sum);
      }
    }
    return underWay;
  }

  /**
   * Leaves out destinations that fill so much of a look with what is under way, or has no permit,
   * that others may have no place in it.
   *
   * @return false if there is none; then there was room for some that are not under way
   */
  private boolean leaveOut(Map<Destination, Integer> underWay, int heads, Set<Destination> except) {
    int share = Math.max(1, heads / (underWay.size() + 1));
    underWay.values().removeIf(count -> count < share);
    boolean changed = except.addAll(underWay.keySet());
    return except.addAll(held) || changed;
  }

  private boolean isUnderWay(StoredMessage head) {
    return head.isKeyed() ? sender.key(head.keyHash()) != null : inFlight.contains(head.position());
  }

  private boolean send(StoredMessage head) {
    Destination destination = head.message().destination();
    if (circuits.rests(destination)) {
      held.add(destination);
      return false;
    }
    return head.isKeyed() ? sendKeyed(head) : sender.offerParked(head);
  }

  /** A head that failed before goes alone; the others of its key follow once it is through. */
  private boolean sendKeyed(StoredMessage head) {
    long hash = head.keyHash();
    int partition = head.position().partition();
    List<StoredMessage> rows =
        head.attempts() > 0
            ? List.of(head)
            : context.store().parkedOfKey(partition, hash, limit(GROUP_MAX));
    return !rows.isEmpty() && sender.offerParkedGroup(hash, partition, rows);
  }

  private ReadLimit limit(int rowsMax) {
    return room.side(Math.max(1, Math.min(rowsMax, inFlight.free(1))));
  }

  private List<Lease> leases() {
    List<Lease> leases = new ArrayList<>();
    partitions.active().forEach(p -> leases.add(p.lease));
    return leases;
  }

  private boolean enqueueDue() {
    List<Lease> leases = leases();
    leases.removeIf(delayed::rests);
    List<Position> moved = enqueueDue(leases);
    if (!moved.isEmpty()) {
      onEnqueued.accept(moved);
    }
    return !moved.isEmpty();
  }

  /** A lost lease must not keep the delayed messages of the others back. */
  private List<Position> enqueueDue(List<Lease> leases) {
    try {
      List<Position> moved = context.store().enqueueDue(leases, DELAYED_MAX);
      leases.forEach(delayed::taken);
      return moved;
    } catch (LeaseLostException | WriteRefusedException e) {
      List<Position> moved = new ArrayList<>();
      for (Lease lease : leases) {
        moved.addAll(enqueueDue(lease));
      }
      return moved;
    }
  }

  private List<Position> enqueueDue(Lease lease) {
    try {
      List<Position> moved = context.store().enqueueDue(List.of(lease), DELAYED_MAX);
      delayed.taken(lease);
      return moved;
    } catch (LeaseLostException e) {
      partitions.lost(lease);
      return List.of();
    } catch (WriteRefusedException e) {
      delayed.refused(lease, e);
      return List.of();
    }
  }
}
