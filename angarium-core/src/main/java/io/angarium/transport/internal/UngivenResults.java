package io.angarium.transport.internal;

import io.angarium.transport.SendResult;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;

/**
 * Counts the results that were found and not given yet. Thread-safe.
 *
 * @param <A> an attempt to send a message
 */
public final class UngivenResults<A> {
  private final AtomicInteger count = new AtomicInteger();
  private final BiConsumer<A, SendResult> receiver;
  private final BiConsumer<A, SendResult> found = this::found;
  private final BiConsumer<A, SendResult> give = this::give;

  /**
   * @param receiver called for each result without a lock
   */
  public UngivenResults(BiConsumer<A, SendResult> receiver) {
    this.receiver = receiver;
  }

  /** Results of one time that a lock is held. */
  public DeferredResults<A> deferred() {
    return new DeferredResults<>(found, give);
  }

  /** True if all that were found have been given. */
  public boolean areNone() {
    return count.get() == 0;
  }

  private void found(A attempt, SendResult result) {
    count.incrementAndGet();
  }

  private void give(A attempt, SendResult result) {
    try {
      receiver.accept(attempt, result);
    } finally {
      count.decrementAndGet();
    }
  }
}
