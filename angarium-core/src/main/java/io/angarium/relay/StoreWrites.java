package io.angarium.relay;

import io.angarium.relay.QueuedWrite.Alone;
import io.angarium.relay.QueuedWrite.Note;
import io.angarium.relay.QueuedWrite.Park;
import io.angarium.relay.QueuedWrite.Settle;
import io.angarium.store.Lease;
import io.angarium.store.LeaseLostException;
import io.angarium.store.Parking;
import io.angarium.store.Position;
import io.angarium.store.Settlement;
import io.angarium.store.StoreException;
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

/**
 * The writes that only a partition's owner may make, in the order they were decided, each tried
 * until the database took it or the lease is gone. They are gathered for as long as acknowledged
 * rows wait for their delete, so that a few poison keys do not cost healthy ones a commit each
 * round. Not thread-safe: one thread at a time.
 */
final class StoreWrites {
  private static final Duration RETRY_PAUSE = Duration.ofMillis(100);

  private final RelayContext context;
  private final Flights flights;
  private final Consumer<Lease> onLost;
  private final Deque<QueuedWrite> queue = new ArrayDeque<>();
  private final Map<Lease, List<Parking>> followers = new LinkedHashMap<>();
  private final Map<Long, Integer> followersPerKey = new HashMap<>();
  private long retryAtNanos;
  private long dueAtNanos;
  private int gathered;

  /**
   * @param onLost called when a write finds its lease lost
   */
  StoreWrites(RelayContext context, Flights flights, Consumer<Lease> onLost) {
    this.context = context;
    this.flights = flights;
    this.onLost = onLost;
    this.retryAtNanos = context.time().nanoTime();
  }

  void add(Lease lease, Runnable action, List<Position> rows, Runnable done) {
    add(new QueuedWrite(lease, new Alone(action), rows, done));
  }

  /** Does something once all that was added before is written. */
  void afterwards(Lease lease, List<Position> rows, Runnable done) {
    add(new QueuedWrite(lease, new Note(), rows, done));
  }

  /** Parks the row that its key, or it alone, waits for; many are written at once. */
  void parkHead(Lease lease, Parking head, Runnable done) {
    add(new QueuedWrite(lease, new Park(List.of(head)), List.of(head.position()), done));
  }

  /**
   * Stores what became of parked messages; many keys are written at once.
   *
   * @param settled told whether more of the key is parked
   */
  void settle(Settlement settlement, List<Position> rows, Consumer<Boolean> settled) {
    Settle step = new Settle(settlement, settled);
    add(new QueuedWrite(settlement.lease(), step, rows, () -> {}));
  }

  /** Parks a row behind the others of its key; many are written at once. */
  void follow(Lease lease, Parking follower) {
    gather();
    followers.computeIfAbsent(lease, l -> new ArrayList<>()).add(follower);
    followersPerKey.merge(follower.keyHash(), 1, Integer::sum);
  }

  /** True if rows of a key are on their way into the parked list. */
  boolean hasFollowers(long keyHash) {
    return followersPerKey.containsKey(keyHash);
  }

  /** Puts the gathered followers in the queue, so that what is added next comes after them. */
  void queueFollowers() {
    followers.forEach(this::addFollowers);
    followers.clear();
  }

  private void add(QueuedWrite write) {
    gather();
    queue.add(write);
  }

  private void gather() {
    if (idle()) {
      dueAtNanos = context.time().nanoTime() + context.config().window().deletePause().toNanos();
      gathered = 0;
    }
    gathered++;
  }

  boolean idle() {
    return queue.isEmpty() && followers.isEmpty();
  }

  /** Makes the writes that are waiting, if it is time to. Blocks. */
  void run() {
    if (nanosToDue() <= 0) {
      runAll();
    }
  }

  /** Makes all writes that are waiting, unless the database has just refused one. Blocks. */
  void runAll() {
    queueFollowers();
    if (queue.isEmpty() || context.time().nanoTime() - retryAtNanos < 0) {
      return;
    }
    for (QueuedWrite write = queue.peek(); write != null; write = queue.peek()) {
      if (!run(Together.with(write, queue))) {
        return;
      }
    }
  }

  private void addFollowers(Lease lease, List<Parking> parkings) {
    List<Position> rows = parkings.stream().map(Parking::position).toList();
    Runnable written = () -> written(parkings);
    queue.add(new QueuedWrite(lease, new Park(parkings), rows, written, written));
  }

  private void written(List<Parking> parkings) {
    for (Parking parking : parkings) {
      followersPerKey.computeIfPresent(parking.keyHash(), (k, n) -> n == 1 ? null : n - 1);
    }
  }

  private boolean run(List<QueuedWrite> together) {
    try {
      write(together);
      return true;
    } catch (LeaseLostException e) {
      return runWithoutLost(together);
    } catch (StoreException e) {
      context.listener().storeFailed("record a failure", e);
      retryAtNanos = context.time().nanoTime() + RETRY_PAUSE.toNanos();
      return false;
    }
  }

  /** Nothing was written, since a lease is lost; those of the other leases are. */
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
    Set<Long> stillParked = settle(together);
    remove(together);
    for (QueuedWrite written : together) {
      if (written.step instanceof Settle settle) {
        settle.settled().accept(stillParked.contains(settle.settlement().keyHash()));
      }
      written.rows.forEach(flights::remove);
      written.done.run();
    }
  }

  private void park(List<QueuedWrite> together) {
    Set<Lease> leases = new LinkedHashSet<>();
    List<Parking> parkings = new ArrayList<>();
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
    List<Settlement> settlements = new ArrayList<>(together.size());
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
  void drop(Lease lease) {
    queueFollowers();
    queue.removeIf(write -> write.lease.equals(lease) && drop(write));
  }

  private boolean drop(QueuedWrite write) {
    write.rows.forEach(flights::remove);
    write.dropped.run();
    return true;
  }

  /** Nanoseconds until a write may be tried; {@link Long#MAX_VALUE} if none waits. */
  long nanosToDue() {
    if (idle()) {
      return Long.MAX_VALUE;
    }
    long now = context.time().nanoTime();
    long toDue = gathered < Together.MAX ? dueAtNanos - now : 0;
    return Math.max(toDue, retryAtNanos - now);
  }
}
