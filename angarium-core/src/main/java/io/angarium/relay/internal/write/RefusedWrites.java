package io.angarium.relay.internal.write;

import io.angarium.relay.internal.write.QueuedWrite.Subject;
import io.angarium.store.internal.RefusalPause;
import io.angarium.store.lease.Lease;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes that the database refuses for good, each with the later writes of its key behind it. They
 * are tried again after growing pauses, behind all others. Not thread-safe: one thread at a time,
 * but {@link #isEmpty} may be asked by any.
 */
final class RefusedWrites {
  private final Map<Subject, Chain> chains = new LinkedHashMap<>();
  private volatile boolean empty = true;

  /** The writes of one key, in order. */
  static final class Chain {
    final Subject subject;
    final Deque<QueuedWrite> writes = new ArrayDeque<>();
    private final RefusalPause pause = new RefusalPause();

    private Chain(Subject subject) {
      this.subject = subject;
    }

    /** Was refused once more. */
    void rest(long nowNanos) {
      pause.rest(nowNanos);
    }
  }

  boolean isEmpty() {
    return empty;
  }

  @Nullable Chain of(Subject subject) {
    return empty ? null : chains.get(subject);
  }

  Chain begin(Subject subject) {
    empty = false;
    return chains.computeIfAbsent(subject, Chain::new);
  }

  void end(Chain chain) {
    chains.remove(chain.subject);
    empty = chains.isEmpty();
  }

  /** Returns the chains whose pause is over, the longest overdue first. */
  List<Chain> due(long nowNanos, int max) {
    return chains.values().stream()
        .filter(chain -> chain.pause.nanosLeft(nowNanos) <= 0)
        .sorted(Comparator.comparingLong(chain -> chain.pause.nanosLeft(nowNanos)))
        .limit(max)
        .toList();
  }

  /** Nanoseconds until the first is due; {@link Long#MAX_VALUE} if there is none. */
  long nanosToDue(long nowNanos) {
    return chains.values().stream()
        .mapToLong(chain -> chain.pause.nanosLeft(nowNanos))
        .min()
        .orElse(Long.MAX_VALUE);
  }

  /** How many rows of a partition are in flight because their writes are refused. */
  int rows(int partition) {
    return chains.values().stream()
        .filter(chain -> chain.subject.partition() == partition)
        .flatMap(chain -> chain.writes.stream())
        .mapToInt(write -> write.rows.size())
        .sum();
  }

  /** Takes out the writes of a lease. */
  List<QueuedWrite> drop(Lease lease) {
    List<QueuedWrite> dropped = new ArrayList<>();
    for (Chain chain : List.copyOf(chains.values())) {
      if (chain.writes.removeIf(write -> write.lease.equals(lease) && dropped.add(write))
          && chain.writes.isEmpty()) {
        end(chain);
      }
    }
    return dropped;
  }

  /** Takes out all. */
  List<QueuedWrite> dropAll() {
    List<QueuedWrite> dropped = new ArrayList<>();
    chains.values().forEach(chain -> dropped.addAll(chain.writes));
    chains.clear();
    empty = true;
    return dropped;
  }
}
