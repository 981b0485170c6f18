package io.angarium.spring;

import io.angarium.StoreException;
import io.angarium.confirmation.Receipts;
import io.angarium.inbox.Inbox;
import io.angarium.inbox.InboxBatchWork;
import io.angarium.inbox.InboxKey;
import io.angarium.inbox.InboxWork;
import io.angarium.jdbc.ConnectionInbox;
import io.angarium.jdbc.JdbcInbox;
import java.sql.Connection;
import java.util.Collection;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.TransactionManager;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The inbox in transactions of Spring: JdbcTemplate, JPA, MyBatis and the outbox take part as in a
 * method with {@code @Transactional}. Joins the transaction that is running, or begins one. A
 * transaction that the work marks as to be rolled back ends with {@link
 * UnexpectedRollbackException}. Exceptions of the transaction manager and of callbacks after the
 * commit go on to the caller. When the message is delivered again, the inbox knows whether the
 * commit took effect. Thread-safe.
 */
public final class SpringInbox implements Inbox<Connection> {
  private final DataSource dataSource;
  private final PlatformTransactionManager transactions;
  private final JdbcInbox inbox;
  private final @Nullable Receipts receipts;

  /**
   * Creates it; opens nothing.
   *
   * @param dataSource the one whose transactions {@code transactions} manages, and whose database
   *     holds {@code inbox}
   */
  public SpringInbox(
      DataSource dataSource, PlatformTransactionManager transactions, JdbcInbox inbox) {
    this(dataSource, transactions, inbox, null);
  }

  /**
   * Creates it; opens nothing.
   *
   * @param receipts told of each message once its transaction has committed, repeats included; null
   *     to tell nobody
   */
  public SpringInbox(
      DataSource dataSource,
      PlatformTransactionManager transactions,
      JdbcInbox inbox,
      @Nullable Receipts receipts) {
    this.dataSource = SpringOutbox.target(dataSource);
    this.transactions = transactions;
    this.inbox = inbox;
    this.receipts = receipts;
  }

  /**
   * Whether a method in a transaction of that manager joins the one of {@link #process} when it is
   * called in it: it is the same manager, or one of the same resource.
   */
  public boolean isJoinedBy(TransactionManager other) {
    return ManagedDataSource.areOne(other, transactions);
  }

  @Override
  public <X extends Exception> boolean process(InboxKey key, InboxWork<Connection, X> work)
      throws X {
    return this.<Boolean, X>inTransaction(
        List.of(key),
        (status, watch) ->
            inbox
                .on(watch.connection())
                .<X>process(
                    key,
                    open -> {
                      work.in(open);
                      beforeCommit(status, watch);
                    }));
  }

  @Override
  public <X extends Exception> Set<InboxKey> processAll(
      Collection<InboxKey> keys, InboxBatchWork<Connection, X> work) throws X {
    return this.<Set<InboxKey>, X>inTransaction(
        keys,
        (status, watch) ->
            inbox
                .on(watch.connection())
                .<X>processAll(
                    keys,
                    (open, fresh) -> {
                      work.in(open, fresh);
                      beforeCommit(status, watch);
                    }));
  }

  /**
   * Runs one statement as all the work for a message, as {@link ConnectionInbox#update} does, in a
   * transaction as the other methods.
   *
   * @return how many rows it changed; empty if the message was processed before
   */
  public OptionalLong update(InboxKey key, String sql, @Nullable Object... parameters) {
    return inTransaction(
        List.of(key),
        (status, watch) -> {
          OptionalLong changed = inbox.on(watch.connection()).update(key, sql, parameters);
          beforeCommit(status, watch);
          return changed;
        });
  }

  /** What happens in a transaction. */
  @FunctionalInterface
  private interface Step<T, X extends Exception> {
    T run(TransactionStatus status, OutboxWatch watch) throws X;
  }

  private <T, X extends Exception> T inTransaction(Collection<InboxKey> keys, Step<T, X> step)
      throws X {
    TransactionStatus status = begin();
    T result;
    try {
      result = onConnection(status, step);
      reportAfterCommit(keys);
    } catch (Throwable e) {
      rollBack(status, e);
      throw e;
    }
    transactions.commit(status);
    return result;
  }

  private void reportAfterCommit(Collection<InboxKey> keys) {
    Receipts told = receipts;
    if (told != null) {
      TransactionSynchronizationManager.registerSynchronization(
          new TransactionSynchronization() {
            @Override
            public void afterCommit() {
              told.processed(keys);
            }
          });
    }
  }

  private TransactionStatus begin() {
    try {
      return transactions.getTransaction(TransactionDefinition.withDefaults());
    } catch (TransactionException e) {
      throw new StoreException("Failed beginning a transaction: " + e.getMessage(), e);
    }
  }

  private <T, X extends Exception> T onConnection(TransactionStatus status, Step<T, X> step)
      throws X {
    // asked first: to get a connection binds one, also where the transaction has none
    if (!TransactionSynchronizationManager.hasResource(dataSource)) {
      throw new IllegalStateException(
          "Not processed: the transaction manager is not one of the inbox's data source");
    }
    Connection connection = DataSourceUtils.getConnection(dataSource);
    try {
      return step.run(status, OutboxWatch.of(dataSource, connection));
    } finally {
      DataSourceUtils.releaseConnection(connection, dataSource);
    }
  }

  /**
   * The inbox watches the transaction by a savepoint of its own, on the connection behind the watch
   * of the outbox, which would set one for it. Those set since then would go with it.
   */
  private record OutboxWatch(
      Connection connection, @Nullable WatchedHolder holder, boolean isMarkedBefore) {
    static OutboxWatch of(DataSource dataSource, Connection connection) {
      return TransactionSynchronizationManager.getResource(dataSource)
              instanceof WatchedHolder holder
          ? new OutboxWatch(holder.held().getConnection(), holder, holder.isMarked())
          : new OutboxWatch(connection, null, false);
    }

    void leaveSavepoints() {
      if (holder != null && !isMarkedBefore) {
        holder.unmark();
      }
    }
  }

  private void beforeCommit(TransactionStatus status, OutboxWatch watch) {
    PersistenceContexts.flush(dataSource);
    watch.leaveSavepoints();
    if (status.isRollbackOnly()) {
      throw new UnexpectedRollbackException(
          "Not processed: the transaction was marked as to be rolled back");
    }
  }

  private void rollBack(TransactionStatus status, Throwable reason) {
    try {
      transactions.rollback(status);
    } catch (RuntimeException e) {
      reason.addSuppressed(e);
    }
  }
}
