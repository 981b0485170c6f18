package io.angarium.inbox;

/**
 * What a consumer does for a message.
 *
 * @param <C> what gives access to the transaction, e.g. a JDBC connection
 * @param <X> what it may throw
 */
@FunctionalInterface
public interface InboxWork<C, X extends Exception> {
  /**
   * Does it. Must not commit, roll back or close the transaction.
   *
   * @throws X to roll the transaction back
   */
  void in(C transaction) throws X;
}
