package io.angarium.relay.internal.write;

import io.angarium.StoreException;
import io.angarium.intake.Position;
import io.angarium.relay.internal.flight.InFlightWindow;
import io.angarium.relay.internal.settings.RelayContext;
import io.angarium.relay.internal.write.QueuedWrite.Alone;
import io.angarium.relay.internal.write.QueuedWrite.Note;
import io.angarium.relay.internal.write.QueuedWrite.Park;
import io.angarium.relay.internal.write.QueuedWrite.Settle;
import io.angarium.relay.internal.write.QueuedWrite.Subject;
import io.angarium.store.ParkedEntry;
import io.angarium.store.ParkedOutcome;
import io.angarium.store.WriteRefusedException;
import io.angarium.store.lease.Lease;
import io.angarium.store.lease.LeaseLostException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The writes that only a partition's owner may make, in the order they were decided, each tried
 * until the database took it or the lease is gone. They are gathered for as long as acknowledged
 * rows wait for their delete, so that a few poison keys do not cost healthy ones a commit each
 * round. Not thread-safe: one thread at a time.
 */
public final class FencedWriteQueue {
  private static final Logger LOG = LoggerFactory.getLogger(FencedWriteQueue.class);
  private static final Duration RETRY_PAUSE = Duration.ofMillis(100);
  private static final int RETRIED_MAX = 20;

  private final RelayContext context;
  private final InFlightWindow inFlight;
  private final Consumer<Lease> onLost;
  private final RefusedKeys keys;
  private final RefusedWrites refused = new RefusedWrites();
  private final Deque<QueuedWrite> queue = new ArrayDeque<>();
  private final Map<Lease, List<ParkedEntry>> followers = new LinkedHashMap<>();
  private final Map<Long, Integer> followersPerKey = new HashMap<>();
  private long retryAtNanos;
  private long dueAtNanos;
  private int gathered;

  /** Hears what becomes of the other rows of a key after a write of it is refused. */
  public interface RefusedKeys {
    /** A write of the key is refused for the first time. */
    void refused(Subject key);

    /** A row stays in the outbox meanwhile. */
    void left(Subject key, long sequence);

    /** All is written: what was left is read again. */
    void written(Subject key);
  }

  /**
   * @param onLost called when a write finds its lease lost
   */
  public FencedWriteQueue(
      RelayContext context, InFlightWindow inFlight, Consumer<Lease> onLost, RefusedKeys keys) {
    this.keys = keys;
    this.context = context;
    this.inFlight = inFlight;
    this.onLost = onLost;
    this.retryAtNanos = context.time().nanoTime();
  }

  public void add(
      Lease lease, Subject subject, Runnable action, List<Position> rows, Runnable done) {
    add(new QueuedWrite(lease, subject, new Alone(action), rows, done));
  }

  /** Does something once all that was added before of a key is written. */
  public void afterwards(Lease lease, long keyHash, List<Position> rows, Runnable done) {
    Subject subject = Subject.ofKey(lease.partition(), keyHash);
    add(new QueuedWrite(lease, subject, new Note(), rows, done));
  }

  /** Parks the row that its key, or it alone, waits for; many are written at once. */
  public void parkHead(Lease lease, ParkedEntry head, Runnable done) {
    Subject subject = Subject.of(head.position(), head.keyHash());
    add(new QueuedWrite(lease, subject, new Park(List.of(head)), List.of(head.position()), done));
  }

  /**
   * Stores what became of parked messages; many keys are written at once.
   *
   * @param settled told whether more of the key is parked
   */
  public void settle(ParkedOutcome settlement, List<Position> rows, Consumer<Boolean> settled) {
    Settle step = new Settle(settlement, settled);
    Subject subject = Subject.of(settlement);
    add(new QueuedWrite(settlement.lease(), subject, step, rows, () -> {}));
  }

  /** Parks a row behind the others of its key; many are written at once. */
  public void follow(Lease lease, ParkedEntry follower) {
    gather();
    followers.computeIfAbsent(lease, l -> new ArrayList<>()).add(follower);
    followersPerKey.merge(follower.keyHash(), 1, Integer::sum);
  }

  /** True if rows of a key are on their way into the parked list. */
  public boolean hasFollowers(long keyHash) {
    return followersPerKey.containsKey(keyHash);
  }

  /** Puts the gathered followers in the queue, so that what is added next comes after them. */
  public void queueFollowers() {
    followers.forEach(this::addFollowers);
    followers.clear();
  }

  private void add(QueuedWrite write) {
    RefusedWrites.Chain chain = refused.of(write.subject);
    if (chain == null) {
      gather();
      queue.add(write);
    } else {
      addTo(chain, write);
    }
  }

