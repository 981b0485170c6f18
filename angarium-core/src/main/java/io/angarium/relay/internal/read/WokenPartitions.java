package io.angarium.relay.internal.read;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The partitions that commits were announced for and nobody has looked at since. Any thread may
 * {@link #add}; one at a time does the rest, in rounds, and is told to begin one only if it does
 * not know of any: under load a commit costs no wake-up of a thread.
 */
final class WokenPartitions {
  private final Set<Integer> partitions = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean told = new AtomicBoolean();

  /**
   * Adds a partition. Thread-safe.
   *
   * @return true if the other thread must begin a round for it; it will without, if it is false
   */
  boolean add(int partition) {
    partitions.add(partition); // first: who takes what was told of takes it, too
    return !told.getAndSet(true);
  }

  /** Begins a round: of what was told and is here no more a later one must be told again. */
  void begin() {
    if (partitions.isEmpty()) {
      told.set(false);
    }
  }

  boolean isEmpty() {
    return partitions.isEmpty();
  }

  Set<Integer> take() {
    told.set(false);
    Set<Integer> taken = new HashSet<>(partitions);
    partitions.removeAll(taken);
    return taken;
  }
}
