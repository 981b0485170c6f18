package io.angarium.handler;

import io.angarium.inbox.InboxWork;
import io.angarium.intake.StoredMessage;
import org.jspecify.annotations.Nullable;

/**
 * One call of a handler within its transaction, and how far it came: that tells a message that its
 * handler chokes on from a database that is away. Not thread-safe: one thread at a time.
 *
 * @param <C> what gives access to the transaction
 */
final class Run<C> implements InboxWork<C, Exception> {
  private final OutboxHandler<? super C> handler;
  private final StoredMessage message;
  private boolean begun;
  private @Nullable Throwable thrown;

  Run(OutboxHandler<? super C> handler, StoredMessage message) {
    this.handler = handler;
    this.message = message;
  }

  @Override
  public void in(C transaction) throws Exception {
    begun = true;
    try {
      handler.handle(transaction, Delivery.of(message));
    } catch (Throwable e) { // only noted
      thrown = e;
      throw e;
    }
  }

  /** True once the handler was called. */
  boolean begun() {
    return begun;
  }

  /** What the handler threw, or null. */
  @Nullable Throwable thrown() {
    return thrown;
  }
}
