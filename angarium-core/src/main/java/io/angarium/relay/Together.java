package io.angarium.relay;

import io.angarium.relay.QueuedWrite.Head;
import io.angarium.relay.QueuedWrite.Note;
import io.angarium.relay.QueuedWrite.Settle;
import io.angarium.store.Lease;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Finds what can be written together with the first of a queue of writes. No write passes another
 * one of its lease; notes write nothing and come once all before them of their lease is written.
 */
final class Together {
  static final int HEADS_MAX = 500;

  /** So many settlements, and no more once they have this many rows. */
  static final int SETTLED_MAX = 500;

  private Together() {}

  /** The first, and those that can be written with it; in order. */
  static List<QueuedWrite> with(QueuedWrite first, Iterable<QueuedWrite> queue) {
    if (first.step instanceof Head) {
      return heads(first.lease, queue);
    }
    return first.step instanceof Settle ? settlements(queue) : List.of(first);
  }

  /** They are of other keys, so it makes no difference which comes first. */
  private static List<QueuedWrite> heads(Lease lease, Iterable<QueuedWrite> queue) {
    List<QueuedWrite> together = new ArrayList<>();
    for (QueuedWrite next : queue) {
      boolean same = next.lease.equals(lease);
      boolean head = next.step instanceof Head;
      boolean other = !head && !(next.step instanceof Note);
      if ((same && other) || together.size() >= HEADS_MAX) {
        break;
      }
      if (same && head) {
        together.add(next);
      }
    }
    return together;
  }

  /** With their notes, so that nothing that fails can come between a settlement and its own. */
  private static List<QueuedWrite> settlements(Iterable<QueuedWrite> queue) {
    List<QueuedWrite> together = new ArrayList<>();
    Set<Lease> passed = new HashSet<>();
    Set<Long> keys = new HashSet<>();
    int settlements = 0;
    int rows = 0;
    for (QueuedWrite next : queue) {
      if (passed.contains(next.lease)) {
        continue;
      }
      boolean full = settlements >= SETTLED_MAX || rows >= SETTLED_MAX;
      if (next.step instanceof Note) {
        together.add(next);
      } else if (!full && next.step instanceof Settle settle && isNew(settle, keys)) {
        together.add(next);
        settlements++;
        rows += settle.rowsWritten();
      } else {
        passed.add(next.lease);
      }
    }
    return together;
  }

  private static boolean isNew(Settle settle, Set<Long> keys) {
    return !settle.settlement().keyed() || keys.add(settle.settlement().keyHash());
  }
}
