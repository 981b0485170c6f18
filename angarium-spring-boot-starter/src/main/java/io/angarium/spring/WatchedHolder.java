package io.angarium.spring;

import io.angarium.jdbc.WatchedTransactions;
import io.angarium.jdbc.WatchedTransactions.Watched;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.Date;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.ConnectionHandle;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.SimpleConnectionHandle;

/**
 * The connection of a running transaction as its work finds it: watched on its way to the database.
 * The transaction manager keeps the holder behind it, with the connection itself, and ends the
 * transaction with that. Not thread-safe: used by the transaction's thread only.
 */
final class WatchedHolder extends ConnectionHolder {
  private final ConnectionHolder held;
  private final OnFirstUse watched;

  private WatchedHolder(ConnectionHolder held, OnFirstUse watched) {
    super(watched);
    this.held = held;
    this.watched = watched;
    setTransactionActive(true);
    setSynchronizedWithTransaction(true);
  }

  /** Watches the transaction of a holder from the first use of its connection on. */
  static WatchedHolder of(ConnectionHolder held, WatchedTransactions transactions) {
    return new WatchedHolder(held, new OnFirstUse(held, transactions));
  }

  /** The one that the transaction manager keeps. */
  ConnectionHolder held() {
    return held;
  }

  /** Whether the watch has set a savepoint. */
  boolean isMarked() {
    return watched.begun != null && watched.begun.isMarked();
  }

  /** Sets one below a savepoint that the transaction manager has just set. */
  void markBelow(Savepoint savepoint) {
    watched.begin().markBelow(savepoint);
  }

  /** Removes that savepoint, before the transaction goes back to an older one. */
  void unmark() {
    if (watched.begun != null) {
      watched.begun.unmark();
    }
  }

  /**
   * Ends the watch.
   *
   * @throws io.angarium.StoreException if the database has ended the transaction meanwhile
   */
  void endWatch() {
    if (watched.begun != null) {
      watched.begun.end();
    }
  }

  @Override
  public void setRollbackOnly() {
    held.setRollbackOnly();
  }

  @Override
  public void resetRollbackOnly() {
    held.resetRollbackOnly();
  }

  @Override
  public boolean isRollbackOnly() {
    return held.isRollbackOnly();
  }

  @Override
  public boolean hasTimeout() {
    return held.hasTimeout();
  }

  @Override
  public @Nullable Date getDeadline() {
    return held.getDeadline();
  }

  @Override
  public int getTimeToLiveInSeconds() {
    return held.getTimeToLiveInSeconds();
  }

  @Override
  public long getTimeToLiveInMillis() {
    return held.getTimeToLiveInMillis();
  }

  /** Creates a savepoint of the holder behind, which counts the names of savepoints. */
  @Override
  public Savepoint createSavepoint() throws SQLException {
    return held.createSavepoint();
  }

  /** A lazy connection stays so until somebody uses it. */
  private static final class OnFirstUse implements ConnectionHandle {
    private final ConnectionHolder held;
    private final WatchedTransactions transactions;
    private @Nullable Watched begun;

    OnFirstUse(ConnectionHolder held, WatchedTransactions transactions) {
      this.held = held;
      this.transactions = transactions;
    }

    @Override
    public Connection getConnection() {
      return begin().connection();
    }

    Watched begin() {
      Watched watched = begun;
      if (watched == null) {
        watched = transactions.begin(held.getConnection(), isShared(held));
        begun = watched;
      }
      return watched;
    }

    /** JPA has the connection already and runs statements on it that are not seen here. */
    private static boolean isShared(ConnectionHolder held) {
      return !(held.getConnectionHandle() instanceof SimpleConnectionHandle);
    }
  }
}
