package io.angarium.testkit.memory;

import io.angarium.StoreException;
import io.angarium.inbox.ConcurrentDeliveryException;
import io.angarium.inbox.Inbox;
import io.angarium.inbox.InboxBatchWork;
import io.angarium.inbox.InboxKey;
import io.angarium.inbox.InboxWork;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * An inbox in memory, for tests: what a transaction adds to its list is {@link #written} once it
 * has committed. Never waits for another delivery, but tells of it at once. Forgets no key.
 * Thread-safe.
 */
public final class InMemoryInbox implements Inbox<List<String>> {
  private final Set<InboxKey> open = new HashSet<>();
  private final Set<InboxKey> processed = new HashSet<>();
  private final List<String> written = new ArrayList<>();
  private boolean unreachable;
  private boolean losingCommitAnswers;

  /** Creates an empty inbox. */
  public InMemoryInbox() {}

  @Override
  public <X extends Exception> boolean process(InboxKey key, InboxWork<List<String>, X> work)
      throws X {
    return !processAll(Set.of(key), (transaction, fresh) -> work.in(transaction)).isEmpty();
  }

  @Override
  public <X extends Exception> Set<InboxKey> processAll(
      Collection<InboxKey> keys, InboxBatchWork<List<String>, X> work) throws X {
    Set<InboxKey> fresh = begin(keys);
    if (fresh.isEmpty()) {
      return fresh;
    }
    List<String> writes = new ArrayList<>();
    boolean done = false;
    try {
      work.in(writes, fresh);
      done = true;
    } finally {
      end(fresh, done, writes);
    }
    return fresh;
  }

  private synchronized Set<InboxKey> begin(Collection<InboxKey> keys) {
    requireReachable();
    Set<InboxKey> fresh = new TreeSet<>(keys);
    fresh.removeAll(processed);
    for (InboxKey key : fresh) {
      if (open.contains(key)) {
        throw new ConcurrentDeliveryException(key.toString(), null);
      }
    }
    open.addAll(fresh);
    return Collections.unmodifiableSet(fresh);
  }

  private synchronized void end(Set<InboxKey> fresh, boolean done, List<String> writes) {
    open.removeAll(fresh);
    if (!done) {
      return;
    }
    requireReachable();
    processed.addAll(fresh);
    written.addAll(writes);
    if (losingCommitAnswers) {
      throw new StoreException("The answer of the inbox in memory was lost", null);
    }
  }

  private void requireReachable() {
    if (unreachable) {
      throw new StoreException("The inbox in memory is away", null);
    }
  }

  /** What committed transactions wrote, in the order of their commits. */
  public synchronized List<String> written() {
    return List.copyOf(written);
  }

  /** Takes the database away, or brings it back; transactions that are open cannot commit then. */
  public synchronized void unreachable(boolean away) {
    unreachable = away;
  }

  /** From now on commits take effect, or do so no longer, without anybody being told. */
  public synchronized void losingCommitAnswers(boolean losing) {
    losingCommitAnswers = losing;
  }
}
