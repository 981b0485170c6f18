package io.angarium.jdbc;

import io.angarium.TimeSource;
import io.angarium.store.StoreException;
import io.angarium.store.WriteRefusedException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection kept for one kind of work, with the settings that work wants. Taken from the pool
 * at the first use and after every error; given back, with its old settings, on close. Thread-safe:
 * one caller at a time, the others wait.
 */
final class Session implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Session.class);

  /** A connection unused for so long is asked whether it still lives. */
  private static final long IDLE_CHECK_NANOS = Duration.ofSeconds(15).toNanos();

  private static final int IDLE_CHECK_SECONDS_MAX = 5;

  /** What a session is for. */
  enum Role {
    /** Reads of the relay. */
    READ,
    /** Reads of one stretch of the sequence in many partitions. */
    READ_STRETCH,
    /** Reads of rows that are not committed yet. */
    DIRTY_READ,
    /** Deletes of acknowledged messages: may be lost in a crash of the database. */
    COMPLETE,
    /** Writes that must last. */
    WRITE,
    /** Like {@link #WRITE}, for transactions of many callers: wait for a lock for seconds only. */
    WRITE_TOGETHER,
    /** Questions for transactions that may be open: they wait a second at most. */
    CHECK
  }

  /** What is done with the connection. */
  @FunctionalInterface
  interface Work<T> {
    T with(Connection connection) throws SQLException;
  }

  private final OpenDatabase database;
  private final Dialect dialect;
  private final Role role;
  private final Duration timeout;
  private final TimeSource time;
  private final ReentrantLock lock = new ReentrantLock();
  private @Nullable Connection connection;
  private @Nullable Before before;
  private long lastUsedNanos;
  private boolean closed;

  /** What the connection was like when it came from the pool. */
  private record Before(boolean autoCommit, int isolation, int networkTimeoutMillis) {}

  Session(OpenDatabase database, Role role, Duration timeout) {
    this.database = database;
    this.dialect = database.dialect();
    this.role = role;
    this.timeout = timeout;
    this.time = database.time();
  }

  /**
   * Runs statements that each commit by themselves.
   *
   * @param what for the error message, e.g. "reading the outbox"
   */
  <T> T call(String what, Work<T> work) {
    return use(what, work, true);
  }

  // the mode stays as it was used last: to change it is a round trip on MySQL and MariaDB
  private <T> T use(String what, Work<T> work, boolean autoCommit) {
    if (lock.isHeldByCurrentThread()) {
      // what follows in the outer work would run in the mode of the inner one
      throw new IllegalStateException(what + ": the session is in use by its own caller");
    }
    lock.lock();
    try {
      Connection open = open();
      if (open.getAutoCommit() != autoCommit) {
        open.setAutoCommit(autoCommit);
      }
      return work.with(open);
    } catch (SQLException e) {
      discard();
      throw failure(what, e);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Runs statements as one transaction; an exception rolls back.
   *
   * @param what for the error message, e.g. "parking messages"
   */
  <T> T transaction(String what, Work<T> work) {
    return use(what, connection -> inTransaction(connection, work), false);
  }

  private static <T> T inTransaction(Connection connection, Work<T> work) throws SQLException {
    try {
      T result = work.with(connection);
      connection.commit();
      return result;
    } catch (Throwable e) {
      rollBack(connection, e);
      throw e;
    }
  }

  private static void rollBack(Connection connection, Throwable reason) throws SQLException {
    try {
      connection.rollback();
    } catch (SQLException e) {
      reason.addSuppressed(e);
      if (!(reason instanceof SQLException)) {
        throw e; // so that the connection is discarded
      }
    }
  }

  private StoreException failure(String what, SQLException e) {
    String text =
        "Failed "
            + what
            + " on "
            + dialect.database()
            + " (SQLState "
            + e.getSQLState()
            + "): "
            + e.getMessage()
            + "; a fresh connection is used at the next try";
    return Refusals.isFinal(e) ? new WriteRefusedException(text, e) : new StoreException(text, e);
  }

  private Connection open() throws SQLException {
    if (closed) {
      throw new SQLException("The store is closed", "08003");
    }
    discardIfDead();
    Connection open = connection;
    if (open == null) {
      open = take(database.dataSource());
      connection = open;
      configureOrDiscard(open);
    }
    lastUsedNanos = time.nanoTime();
    return open;
  }

  // Firewalls and restarts end connections that nobody uses; asking costs a round trip.
  private void discardIfDead() throws SQLException {
    Connection idle = connection;
    if (idle != null && time.nanoTime() - lastUsedNanos >= IDLE_CHECK_NANOS) {
      int seconds = (int) Math.max(1, Math.min(timeout.toSeconds(), IDLE_CHECK_SECONDS_MAX));
      if (!idle.isValid(seconds)) {
        discard();
      }
    }
  }

  /** Takes a connection; some pools report a database out of reach by exceptions of their own. */
  static Connection take(DataSource dataSource) throws SQLException {
    try {
      return dataSource.getConnection();
    } catch (RuntimeException e) {
      throw new SQLException(e.getMessage(), "08001", e);
    }
  }

  private void configureOrDiscard(Connection open) throws SQLException {
    try {
      configure(open);
    } catch (SQLException | RuntimeException e) {
      discard();
      throw e;
    }
  }

  private void configure(Connection open) throws SQLException {
    before =
        new Before(open.getAutoCommit(), open.getTransactionIsolation(), open.getNetworkTimeout());
    open.setNetworkTimeout(Runnable::run, (int) timeout.toMillis());
    open.setAutoCommit(true);
    open.setTransactionIsolation(
        role == Role.DIRTY_READ
            ? Connection.TRANSACTION_READ_UNCOMMITTED
            : Connection.TRANSACTION_READ_COMMITTED);
    run(open, dialect.sessionSettings(role));
    database.source().check(open);
  }

  private static void run(Connection open, List<String> statements) throws SQLException {
    try (Statement statement = open.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  private void discard() {
    Connection broken = connection;
    connection = null;
    if (broken != null) {
      giveBack(broken);
    }
  }

  // A connection whose settings cannot be restored must not reach anybody else.
  private void giveBack(Connection given) {
    try {
      restore(given);
    } catch (SQLException e) {
      abort(given, e);
    } finally {
      before = null;
    }
    try {
      given.close();
    } catch (SQLException e) {
      LOG.debug("Closing a connection failed", e);
    }
  }

  private void restore(Connection given) throws SQLException {
    if (!given.getAutoCommit()) {
      given.rollback();
      given.setAutoCommit(true);
    }
    run(given, dialect.sessionReset(role));
    Before old = before;
    if (old != null) {
      given.setTransactionIsolation(old.isolation());
      given.setAutoCommit(old.autoCommit());
      given.setNetworkTimeout(Runnable::run, old.networkTimeoutMillis());
    }
  }

  private static void abort(Connection given, SQLException reason) {
    LOG.debug("Ending a connection whose settings could not be restored", reason);
    try {
      given.abort(Runnable::run);
    } catch (SQLException e) {
      LOG.debug("It had ended already", e);
    }
  }

  /** Gives the connection back; calls after it fail. May be called twice. */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      discard();
    } finally {
      lock.unlock();
    }
  }
}
