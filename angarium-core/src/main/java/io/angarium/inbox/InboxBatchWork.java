package io.angarium.inbox;

import java.util.Set;

/**
 * What a consumer does for several messages at once.
 *
 * @param <C> what gives access to the transaction, e.g. a JDBC connection
 * @param <X> what it may throw
 */
@FunctionalInterface
public interface InboxBatchWork<C, X extends Exception> {
  /**
   * Does it. Must not commit, roll back or close the transaction.
   *
   * @param fresh the keys that were not processed before, at least one; the others are to be left
   *     out
   * @throws X to roll all of it back
   */
  void in(C transaction, Set<InboxKey> fresh) throws X;
}
