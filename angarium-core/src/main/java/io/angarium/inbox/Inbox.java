package io.angarium.inbox;

import java.util.Collection;
import java.util.Set;

/**
 * Runs the work for a message once, however often the message is delivered: the note that it was
 * processed and the work commit in one transaction of the consumer's own database, and the note is
 * written first, under a unique key. If the work fails, neither stays. An implementation that keeps
 * its notes elsewhere, and so cannot undo work, says what is weaker there.
 *
 * <p>Of two deliveries at once one runs; the other waits for its end or is told with {@link
 * ConcurrentDeliveryException}, as the implementation is configured. Keys are forgotten after a
 * time that must be longer than any message can be delivered again. What work does outside of the
 * transaction, an HTTP call for example, happens again if the transaction fails.
 *
 * <p>Implementations must pass {@code InboxTck} of angarium-testkit. Methods that are added will
 * have a default. Thread-safe.
 *
 * @param <C> what gives access to a transaction, e.g. a JDBC connection, or to a claim
 */
public interface Inbox<C> {
  /**
   * Runs work unless the key was processed before. Blocks.
   *
   * @return false if it was; the work was not called then
   * @throws X what the work threw; the transaction is rolled back, and the message can come again
   * @throws ConcurrentDeliveryException if another delivery of the message is being processed; the
   *     work was not called. Have it delivered again
   * @throws io.angarium.StoreException if the database cannot be reached, refuses, or did not
   *     answer the commit. Have the message delivered again: what took effect is not repeated
   */
  <X extends Exception> boolean process(InboxKey key, InboxWork<C, X> work) throws X;

  /**
   * Runs work for the keys that were not processed before, in one transaction. This costs far less
   * than one transaction for each key. Blocks.
   *
   * @param keys in any order; one that comes twice counts once
   * @param work not called if none is new
   * @return the keys that were new
   * @throws X as in {@link #process}, which holds for all of them
   * @throws ConcurrentDeliveryException as in {@link #process}, which holds for all of them
   * @throws io.angarium.StoreException as in {@link #process}, which holds for all of them
   */
  <X extends Exception> Set<InboxKey> processAll(
      Collection<InboxKey> keys, InboxBatchWork<C, X> work) throws X;
}
