package io.angarium.relay.internal.partition;

import io.angarium.Destination;
import io.angarium.intake.Partitioning;
import io.angarium.store.SequenceRange;
import io.angarium.store.lease.Lease;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the owner of a partition remembers of it. Rows up to {@code cursor} were read; rows up to
 * {@code floor} are decided, so that none can appear there any more, be they read already or not.
 * Both only save work: a row that exists in the outbox is unsent, whatever they say. Not
 * thread-safe: one thread at a time.
 */
public final class PartitionState {
  public final int partition;
  public final Lease lease;
  public final Set<Long> blockedKeys;
  private final Map<Destination, Held> held = new HashMap<>();

  /** The first row of each key that stays in the outbox, as a write of the key is refused. */
  private final Map<Long, Long> left = new HashMap<>();

  private long cursor;
  private long cursorMax;
  private long floor;
  private boolean begun;

  public PartitionState(Lease lease, Set<Long> blockedKeys) {
    this.partition = lease.partition();
    this.lease = lease;
    this.blockedKeys = new HashSet<>(blockedKeys);
  }

  public boolean keyed() {
    return Partitioning.isKeyed(partition);
  }

  public long cursor() {
    return cursor;
  }

  public long floor() {
    return floor;
  }

  public void read(long sequence) {
    cursor = Math.max(cursor, sequence);
    cursorMax = Math.max(cursorMax, cursor);
  }

  /** True if a row was not read before. */
  public boolean isUnread(long sequence) {
    return sequence > cursorMax;
  }

  /** True until {@link #begin}. */
  public boolean isNew() {
    return !begun;
  }

  /** A mark was taken for it. */
  public void begin() {
    begun = true;
  }

  /** True while rows above the cursor were read before: some may be in flight, or just deleted. */
  public boolean isRereading() {
    return cursor < cursorMax;
  }

  /**
   * Notes that the rows up to {@code sequence} are decided, and that the ones up to the cursor were
   * read since.
   *
   * @param exhausted true if there are no more rows up to {@code sequence}
   */
  public void decide(long sequence, boolean exhausted) {
    if (exhausted) {
      read(sequence);
    }
    floor = Math.max(floor, sequence);
  }

  /** Where late rows may appear; empty if there is no such place. */
  public SequenceRange lateSpan() {
    return new SequenceRange(partition, floor, cursor);
  }

  public boolean hasLateSpan() {
    return floor < cursor;
  }

  /** Leaves a row in the outbox until its destination takes messages again. */
  public void hold(Destination destination, long sequence) {
    held.computeIfAbsent(destination, d -> new Held()).add(sequence);
  }

  /** Leaves a row in the outbox until what was refused of its key is written. */
  public void leave(long keyHash, long sequence) {
    left.merge(keyHash, sequence, Math::min);
  }

  public boolean leaves(long keyHash) {
    return !left.isEmpty() && left.containsKey(keyHash);
  }

  /** Reads again from the first row left of a key. */
  public void resumeKey(long keyHash) {
    Long first = left.remove(keyHash);
    if (first != null) {
      rewind(first);
    }
  }

  public boolean blocks(long keyHash) {
    return !blockedKeys.isEmpty() && blockedKeys.contains(keyHash);
  }

  public boolean holds(Destination destination) {
    return !held.isEmpty() && held.containsKey(destination);
  }

  /** What is held for a destination; null for nothing. */
  public @Nullable Held held(Destination destination) {
    return held.get(destination);
  }

  /** True if a row of a destination below this one is held. */
  public boolean holdsBelow(Destination destination, long sequence) {
    Held some = held.get(destination);
    return some != null && some.first() < sequence;
  }

  /** A row is held no longer. */
  public void release(Destination destination, long sequence) {
    Held some = held.get(destination);
    if (some != null) {
      some.remove(sequence);
      if (some.isEmpty()) {
        held.remove(destination);
      }
    }
  }

  /** True if rows below the cursor may be neither sent nor in flight. */
  public boolean holdsAny() {
    return !held.isEmpty() || !left.isEmpty();
  }

  /** Reads again from the first row held for a destination. */
  public void resume(Destination destination) {
    Held some = held.remove(destination);
    if (some != null) {
      rewind(some.first());
    }
  }

  /** Reads everything again: nothing is known of what became visible meanwhile. */
  void restart() {
    cursor = 0;
    floor = 0;
    begun = false;
    held.clear();
    left.clear();
  }

  /** Reads again from a row that was not handed over after all. */
  public void rewind(long sequence) {
    cursor = Math.min(cursor, sequence - 1);
  }
}
