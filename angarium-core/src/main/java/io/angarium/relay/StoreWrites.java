package io.angarium.relay;

import io.angarium.store.Lease;
import io.angarium.store.LeaseLostException;
import io.angarium.store.Parking;
import io.angarium.store.Position;
import io.angarium.store.StoreException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The writes that only a partition's owner may make, in the order they were decided, each tried
 * until the database took it or the lease is gone. Not thread-safe: one thread at a time.
 */
final class StoreWrites {
  private static final Duration RETRY_PAUSE = Duration.ofMillis(100);
  private static final int HEADS_MAX = 500;

  private final RelayContext context;
  private final Flights flights;
  private final Consumer<Lease> onLost;
  private final Deque<Write> queue = new ArrayDeque<>();
  private final Map<Lease, List<Parking>> followers = new LinkedHashMap<>();
  private final Map<Long, Integer> followersPerKey = new HashMap<>();
  private long retryAtNanos;

  /**
   * A write, the rows that leave the flight with it, and what follows its success.
   *
   * @param head what a write parks that may be written together with others; null for any other
   * @param note true if nothing is written
   */
  private record Write(
      Lease lease,
      Runnable action,
      List<Position> rows,
      Runnable done,
      Runnable dropped,
      @Nullable Parking head,
      boolean note) {}

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
    queue.add(new Write(lease, action, rows, done, () -> {}, null, false));
  }

  /** Does something once all that was added before is written. */
  void afterwards(Lease lease, List<Position> rows, Runnable done) {
    queue.add(new Write(lease, () -> {}, rows, done, () -> {}, null, true));
  }

  /** Parks the row that its key, or it alone, waits for; many are written at once. */
  void parkHead(Lease lease, Parking head, Runnable done) {
    List<Position> rows = List.of(head.position());
    queue.add(new Write(lease, () -> {}, rows, done, () -> {}, head, false));
  }

  /** Parks a row behind the others of its key; many are written at once. */
  void follow(Lease lease, Parking follower) {
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

  boolean idle() {
    return queue.isEmpty() && followers.isEmpty();
  }

  /** Makes the writes that are waiting. Blocks. */
  void run() {
    queueFollowers();
    if (queue.isEmpty() || context.time().nanoTime() - retryAtNanos < 0) {
      return;
    }
    for (Write write = queue.peek(); write != null; write = queue.peek()) {
      if (!run(write)) {
        return;
      }
    }
  }

  private void addFollowers(Lease lease, List<Parking> parkings) {
    List<Position> rows = parkings.stream().map(Parking::position).toList();
    Runnable written = () -> written(parkings);
    queue.add(
        new Write(
            lease,
            () -> context.store().park(lease, parkings),
            rows,
            written,
            written,
            null,
            false));
  }

  private void written(List<Parking> parkings) {
    for (Parking parking : parkings) {
      followersPerKey.computeIfPresent(parking.keyHash(), (k, n) -> n == 1 ? null : n - 1);
    }
  }

  private boolean run(Write write) {
    Set<Write> together = together(write);
    try {
      write.action().run();
      parkHeads(write.lease(), together);
    } catch (LeaseLostException e) {
      drop(write.lease());
      onLost.accept(write.lease());
      return true;
    } catch (StoreException e) {
      context.listener().storeFailed("record a failure", e);
      retryAtNanos = context.time().nanoTime() + RETRY_PAUSE.toNanos();
      return false;
    }
    queue.removeIf(together::contains);
    for (Write done : together) {
      done.rows().forEach(flights::remove);
      done.done().run();
    }
    return true;
  }

  /**
   * A write and, if it parks a head, further ones that do so under the same lease, up to the first
   * that does anything else: they are of other keys, so it makes no difference which comes first.
   */
  private Set<Write> together(Write write) {
    Set<Write> together = new LinkedHashSet<>();
    together.add(write);
    if (write.head() == null) {
      return together;
    }
    for (Write next : queue) {
      boolean same = next.lease().equals(write.lease());
      boolean other = next.head() == null && !next.note();
      if ((same && other) || together.size() >= HEADS_MAX) {
        break;
      }
      if (same && next.head() != null) {
        together.add(next);
      }
    }
    return together;
  }

  private void parkHeads(Lease lease, Set<Write> together) {
    List<Parking> heads = together.stream().map(Write::head).filter(Objects::nonNull).toList();
    if (!heads.isEmpty()) {
      context.store().park(lease, heads);
    }
  }

  /** Forgets the writes of a lease that is gone: the new owner decides anew. */
  void drop(Lease lease) {
    queueFollowers();
    queue.removeIf(write -> write.lease().equals(lease) && drop(write));
  }

  private boolean drop(Write write) {
    write.rows().forEach(flights::remove);
    write.dropped().run();
    return true;
  }

  /** Nanoseconds until a write may be tried; {@link Long#MAX_VALUE} if none waits. */
  long nanosToDue() {
    return idle() ? Long.MAX_VALUE : retryAtNanos - context.time().nanoTime();
  }
}