  /** Rows that would only follow stay in the outbox, so that they take no place in the window. */
  private void addTo(RefusedWrites.Chain chain, QueuedWrite write) {
    if (write.isFollowing()) {
      write.rows.forEach(row -> keys.left(chain.subject, row.sequence()));
      drop(write);
    } else {
      chain.writes.add(write);
    }
  }

  /** True if a write of the key is refused, so that its rows stay where they are. */
  public boolean refuses(int partition, long keyHash) {
    return refused.of(Subject.ofKey(partition, keyHash)) != null;
  }

  /** True if the database refuses no write for good. Thread-safe. */
  public boolean recordsAll() {
    return refused.isEmpty();
  }

  /** Rows of a partition that are in flight for refused writes alone. */
  public int refusedRows(int partition) {
    return refused.rows(partition);
  }

  /** Forgets what is refused: the next owner decides anew. */
  public void dropRefused() {
    refused.dropAll().forEach(this::drop);
  }

  private void gather() {
    if (idle()) {
      dueAtNanos = context.time().nanoTime() + context.config().window().deletePause().toNanos();
      gathered = 0;
    }
    gathered++;
  }

  public boolean idle() {
    return queue.isEmpty() && followers.isEmpty();
  }

  /** Makes the writes that are waiting, if it is time to. Blocks. */
  public void run() {
    if (nanosToDue() <= 0) {
      runAll();
    }
  }

  /** Makes all writes that are waiting, unless the database has just refused one. Blocks. */
  public void runAll() {
    queueFollowers();
    if (context.time().nanoTime() - retryAtNanos < 0) {
      return;
    }
    for (QueuedWrite write = queue.peek(); write != null; write = queue.peek()) {
      if (!run(WriteBatch.with(write, queue))) {
        return;
      }
    }
    if (!refused.isEmpty()) {
      retryRefused();
    }
  }

  /** Some of those that are due; many at a time would keep the others waiting. */
  private void retryRefused() {
    for (RefusedWrites.Chain chain : refused.due(context.time().nanoTime(), RETRIED_MAX)) {
      if (!retry(chain)) {
        return;
      }
    }
  }

  /**
   * @return false if the database does not answer
   */
  private boolean retry(RefusedWrites.Chain chain) {
    for (QueuedWrite next = chain.writes.peek(); next != null; next = chain.writes.peek()) {
      try {
        write(List.of(next));
        chain.writes.remove(next);
      } catch (LeaseLostException e) {
        drop(next.lease);
        onLost.accept(next.lease);
        return true;
      } catch (WriteRefusedException e) {
        context.listener().storeFailed("record a failure", e);
        chain.rest(context.time().nanoTime());
        LOG.debug("The database still refuses to record what became of {}", next, e);
        return true;
      } catch (StoreException e) {
        rest(e);
        return false;
      }
    }
    if (refused.of(chain.subject) == chain) { // not dropped with its lease meanwhile
      end(chain);
    }
    return true;
  }

  private void end(RefusedWrites.Chain chain) {
    refused.end(chain);
    LOG.info("The database has recorded what it refused before, of {}.", chain.subject);
    keys.written(chain.subject);
  }

  private void addFollowers(Lease lease, List<ParkedEntry> parkings) {
    Map<Long, List<ParkedEntry>> perKey = new LinkedHashMap<>();
    parkings.forEach(p -> perKey.computeIfAbsent(p.keyHash(), k -> new ArrayList<>()).add(p));
    perKey.forEach((key, ofKey) -> addFollowers(lease, key, ofKey));
  }

  private void addFollowers(Lease lease, long keyHash, List<ParkedEntry> parkings) {
    List<Position> rows = parkings.stream().map(ParkedEntry::position).toList();
    Runnable written = () -> written(parkings);
    Subject subject = Subject.ofKey(lease.partition(), keyHash);
    QueuedWrite write = new QueuedWrite(lease, subject, new Park(parkings), rows, written, written);
    RefusedWrites.Chain chain = refused.of(subject);
    if (chain == null) {
      queue.add(write);
    } else {
      addTo(chain, write);
    }
  }

  private void written(List<ParkedEntry> parkings) {
    for (ParkedEntry parking : parkings) {
      followersPerKey.computeIfPresent(parking.keyHash(), (k, n) -> n == 1 ? null : n - 1);
    }
  }

  private boolean run(List<QueuedWrite> together) {
    try {
      write(together);
      return true;
    } catch (LeaseLostException e) {
      return runWithoutLost(together);
    } catch (WriteRefusedException e) {
      context.listener().storeFailed("record a failure", e);
      return runRefused(together, e);
    } catch (StoreException e) {
      rest(e);
      return false;
    }
  }

