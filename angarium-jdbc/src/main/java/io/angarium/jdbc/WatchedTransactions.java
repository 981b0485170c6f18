package io.angarium.jdbc;

import io.angarium.StoreException;
import io.angarium.jdbc.internal.dialect.Dialect;
import io.angarium.jdbc.internal.session.Dialects;
import io.angarium.jdbc.internal.sql.OwnTransaction;
import io.angarium.jdbc.internal.sql.TableNames;
import io.angarium.jdbc.internal.sql.TransactionWatch;
import io.angarium.jdbc.internal.write.MessageWriter;
import io.angarium.jdbc.settings.JdbcConfig;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Watches transactions that a framework begins and commits, for databases that end a transaction in
 * the middle and go on in another one: H2, MySQL and MariaDB do so with the victim of a deadlock.
 * Thread-safe.
 */
public final class WatchedTransactions {
  /**
   * Databases that go on after ending a transaction; the others refuse every statement, and so the
   * outbox's.
   */
  private static final Set<String> GOING_ON = Set.of("h2", "mysql", "mariadb");

  private final Map<String, Dialect> dialects = new ConcurrentHashMap<>();

  /** Creates what watches any number of transactions on any databases. */
  public WatchedTransactions() {}

  /** A transaction that is watched. Not thread-safe: one thread at a time. */
  public static final class Watched {
    private final Connection connection;
    private final @Nullable TransactionWatch watch;

    private Watched(Connection connection, @Nullable TransactionWatch watch) {
      this.connection = connection;
      this.watch = watch;
    }

    /** The connection that all work of the transaction must use until the end of the watch. */
    public Connection connection() {
      return connection;
    }

    /** Whether the watch has set a savepoint, as it does before what it cannot see through. */
    public boolean isMarked() {
      return watch != null && watch.isMarked();
    }

    /**
     * Sets that savepoint, if none stands, below one that was set past the watch. Call it right
     * after such a savepoint, whose release would take a younger one along. What fails is told by
     * {@link #end}. Blocks for at most two statements.
     *
     * @param savepoint the one set, which has a name; it is set again
     */
    public void markBelow(Savepoint savepoint) {
      if (watch != null) {
        watch.markBelow(savepoint);
      }
    }

    /**
     * Removes that savepoint. Call it before the transaction goes back to an older one, which takes
     * it along. What it finds is told by {@link #end}. Blocks for at most one statement.
     */
    public void unmark() {
      if (watch != null) {
        watch.unmark();
      }
    }

    /**
     * Ends the watch, right before what must share the fate of the work. Blocks for at most one
     * statement, and for none if the work ran single statements only.
     *
     * @throws StoreException if the database has ended the transaction that the work began in
     */
    public void end() {
      if (watch != null) {
        MessageWriter.end(watch);
      }
    }
  }

  /**
   * Begins to watch a transaction. Takes no round trip.
   *
   * @param connection with a running transaction
   * @param open whether it may have run a statement that this connection did not show
   * @return on databases that do not go on, and on unknown ones, with the connection itself
   * @throws StoreException if the connection fails
   */
  public Watched begin(Connection connection, boolean open) {
    try {
      String product = Dialects.product(connection.getMetaData());
      if (!GOING_ON.contains(product.toLowerCase(Locale.ROOT))) {
        return new Watched(connection, null);
      }
      Dialect dialect = dialects.computeIfAbsent(product, WatchedTransactions::dialect);
      TransactionWatch watch = dialect.sessions().watch(connection, open);
      Connection given = watch.connection();
      return new Watched(given == null ? connection : given, watch);
    } catch (SQLException e) {
      throw OwnTransaction.failure("Failed watching a transaction", e);
    }
  }

  private static Dialect dialect(String product) {
    return Dialects.of(product, new TableNames(JdbcConfig.DEFAULTS));
  }
}
