package io.angarium.spring;

import io.angarium.StoreException;
import io.angarium.half.CheckBack;
import io.angarium.half.Marker;
import io.angarium.half.Verdict;
import io.angarium.half.local.LocalTransactions;
import io.angarium.half.local.LocalWork;
import io.angarium.half.local.OutcomeUnknownException;
import io.angarium.jdbc.JdbcMarkers;
import java.sql.Connection;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.TransactionManager;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Local transactions for half messages, as transactions of Spring: JdbcTemplate, JPA and MyBatis
 * take part as in a method with {@code @Transactional}. Always begins a transaction of its own, and
 * refuses to be called within one. A transaction that the work marks as to be rolled back is rolled
 * back with {@link UnexpectedRollbackException}. Thread-safe.
 */
public final class SpringLocalTransactions implements LocalTransactions<Connection> {
  private final DataSource dataSource;
  private final PlatformTransactionManager transactions;
  private final JdbcMarkers markers;

  /**
   * Creates it; opens nothing.
   *
   * @param dataSource the one whose transactions {@code transactions} manages, and whose database
   *     holds {@code markers}
   */
  public SpringLocalTransactions(
      DataSource dataSource, PlatformTransactionManager transactions, JdbcMarkers markers) {
    this.dataSource = SpringOutbox.target(dataSource);
    this.transactions = transactions;
    this.markers = markers;
  }

  /**
   * Whether a method in a transaction of that manager joins the one of {@link #run} when it is
   * called in it: it is the same manager, or one of the same resource.
   */
  public boolean isJoinedBy(TransactionManager other) {
    return ManagedDataSource.areOne(other, transactions);
  }

  @Override
  public <T extends @Nullable Object, X extends Exception> T run(
      Marker marker, LocalWork<Connection, T, X> work) throws X {
    TransactionStatus status = begin(marker);
    T result;
    try {
      result = work(marker, status, work);
    } catch (Throwable e) {
      rollBack(marker, status, e);
      throw e;
    }
    commit(marker, status);
    return result;
  }

  private TransactionStatus begin(Marker marker) {
    if (TransactionSynchronizationManager.isActualTransactionActive()) {
      throw new IllegalStateException(
          "Local transaction "
              + marker
              + " was not begun: another transaction is open in this thread; call it outside of"
              + " @Transactional");
    }
    try {
      TransactionStatus status = transactions.getTransaction(TransactionDefinition.withDefaults());
      if (status.isNewTransaction()) {
        return status;
      }
      transactions.commit(status); // ends our part, which is empty; the other one goes on
    } catch (TransactionException e) {
      throw new StoreException("Failed beginning a transaction: " + e.getMessage(), e);
    }
    throw new IllegalStateException(
        "Local transaction " + marker + " was not begun: it would be a part of another one");
  }

  private <T extends @Nullable Object, X extends Exception> T work(
      Marker marker, TransactionStatus status, LocalWork<Connection, T, X> work) throws X {
    // asked first: to get a connection binds one, also where the transaction has none
    if (!TransactionSynchronizationManager.hasResource(dataSource)) {
      throw new IllegalStateException(
          "Local transaction "
              + marker
              + " was not run: the transaction manager is not one of the outbox's data source");
    }
    Connection connection = DataSourceUtils.getConnection(dataSource);
    try {
      markers.claim(connection, marker);
      T result = work.in(connection);
      PersistenceContexts.flush(dataSource);
      if (status.isRollbackOnly()) {
        throw new UnexpectedRollbackException(
            "Local transaction " + marker + " was marked as to be rolled back");
      }
      markers.confirm(connection, marker);
      return result;
    } finally {
      DataSourceUtils.releaseConnection(connection, dataSource);
    }
  }

  // Spring gives the connection back whatever happens, and that may commit what is still open.
  private void rollBack(Marker marker, TransactionStatus status, Throwable reason) {
    try {
      transactions.rollback(status);
    } catch (RuntimeException e) {
      reason.addSuppressed(e);
      throw new OutcomeUnknownException(marker, reason);
    }
  }

  // What it throws may come from before the commit, from the commit, or from callbacks after it.
  private void commit(Marker marker, TransactionStatus status) {
    try {
      transactions.commit(status);
    } catch (RuntimeException e) {
      throw new OutcomeUnknownException(marker, e);
    }
  }

  @Override
  public Verdict check(Marker marker) {
    return markers.check(marker);
  }

  @Override
  public CheckBack checkBack() {
    return markers.checkBack();
  }
}
