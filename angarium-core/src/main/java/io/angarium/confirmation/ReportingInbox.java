package io.angarium.confirmation;

import io.angarium.inbox.Inbox;
import io.angarium.inbox.InboxBatchWork;
import io.angarium.inbox.InboxKey;
import io.angarium.inbox.InboxWork;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * An inbox that reports what was processed to the producer, repeats included: their first receipt
 * may have been lost. Keys that were made from texts have no message id and are not reported; call
 * {@link Receipts#processed} for those, and for what goes past it by other ways of the inbox behind
 * it, such as a statement of its own. Thread-safe.
 *
 * @param <C> as of the inbox behind it
 */
public final class ReportingInbox<C> implements Inbox<C> {
  private final Inbox<C> inbox;
  private final Receipts receipts;
  private final Consumer<Runnable> afterCommit;

  /** Reports as soon as the inbox returns: it must have committed by then. */
  public ReportingInbox(Inbox<C> inbox, Receipts receipts) {
    this(inbox, receipts, Runnable::run);
  }

  /**
   * Reports when the transaction has committed.
   *
   * @param afterCommit runs something when the transaction of the calling thread has committed, at
   *     once if there is none, and never if it rolls back
   */
  public ReportingInbox(Inbox<C> inbox, Receipts receipts, Consumer<Runnable> afterCommit) {
    this.inbox = inbox;
    this.receipts = receipts;
    this.afterCommit = afterCommit;
  }

  @Override
  public <X extends Exception> boolean process(InboxKey key, InboxWork<C, X> work) throws X {
    boolean first = inbox.process(key, work);
    report(List.of(key));
    return first;
  }

  @Override
  public <X extends Exception> Set<InboxKey> processAll(
      Collection<InboxKey> keys, InboxBatchWork<C, X> work) throws X {
    Set<InboxKey> fresh = inbox.processAll(keys, work);
    report(keys);
    return fresh;
  }

  private void report(Collection<InboxKey> keys) {
    afterCommit.accept(() -> receipts.processed(keys));
  }
}
