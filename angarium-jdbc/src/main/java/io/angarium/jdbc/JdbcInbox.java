package io.angarium.jdbc;

import io.angarium.ConfigurationException;
import io.angarium.StoreException;
import io.angarium.inbox.Inbox;
import io.angarium.inbox.InboxBatchWork;
import io.angarium.inbox.InboxKey;
import io.angarium.inbox.InboxWork;
import io.angarium.jdbc.internal.dialect.Dialect;
import io.angarium.jdbc.internal.inbox.InboxDialect;
import io.angarium.jdbc.internal.inbox.InboxSchema;
import io.angarium.jdbc.internal.inbox.InboxWait;
import io.angarium.jdbc.internal.session.Dialects;
import io.angarium.jdbc.internal.session.DruidWall;
import io.angarium.jdbc.internal.session.Session;
import io.angarium.jdbc.internal.sql.AutoCommit;
import io.angarium.jdbc.internal.sql.OwnTransaction;
import io.angarium.jdbc.internal.sql.Refusals;
import io.angarium.jdbc.internal.sql.TableNames;
import io.angarium.jdbc.reconciliation.ConsumedMessages;
import io.angarium.jdbc.settings.InboxConfig;
import io.angarium.jdbc.settings.OtherServer;
import io.angarium.store.WriteRefusedException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The inbox in a database: the note that a message was processed is a row with a unique key, in the
 * transaction of the work. Needs no outbox there. What is old is forgotten by {@link #rotate},
 * which {@link InboxRotation} calls. Thread-safe; holds no connection itself.
 */
public final class JdbcInbox implements Inbox<Connection> {
  /** After so long a silence the database is not expected to answer a rotation any more. */
  private static final Duration SILENCE_MAX = Duration.ofMinutes(10);

  private static final Logger LOG = LoggerFactory.getLogger(JdbcInbox.class);

  private final DataSource dataSource;
  private final InboxDialect dialect;
  private final InboxConfig config;

  private JdbcInbox(DataSource dataSource, InboxDialect dialect, InboxConfig config) {
    this.dataSource = dataSource;
    this.dialect = dialect;
    this.config = config;
  }

  /**
   * Finds out which database it is and checks or creates the tables as configured. Blocks. Logs a
   * warning if it is an {@link OtherServer}.
   *
   * @throws ConfigurationException if the database is unknown or too old, or its tables are not as
   *     expected; lists every fault
   * @throws StoreException if the database cannot be reached or refuses
   */
  public static JdbcInbox open(DataSource dataSource, InboxConfig config) {
    try (AutoCommit alone = AutoCommit.begin(dataSource)) {
      Connection connection = alone.connection();
      DruidWall.requireOpen(dataSource);
      boolean other = isOther(connection);
      Dialect server = Dialects.of(connection, new TableNames(config));
      InboxDialect dialect = InboxDialect.on(server, server.names(), InboxWait.of(config));
      new InboxSchema(dialect, config, other).prepare(connection);
      return new JdbcInbox(dataSource, dialect, config);
    } catch (SQLException e) {
      throw OwnTransaction.failure("Failed opening the inbox's database", e);
    }
  }

  /**
   * Unlike an outbox it needs no order, only unique keys and row locks, which most servers have.
   */
  private static boolean isOther(Connection connection) throws SQLException {
    String words = Dialects.words(connection);
    OtherServer other = OtherServer.of(words);
    if (other != null) {
      LOG.warn(
          "The inbox's database is {} (\"{}\"), on which it was not proved that each message is"
              + " processed once: that rests on its unique keys and row locks",
          other,
          words);
    }
    return other != null;
  }

  /**
   * The inbox in a transaction of the caller.
   *
   * @param connection with {@code autoCommit} off; on PostgreSQL in READ COMMITTED
   */
  public ConnectionInbox on(Connection connection) {
    return new ConnectionInbox(dialect, connection);
  }

  /** In a transaction of its own, on a connection of its own. */
  @Override
  public <X extends Exception> boolean process(InboxKey key, InboxWork<Connection, X> work)
      throws X {
    try (OwnTransaction transaction = OwnTransaction.begin(dataSource)) {
      try {
        boolean processed = on(transaction.connection()).processAlone(key, work);
        commit(transaction, key.toString());
        return processed;
      } catch (Throwable e) {
        transaction.rollBack(e);
        throw e;
      }
    }
  }

  /** In a transaction of its own, on a connection of its own. */
  @Override
  public <X extends Exception> Set<InboxKey> processAll(
      Collection<InboxKey> keys, InboxBatchWork<Connection, X> work) throws X {
    try (OwnTransaction transaction = OwnTransaction.begin(dataSource)) {
      try {
        Set<InboxKey> fresh = on(transaction.connection()).processAll(keys, work);
        commit(transaction, keys.size() + " messages");
        return fresh;
      } catch (Throwable e) {
        transaction.rollBack(e);
        throw e;
      }
    }
  }

  /**
   * Runs one statement as all the work for a message, as {@link ConnectionInbox#update} does, in a
   * transaction of its own, on a connection of its own: on PostgreSQL a single round trip.
   *
   * @return how many rows it changed; empty if the message was processed before
   */
  public OptionalLong update(InboxKey key, String sql, @Nullable Object... parameters) {
    String work = dialect.statements().text(sql);
    if (dialect.folds()) {
      return updateAlone(key, work, parameters);
    }
    try (OwnTransaction transaction = OwnTransaction.begin(dataSource)) {
      try {
        OptionalLong changed = on(transaction.connection()).update(key, sql, parameters);
        commit(transaction, key.toString());
        return changed;
      } catch (Throwable e) {
        transaction.rollBack(e);
        throw e;
      }
    }
  }

  /** What is one statement needs no transaction around it. */
  private OptionalLong updateAlone(InboxKey key, String work, @Nullable Object... parameters) {
    return inAutoCommit(
        "Failed processing " + key, connection -> on(connection).folded(key, work, parameters));
  }

  private static void commit(OwnTransaction transaction, String what) {
    try {
      transaction.commit();
    } catch (SQLException e) {
      throw OwnTransaction.failure(
          "Failed committing the work for "
              + what
              + "; when delivered again it is known whether"
              + " that took effect",
          e);
    }
  }

  /**
   * What a consumer has processed, as one side of a reconciliation.
   *
   * @param consumer as in its keys
   */
  public ConsumedMessages consumed(String consumer) {
    return new ConsumedMessages(
        dataSource, dialect.server(), dialect.names(), consumer, config.retention());
  }

  /**
   * What {@link #rotate} would fail for, and what to grant; empty if nothing is known to be
   * missing.
   *
   * @throws StoreException if the database cannot be reached or refuses
   */
  Optional<String> rotationFault() {
    return inAutoCommit(
        "Failed asking for the rights to rotate the inbox",
        connection -> Optional.ofNullable(dialect.rotationFault(connection)));
  }

  /**
   * Forgets what was processed longer ago than the retention, if a period is over. Costs no
   * deletes, but waits for transactions that have used the inbox, a second or two for each table,
   * and holds up new ones meanwhile. On H2, which cannot do that, deletes; a note that H2 refuses
   * to delete keeps no other. Any number of nodes may call it. The user needs the right to truncate
   * and rename the tables.
   *
   * @return false if it is not time yet, or another node does it
   * @throws StoreException if open transactions are in the way, which is tried again later, or the
   *     database cannot be reached or refuses; nothing is lost
   */
  public boolean rotate() {
    return inAutoCommit(
        "Failed rotating the inbox", connection -> dialect.rotate(connection, config.retention()));
  }

  private <T> T inAutoCommit(String failure, Session.Work<T> work) {
    try (AutoCommit alone = AutoCommit.begin(dataSource, SILENCE_MAX)) {
      return work.with(alone.connection());
    } catch (SQLException e) {
      StoreException thrown = OwnTransaction.failure(failure, e);
      throw Refusals.isFinal(e) ? new WriteRefusedException("" + thrown.getMessage(), e) : thrown;
    }
  }
}
