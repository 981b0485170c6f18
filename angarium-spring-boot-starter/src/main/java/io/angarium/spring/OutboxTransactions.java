package io.angarium.spring;

import io.angarium.jdbc.WatchedTransactions;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.JdbcTransactionObjectSupport;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Tells the {@link SpringOutbox} where transactions begin and commit. Every transaction manager
 * whose transactions send messages needs one. The starter adds it to all managers that are beans;
 * add it to any other by {@code transactionManager.addListener(new OutboxTransactions())}.
 * Thread-safe.
 *
 * <p>The work of a transaction gets a connection that is watched on its way to MySQL, MariaDB or
 * H2. These databases roll back the victim of a deadlock and then go on in a new transaction. With
 * the watch, no message commits there without what was done before. It does not see statements past
 * Spring and the entity manager, as in Hibernate's {@code doWork} (N37). The watch costs no
 * statement as long as the work runs single statements and sets no savepoint.
 *
 * <p>A synchronization alone is not enough. Spring passes over a synchronization that is registered
 * while the transaction commits, without an error, and its messages would be lost.
 */
public final class OutboxTransactions implements TransactionExecutionListener {
  private final WatchedTransactions watches = new WatchedTransactions();

  /** Creates a listener; one may serve any number of transaction managers. */
  public OutboxTransactions() {}

  @Override
  public void afterBegin(TransactionExecution transaction, @Nullable Throwable failure) {
    ConnectionHolder connection = connectionOf(transaction);
    if (failure == null
        && connection != null
        && TransactionSynchronizationManager.isSynchronizationActive()) {
      OutboxTransaction.begin(connection, transaction.isReadOnly(), watches);
    }
  }

  /**
   * Writes the messages of the transaction, after all its synchronizations, right before the
   * commit. What it throws rolls the transaction back.
   */
  @Override
  public void beforeCommit(TransactionExecution transaction) {
    OutboxTransaction current = OutboxTransaction.current();
    if (current != null && current.isOn(connectionOf(transaction))) {
      current.write();
    }
  }

  /** The connection of a transaction of its own; null for a savepoint or without JDBC. */
  private static @Nullable ConnectionHolder connectionOf(TransactionExecution transaction) {
    if (transaction instanceof DefaultTransactionStatus status
        && status.isNewTransaction()
        && status.getTransaction() instanceof JdbcTransactionObjectSupport jdbc
        && jdbc.hasConnectionHolder()) {
      return jdbc.getConnectionHolder();
    }
    return null;
  }
}
