package io.angarium.jdbc;

import io.angarium.NoTransactionException;
import io.angarium.StoreException;
import io.angarium.inbox.ConcurrentDeliveryException;
import io.angarium.inbox.Inbox;
import io.angarium.inbox.InboxBatchWork;
import io.angarium.inbox.InboxKey;
import io.angarium.inbox.InboxWork;
import io.angarium.jdbc.internal.inbox.InboxDialect;
import io.angarium.jdbc.internal.inbox.InboxDialect.Claim;
import io.angarium.jdbc.internal.inbox.InboxNumbers;
import io.angarium.jdbc.internal.sql.OwnTransaction;
import io.angarium.jdbc.internal.sql.Refusals;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.jdbc.internal.sql.TransactionWatch;
import io.angarium.store.WriteRefusedException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An inbox in a transaction that somebody else began and ends; what it notes commits or rolls back
 * with it. After any exception it must be rolled back. Bound to one connection; one thread at a
 * time.
 */
public final class ConnectionInbox implements Inbox<Connection> {
  private final InboxDialect dialect;
  private final Connection connection;

  ConnectionInbox(InboxDialect dialect, Connection connection) {
    this.dialect = dialect;
    this.connection = connection;
  }

  /** Processes the message as the interface says, but neither commits nor rolls back. */
  @Override
  public <X extends Exception> boolean process(InboxKey key, InboxWork<Connection, X> work)
      throws X {
    return process(key, dialect::watch, work);
  }

  /** Processes a message like {@link #process}, where only the work uses the connection. */
  <X extends Exception> boolean processAlone(InboxKey key, InboxWork<Connection, X> work) throws X {
    return process(key, dialect::watchAlone, work);
  }

  private <X extends Exception> boolean process(
      InboxKey key, Watching watching, InboxWork<Connection, X> work) throws X {
    String what = key.toString();
    requireTransaction(what);
    if (!noted(what, () -> dialect.claim(connection, key))) {
      return false;
    }
    TransactionWatch watch = noted(what, () -> watching.begin(connection));
    Connection given = watch.connection();
    work.in(given == null ? connection : given);
    end(watch, what);
    return true;
  }

  /** How a transaction is watched. */
  @FunctionalInterface
  private interface Watching {
    TransactionWatch begin(Connection connection) throws SQLException;
  }

  /** Processes the messages as the interface says, but neither commits nor rolls back. */
  @Override
  public <X extends Exception> Set<InboxKey> processAll(
      Collection<InboxKey> keys, InboxBatchWork<Connection, X> work) throws X {
    if (keys.isEmpty()) {
      return Set.of();
    }
    List<InboxKey> sorted = new InboxNumbers(keys).ascending(keys);
    String what = "one of " + sorted.size() + " messages, from " + sorted.get(0);
    requireTransaction(what);
    Claim claim = noted(what, () -> dialect.claimAll(connection, sorted));
    if (!claim.fresh().isEmpty()) {
      work.in(connection, claim.fresh());
      end(claim.watch(), what);
    }
    return claim.fresh();
  }

  /**
   * Runs one statement as all the work for a message, on PostgreSQL together with the note, which
   * is the cheapest form there is: one round trip. Neither commits nor rolls back. Blocks.
   *
   * @param sql an INSERT, UPDATE or DELETE without RETURNING, with {@code :fresh} where it is to
   *     have the condition that the message is new, e.g. {@code UPDATE stock SET amount = amount -
   *     ? WHERE item = ? AND :fresh} or {@code INSERT INTO paid (id) SELECT ? FROM DUAL WHERE
   *     :fresh}, on PostgreSQL without {@code FROM DUAL}
   * @param parameters in the order of the question marks
   * @return how many rows it changed; empty if the message was processed before
   * @throws IllegalArgumentException if it is another kind of statement, or lacks the condition
   * @throws ConcurrentDeliveryException as in {@link #process}; not where note and work are one
   *     statement
   * @throws StoreException if the database refuses or cannot be reached; where note and work are
   *     one statement also if it waited for too long or in a deadlock, as it cannot be told whether
   *     for another delivery. Have the message delivered again
   */
  public OptionalLong update(InboxKey key, String sql, @Nullable Object... parameters) {
    String work = dialect.statements().text(sql);
    requireTransaction(key.toString());
    if (dialect.folds()) {
      return folded(key, work, parameters);
    }
    // no watch: nobody is there who could swallow what ends the transaction
    return noted(key.toString(), () -> dialect.claim(connection, key))
        ? OptionalLong.of(run(Sql.of(work, parameters), key))
        : OptionalLong.empty();
  }

  /**
   * Runs the note and the work as one statement. A failure may come from the work, so a lock
   * conflict is not blamed on another delivery.
   */
  OptionalLong folded(InboxKey key, String work, @Nullable Object... parameters) {
    try {
      return dialect.update(connection, key, work, parameters);
    } catch (SQLException e) {
      String meaning = dialect.meaning(e);
      throw OwnTransaction.failure(
          "Failed running the statement for " + key + (meaning == null ? "" : ": " + meaning), e);
    }
  }

  private long run(Sql statement, InboxKey key) {
    try {
      return statement.update(connection);
    } catch (SQLException e) {
      throw OwnTransaction.failure("Failed running the statement for " + key, e);
    }
  }

  @FunctionalInterface
  private interface Statement<T> {
    T run() throws SQLException;
  }

  private <T> T noted(String what, Statement<T> statement) {
    try {
      return statement.run();
    } catch (SQLException e) {
      if (dialect.isBusy(e)) {
        throw new ConcurrentDeliveryException(what, e);
      }
      String meaning = dialect.meaning(e);
      StoreException failure =
          OwnTransaction.failure(
              "Failed noting " + what + " in the inbox" + (meaning == null ? "" : ": " + meaning),
              e);
      throw Refusals.isFinal(e) ? new WriteRefusedException("" + failure.getMessage(), e) : failure;
    }
  }

  /** Without one the note would stay when the work fails. */
  private void requireTransaction(String what) {
    boolean each = noted(what, connection::getAutoCommit);
    if (each) {
      throw new NoTransactionException(
          "The connection commits each statement by itself (autoCommit: true); call"
              + " setAutoCommit(false) first, so that the note and the work for "
              + what
              + " commit together. Nothing was noted");
    }
  }

  private static void end(TransactionWatch watch, String what) {
    try {
      watch.end();
    } catch (SQLException e) {
      throw new StoreException(
          "The work for "
              + what
              + " is rolled back: the database has ended its transaction in the middle. It was the"
              + " victim of a deadlock, or the work swallowed another such error: let such exceptions"
              + " through. Or it ran a statement that commits by itself (DDL): run that in a"
              + " transaction of its own ("
              + e.getMessage()
              + ")",
          e);
    }
  }
}
