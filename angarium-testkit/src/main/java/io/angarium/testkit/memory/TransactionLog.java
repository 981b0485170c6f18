package io.angarium.testkit.memory;

import io.angarium.store.Snapshot;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Which transactions of an {@link InMemoryDatabase} have ended, and what a snapshot sees of them.
 * The same arithmetic as in PostgreSQL: {@code xmax} is one above the latest <em>ended</em>
 * transaction, so that it can lie below the number of one that is still running. Guarded by the
 * database's lock.
 */
final class TransactionLog {
  private final TreeSet<Long> running = new TreeSet<>();
  private long lastStarted = 700;
  private long lastEnded = 700;

  /** None is running any more; numbers go on behind the last one that ended. */
  void startOver(long lastTransaction) {
    running.clear();
    lastStarted = lastTransaction;
    lastEnded = lastTransaction;
  }

  long start() {
    lastStarted++;
    running.add(lastStarted);
    return lastStarted;
  }

  void end(long xid) {
    running.remove(xid);
    lastEnded = Math.max(lastEnded, xid);
  }

  /** The lowest transaction that may still be running. */
  long xmin() {
    return running.isEmpty() ? xmax() : Math.min(running.first(), xmax());
  }

  /** One above the latest ended transaction. */
  long xmax() {
    return lastEnded + 1;
  }

  Snapshot snapshot() {
    String between =
        running.headSet(xmax()).stream().map(String::valueOf).collect(Collectors.joining(","));
    return new Snapshot(xmin() + ":" + xmax() + ":" + between);
  }

  /** True if a row written by {@code xid} is visible in the snapshot, provided it committed. */
  static boolean sees(Snapshot snapshot, long xid) {
    String[] parts = snapshot.value().split(":", -1);
    return xid < Long.parseLong(parts[1]) && !runningIn(parts[2]).contains(xid);
  }

  private static Set<Long> runningIn(String list) {
    return list.isEmpty()
        ? Set.of()
        : Arrays.stream(list.split(",")).map(Long::valueOf).collect(Collectors.toSet());
  }
}
