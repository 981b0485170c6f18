package io.angarium.transport.internal;

import io.angarium.transport.SendResult;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * Results found while a lock is held, to be given when it no longer is. Not thread-safe: one thread
 * at a time.
 *
 * @param <A> an attempt to send a message
 */
public final class DeferredResults<A> {
  private record Deferred<A>(A attempt, SendResult result) {}

  private final BiConsumer<? super A, SendResult> found;
  private final BiConsumer<? super A, SendResult> give;
  private final List<Deferred<A>> deferred = new ArrayList<>(0);

  /**
   * @param found called at once, while the lock is held
   * @param give called when it no longer is
   */
  public DeferredResults(
      BiConsumer<? super A, SendResult> found, BiConsumer<? super A, SendResult> give) {
    this.found = found;
    this.give = give;
  }

  /** Called while the lock is held that guards the attempt. */
  public void add(A attempt, SendResult result) {
    found.accept(attempt, result);
    deferred.add(new Deferred<>(attempt, result));
  }

  /**
   * Gives the results; no lock may be held. An Error of a receiver comes out when all are given:
   * the others would wait for theirs for ever.
   */
  public void deliver() {
    Error first = null;
    for (Deferred<A> each : deferred) {
      try {
        give.accept(each.attempt(), each.result());
      } catch (Error e) {
        first = first == null ? e : first;
      }
    }
    deferred.clear();
    if (first != null) {
      throw first;
    }
  }
}
