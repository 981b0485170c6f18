package io.angarium.jdbc.internal.session;

import io.angarium.StoreException;
import io.angarium.TimeSource;
import io.angarium.jdbc.internal.dialect.Dialect;
import io.angarium.jdbc.internal.dialect.SessionSql;
import io.angarium.jdbc.internal.sql.BorrowedConnection;
import io.angarium.jdbc.internal.sql.FailureText;
import io.angarium.jdbc.internal.sql.Refusals;
import io.angarium.jdbc.internal.sql.SessionRole;
import io.angarium.store.WriteRefusedException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection kept for one kind of work, with the settings that work wants. Taken from the pool
 * at the first use and after every error; given back, with its old settings, on close. Thread-safe:
 * one caller at a time, the others wait.
 */
public final class Session implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Session.class);

  /** A connection unused for so long is asked whether it still lives. */
  private static final long IDLE_CHECK_NANOS = Duration.ofSeconds(15).toNanos();

  private static final int IDLE_CHECK_SECONDS_MAX = 5;

  /** A connection so old is given back, so that a pool can replace those to a server of old. */
  static final Duration AGE_MAX = Duration.ofMinutes(10);

  /** More connections to servers that were left are not tried at a time. */
  private static final int TAKES_MAX = 20;

  private static final String CLOSED = "The store is closed";

  /**
   * The longest that a close waits for the thread that uses the connection, and for the database.
   */
  static final Duration CLOSE_MAX = Duration.ofSeconds(2);

  /** What is done with the connection. */
  @FunctionalInterface
  public interface Work<T> {
    T with(Connection connection) throws SQLException;
  }

  private final OpenDatabase database;
  private final Dialect dialect;
  private final SessionRole role;
  private final Duration timeout;
  private final TimeSource time;
  private final Servers servers;
  private final @Nullable IntSupplier era;
  private final ReentrantLock lock = new ReentrantLock();
  private volatile @Nullable Connection connection;
  private @Nullable Before before;
  private Source.@Nullable Place place;
  private long takenNanos;
  private Map<String, @Nullable String> settingsBefore = Map.of();
  private long lastUsedNanos;
  private volatile boolean closed;

  /** What the connection was like when it came from the pool; what was not asked yet is null. */
  private record Before(boolean autoCommit, @Nullable Integer isolation, int networkTimeoutMillis) {
    Before isolation(int found) {
      return new Before(autoCommit, found, networkTimeoutMillis);
    }
  }

  /**
   * Takes no connection yet.
   *
   * @param era the era in which the caller works; null if it works in any, and reads on any server
   */
  Session(OpenDatabase database, SessionRole role, Duration timeout, @Nullable IntSupplier era) {
    this.era = era;
    this.servers = database.source().servers();
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
  public <T> T call(String what, Work<T> work) {
    return use(what, work, true);
  }

  // the mode stays as it was used last: to change it is a round trip on MySQL and MariaDB
  private <T> T use(String what, Work<T> work, boolean autoCommit) {
    if (lock.isHeldByCurrentThread()) {
      // what follows in the outer work would run in the mode of the inner one
      throw new IllegalStateException(what + ": the session is in use by its own caller");
    }
    if (closed) { // the holder of the lock may wait for a database that does not answer
      throw failure(what, new SQLException(CLOSED, "08003"));
    }
    lock.lock();
    try {
      Connection open = open();
      requireEra();
      if (open.getAutoCommit() != autoCommit) {
        open.setAutoCommit(autoCommit);
      }
      return work.with(open);
    } catch (SQLException e) {
      if (dialect.sessions().isReadOnly(e)) {
        servers.renew(); // a server that takes no writes any more must not be read, either
      }
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
  public <T> T transaction(String what, Work<T> work) {
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
            + FailureText.of(e)
            + "; a fresh connection is used at the next try";
    return Refusals.isFinal(e) ? new WriteRefusedException(text, e) : new StoreException(text, e);
  }

  private Connection open() throws SQLException {
    requireOpen();
    discardIfOld();
    discardIfDead();
    Connection open = connection;
    for (int takes = 1; open == null; takes++) {
      open = fresh(takes == TAKES_MAX);
    }
    lastUsedNanos = time.nanoTime();
    return open;
  }

  /** Null if it leads to a server that was left. */
  private @Nullable Connection fresh(boolean last) throws SQLException {
    Connection fresh = BorrowedConnection.take(database.sessions().dataSource());
    connection = fresh;
    Source.Place found = configureOrDiscard(fresh);
    if (found.era() != Servers.LEFT) {
      place = found;
      takenNanos = time.nanoTime();
      return fresh;
    }
    end(fresh);
    if (last) {
      throw new SQLException(
          "Connections lead to a server that was left for another one; they are ended", "08001");
    }
    return null;
  }

  /** Positions of another era do not belong to the messages that the caller means. */
  private void requireEra() {
    Source.Place here = place;
    if (era != null && here != null && here.era() != era.getAsInt()) {
      throw new StoreException(
          "The database is another one than before, or an earlier state of it: nothing was done;"
              + " what was read of it is forgotten, and everything is read again",
          null);
    }
  }

  private void discardIfOld() {
    Source.Place here = place;
    if (connection == null || here == null) {
      return;
    }
    if (here.era() != servers.era()
        || here.renewals() != servers.renewals()
        || time.nanoTime() - takenNanos >= AGE_MAX.toNanos()) {
      discard();
    }
  }

  /** Ends a connection that a pool would hand out again. */
  private void end(Connection useless) {
    connection = null;
    place = null;
    before = null;
    settingsBefore = Map.of();
    BorrowedConnection.end(useless);
  }

  private void requireOpen() throws SQLException {
    if (closed) {
      throw new SQLException(CLOSED, "08003");
    }
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

  private Source.Place configureOrDiscard(Connection open) throws SQLException {
    try {
      return configure(open);
    } catch (SQLException | RuntimeException e) {
      discard();
      throw e;
    }
  }

  private Source.Place configure(Connection open) throws SQLException {
    requireOpen(); // a pool may take long
    Before found = new Before(open.getAutoCommit(), null, open.getNetworkTimeout());
    before = found;
    open.setNetworkTimeout(Runnable::run, (int) timeout.toMillis()); // before the server is asked
    before = found.isolation(open.getTransactionIsolation());
    open.setAutoCommit(true);
    database.sessions().requireSession(open); // before anything is set
    setIsolation(
        open,
        role == SessionRole.DIRTY_READ
            ? Connection.TRANSACTION_READ_UNCOMMITTED
            : Connection.TRANSACTION_READ_COMMITTED);
    Map<String, String> settings = dialect.sessions().sessionSettings(role);
    if (!settings.isEmpty()) {
      settingsBefore = dialect.sessions().change(open, settings);
    }
    Source.Place here = database.source().check(open);
    if (era == null || here.era() == Servers.LEFT) {
      return here;
    }
    if (!here.writable()) {
      end(open);
      throw new SQLException(
          "The connection leads to a server that takes no writes, e.g. a standby; it is ended."
              + " On MySQL and MariaDB read_only counts, also if the account may write all the same:"
              + " set it to OFF on a primary. A relay needs connections that lead to the primary for reads, too",
          SessionSql.READ_ONLY);
    }
    // a caller that works in the era before learns of this before it does anything
    return servers.isRestored(open, dialect.leases()) ? here.inEra(servers.era()) : here;
  }

  /** PostgreSQL takes one that is set for the session's own, even if it is the server's. */
  private static void setIsolation(Connection open, int isolation) throws SQLException {
    if (open.getTransactionIsolation() != isolation) {
      open.setTransactionIsolation(isolation);
    }
  }

  private void discard() {
    Connection broken = connection;
    connection = null;
    place = null;
    if (broken != null) {
      BorrowedConnection.giveBack(broken, () -> restore(broken));
      before = null;
      settingsBefore = Map.of();
    }
  }

  private void restore(Connection given) throws SQLException {
    Before old = before;
    if (old == null) {
      return; // nothing was changed yet
    }
    if (!given.getAutoCommit()) {
      given.rollback();
      given.setAutoCommit(true);
    }
    if (!settingsBefore.isEmpty()) {
      dialect.sessions().putBack(given, settingsBefore);
    }
    Integer isolation = old.isolation();
    if (isolation != null) {
      setIsolation(given, isolation);
    }
    given.setAutoCommit(old.autoCommit());
    given.setNetworkTimeout(Runnable::run, old.networkTimeoutMillis());
  }

  /**
   * Gives the connection back; calls after it fail. Waits {@link #CLOSE_MAX} at most, then ends the
   * connection. May be called twice.
   */
  @Override
  public void close() {
    close(List.of(this));
  }

  /** Closes sessions as {@link #close()} does, in {@link #CLOSE_MAX} for all of them. */
  public static void close(Collection<Session> sessions) {
    for (Session session : sessions) {
      session.closed = true;
    }
    long startNanos = TimeSource.SYSTEM.nanoTime();
    for (Session session : sessions) {
      session.close(CLOSE_MAX.toNanos() - (TimeSource.SYSTEM.nanoTime() - startNanos));
    }
  }

  private void close(long leftNanos) {
    if (isMineWithin(leftNanos)) {
      try {
        hurry(leftNanos);
        discard();
      } finally {
        lock.unlock();
      }
    } else {
      Connection inUse = connection;
      if (inUse != null) {
        BorrowedConnection.abortInUse(inUse); // its user gets an error and gives it back
      }
    }
  }

  private boolean isMineWithin(long leftNanos) {
    try {
      return lock.tryLock() || lock.tryLock(leftNanos, TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Waits no longer than so for the database, as what is put back is not worth more. */
  private void hurry(long leftNanos) {
    Connection open = connection;
    if (open != null) {
      int millis = (int) Math.max(1, TimeUnit.NANOSECONDS.toMillis(leftNanos));
      try {
        open.setNetworkTimeout(Runnable::run, Math.min(millis, (int) timeout.toMillis()));
      } catch (SQLException | RuntimeException e) {
        LOG.debug("A connection ended before it was given back", e);
      }
    }
  }
}