  private void rest(StoreException cause) {
    context.listener().storeFailed("record a failure", cause);
    retryAtNanos = context.time().nanoTime() + RETRY_PAUSE.toNanos();
  }

  /** Nothing was written, since one of them is refused; the others are written one by one. */
  private boolean runRefused(List<QueuedWrite> together, WriteRefusedException cause) {
    if (together.size() == 1) {
      setAside(together.get(0), cause);
      return true;
    }
    for (QueuedWrite write : together) {
      boolean waits = !write.ended && refused.of(write.subject) == null;
      if (waits && !run(List.of(write))) {
        return false;
      }
    }
    return true;
  }

  private void setAside(QueuedWrite write, WriteRefusedException cause) {
    LOG.error(
        "The database refuses to record what became of {}: {} Its key waits, all others go on."
            + " Mend what the error names, a privilege, a constraint, a trigger or an encoding; the"
            + " writes that are refused are tried again in turn, some in each minute.",
        write,
        cause.getMessage());
    RefusedWrites.Chain chain = refused.begin(write.subject);
    chain.rest(context.time().nanoTime());
    List<QueuedWrite> ofSubject =
        queue.stream().filter(other -> other.subject.equals(write.subject)).toList();
    remove(ofSubject);
    chain.writes.add(write);
    ofSubject.stream().filter(other -> other != write).forEach(other -> addTo(chain, other));
    keys.refused(write.subject);
  }

  /**
   * Writes the rows of each lease separately after a lost lease kept the whole batch from being
   * written. Only the writes of the lost lease are dropped.
   */
  private boolean runWithoutLost(List<QueuedWrite> together) {
    Map<Lease, List<QueuedWrite>> perLease = new LinkedHashMap<>();
    together.forEach(
        write -> perLease.computeIfAbsent(write.lease, l -> new ArrayList<>()).add(write));
    if (perLease.size() == 1) {
      Lease lost = together.get(0).lease;
      drop(lost);
      onLost.accept(lost);
      return true;
    }
    for (List<QueuedWrite> ofLease : perLease.values()) {
      if (!run(ofLease)) {
        return false;
      }
    }
    return true;
  }

  private void write(List<QueuedWrite> together) {
    if (together.get(0).step instanceof Alone alone) {
      alone.action().run();
    }
    park(together);
    Set<Long> stillBlocked = settle(together);
    remove(together);
    for (QueuedWrite written : together) {
      if (written.step instanceof Settle settle) {
        settle.settled().accept(stillBlocked.contains(settle.settlement().keyHash()));
      }
      written.rows.forEach(inFlight::remove);
      written.done.run();
    }
  }

  private void park(List<QueuedWrite> together) {
    Set<Lease> leases = new LinkedHashSet<>();
    List<ParkedEntry> parkings = new ArrayList<>();
    for (QueuedWrite write : together) {
      if (write.step instanceof Park park) {
        leases.add(write.lease);
        parkings.addAll(park.parkings());
      }
    }
    if (!parkings.isEmpty()) {
      context.store().park(leases, parkings);
    }
  }

  private Set<Long> settle(List<QueuedWrite> together) {
    List<ParkedOutcome> settlements = new ArrayList<>(together.size());
    for (QueuedWrite write : together) {
      if (write.step instanceof Settle settle) {
        settlements.add(settle.settlement());
      }
    }
    return settlements.isEmpty() ? Set.of() : context.store().settleParked(settlements);
  }

  private void remove(List<QueuedWrite> written) {
    if (written.size() == 1) {
      queue.remove(written.get(0));
      return;
    }
    Set<QueuedWrite> gone = new HashSet<>(written);
    queue.removeIf(gone::contains);
  }

  /** Forgets the writes of a lease that is gone: the new owner decides anew. */
  public void drop(Lease lease) {
    queueFollowers();
    queue.removeIf(write -> write.lease.equals(lease) && drop(write));
    refused.drop(lease).forEach(this::drop);
  }

  private boolean drop(QueuedWrite write) {
    write.ended = true;
    write.rows.forEach(inFlight::remove);
    write.dropped.run();
    return true;
  }

  /** Nanoseconds until a write may be tried; {@link Long#MAX_VALUE} if none waits. */
  public long nanosToDue() {
    long now = context.time().nanoTime();
    if (idle()) {
      return Math.max(refused.nanosToDue(now), retryAtNanos - now);
    }
    long toDue = gathered < WriteBatch.MAX ? dueAtNanos - now : 0;
    return Math.max(toDue, retryAtNanos - now);
  }
}
