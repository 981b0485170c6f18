package io.angarium.relay.internal.write;

import io.angarium.relay.internal.write.QueuedWrite.Note;
import io.angarium.relay.internal.write.QueuedWrite.Park;
import io.angarium.relay.internal.write.QueuedWrite.Settle;
import io.angarium.relay.internal.write.QueuedWrite.Step;
import io.angarium.store.lease.Lease;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Finds what can be written together with the first of a queue of writes. No write passes another
 * one of its lease; notes write nothing and come once all before them of their lease is written.
 */
final class WriteBatch {
  /** No more are written together once they have this many steps or rows. */
  static final int MAX = 500;

  private final Predicate<Step> fits;
  private final List<QueuedWrite> writes = new ArrayList<>();
  private final Set<Lease> passed = new HashSet<>();
  private int steps;
  private int rows;

  private WriteBatch(Predicate<Step> fits) {
    this.fits = fits;
  }

  /** The first, and those that can be written with it; in order. */
  static List<QueuedWrite> with(QueuedWrite first, Iterable<QueuedWrite> queue) {
    if (first.step instanceof Park) {
      return new WriteBatch(step -> step instanceof Park).gather(queue);
    }
    if (first.step instanceof Settle) {
      Set<Long> keys = new HashSet<>();
      return new WriteBatch(step -> step instanceof Settle settle && isNew(settle, keys))
          .gather(queue);
    }
    return List.of(first);
  }

  private static boolean isNew(Settle settle, Set<Long> keys) {
    return !settle.settlement().keyed() || keys.add(settle.settlement().keyHash());
  }

  /** With their notes, so that nothing that fails can come between a write and its own. */
  private List<QueuedWrite> gather(Iterable<QueuedWrite> queue) {
    for (QueuedWrite next : queue) {
      if (!passed.contains(next.lease) && !add(next)) {
        passed.add(next.lease);
      }
    }
    return writes;
  }

  private boolean add(QueuedWrite next) {
    boolean note = next.step instanceof Note;
    boolean full = steps >= MAX || rows >= MAX;
    if (!note && (full || !fits.test(next.step))) {
      return false;
    }
    writes.add(next);
    steps += note ? 0 : 1;
    rows += next.step.rows();
    return true;
  }
}
