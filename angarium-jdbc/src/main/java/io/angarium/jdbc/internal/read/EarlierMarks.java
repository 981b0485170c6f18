package io.angarium.jdbc.internal.read;

import io.angarium.store.SequenceMark;
import io.angarium.store.SequenceRange;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;

/**
 * Tells where polls for late rows may begin on PostgreSQL while a transaction stays open for long.
 * Such a transaction keeps the floors where they were, and every deleted row above them in the
 * index.
 *
 * <p>A transaction that took a sequence up to the sequence of a mark has a lower number than the
 * mark's barrier. If the barrier is below every number that a snapshot did not know yet, a row
 * below the mark that became visible after the snapshot belongs to a transaction that the snapshot
 * saw running. If all such transactions below the barrier still run, there is no such row.
 * Thread-safe.
 */
final class EarlierMarks {
  /** So many transactions begun since the oldest that runs make it an old one. */
  static final int OLD = 1_000;

  /** So many sequences to look at are worth two statements more. */
  private static final int LONG_SPAN = 1_000;

  /** Transactions between two marks. */
  private static final int APART = 250;

  private static final int MARKS_MAX = 64;

  private record Earlier(long lastSequence, long barrier) {}

  /** The latest first. */
  private final Deque<Earlier> marks = new ArrayDeque<>();

  /** True if a look at the spans may pass over much in vain. */
  static boolean areLong(List<SequenceRange> spans) {
    return spans.stream().anyMatch(span -> span.upTo() - span.after() > LONG_SPAN);
  }

  /** True if the latest mark is long ago. */
  synchronized boolean wantOne(RunningTransactions since) {
    return marks.isEmpty() || since.next() - marks.getFirst().barrier() > APART;
  }

  /** Notes a mark; of many, every second is forgotten. */
  synchronized void add(SequenceMark mark) {
    marks.addFirst(new Earlier(mark.lastSequence(), Long.parseLong(mark.barrier())));
    if (marks.size() > MARKS_MAX) {
      boolean odd = false;
      for (Iterator<Earlier> all = marks.iterator(); all.hasNext(); odd = !odd) {
        all.next();
        if (odd) {
          all.remove();
        }
      }
    }
  }

  /** Forgets all: another server took over. */
  synchronized void forget() {
    marks.clear();
  }

  /** Forgets all if the sequence went back: another server took over. */
  synchronized void saw(long lastSequence) {
    if (!marks.isEmpty() && lastSequence < marks.getFirst().lastSequence()) {
      marks.clear();
    }
  }

  /**
   * Spans without what cannot hold a late row.
   *
   * @param since what was not visible then is late
   * @param now a snapshot that is older than that of the look, whose successor begins with it
   */
  List<SequenceRange> narrowed(
      List<SequenceRange> spans, RunningTransactions since, RunningTransactions now) {
    long sequence = undisturbed(since, now);
    List<SequenceRange> narrowed = new ArrayList<>(spans.size());
    for (SequenceRange span : spans) {
      long after = Math.min(Math.max(span.after(), sequence), span.upTo());
      narrowed.add(new SequenceRange(span.partition(), after, span.upTo()));
    }
    return narrowed;
  }

  private synchronized long undisturbed(RunningTransactions since, RunningTransactions now) {
    for (Earlier mark : marks) {
      if (mark.barrier() <= since.next() && since.allBelowRunStill(mark.barrier(), now)) {
        return mark.lastSequence();
      }
    }
    return 0;
  }
}
