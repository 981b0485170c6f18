package io.angarium.spring;

import io.angarium.confirmation.Receipts;
import io.angarium.confirmation.ReportingInbox;
import io.angarium.inbox.Inbox;
import io.angarium.inbox.InboxBatchWork;
import io.angarium.inbox.InboxKey;
import io.angarium.inbox.InboxWork;
import io.angarium.redis.RedisClaim;
import io.angarium.redis.RedisInbox;
import java.util.Collection;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The inbox on Redis in an application of Spring: as {@link RedisInbox}, but it refuses to be
 * called in a transaction that is running. That would commit after the message was noted as
 * processed, and if it did not, the message would be lost; that holds for one of Kafka or RabbitMQ,
 * too. A transaction that the work begins ends before the note, and is welcome. Thread-safe.
 */
public final class SpringRedisInbox implements Inbox<RedisClaim>, AutoCloseable {
  private final RedisInbox inbox;
  private final Inbox<RedisClaim> told;

  /**
   * Creates it; opens nothing.
   *
   * @param inbox closed with this one
   * @param receipts told of each message that was processed, repeats included; null to tell nobody
   */
  public SpringRedisInbox(RedisInbox inbox, @Nullable Receipts receipts) {
    this.inbox = inbox;
    this.told = receipts == null ? inbox : new ReportingInbox<>(inbox, receipts);
  }

  /**
   * Processes a message as {@link RedisInbox#process} does.
   *
   * @throws IllegalStateException if a transaction is running; the work was not called
   */
  @Override
  public <X extends Exception> boolean process(InboxKey key, InboxWork<RedisClaim, X> work)
      throws X {
    requireNoTransaction();
    return told.process(key, work);
  }

  /**
   * Processes messages as {@link RedisInbox#processAll} does.
   *
   * @throws IllegalStateException if a transaction is running; the work was not called
   */
  @Override
  public <X extends Exception> Set<InboxKey> processAll(
      Collection<InboxKey> keys, InboxBatchWork<RedisClaim, X> work) throws X {
    requireNoTransaction();
    return told.processAll(keys, work);
  }

  private static void requireNoTransaction() {
    if (TransactionSynchronizationManager.isActualTransactionActive()
        || BrokerTransactions.isAnyRunning()) {
      throw new IllegalStateException(
          "Not processed: a transaction is running that would commit after the inbox on Redis has"
              + " noted the message, which would be lost if it did not. Begin it in the work, e.g."
              + " with @Transactional at the listener, and leave the listener's container without a"
              + " transaction manager and without channelTransacted; or use the inbox in the"
              + " database");
    }
  }

  @Override
  public void close() {
    inbox.close();
  }
}
