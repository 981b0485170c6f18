package io.angarium.jdbc.internal.dialect;

import io.angarium.StoreException;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.jdbc.internal.sql.TableNames;
import io.angarium.jdbc.settings.OtherServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * The tables as a whole: their creation, their versions and the mark of this set of tables; and the
 * server that holds them. Thread-safe.
 */
public interface SchemaSql {
  /** The names of the tables. */
  TableNames names();

  /** Columns that only this database has, by what follows the prefix in the table's name. */
  default Map<String, Set<String>> ownColumns() {
    return Map.of();
  }

  /**
   * Further tables that a history of sent messages needs on this database, by what follows the
   * prefix.
   */
  default Set<String> historyTables() {
    return Set.of();
  }

  /**
   * Makes other nodes wait while this one creates the tables; in its transaction.
   *
   * @throws StoreException if another one goes on for too long
   */
  void lockForCreate(Connection connection) throws SQLException;

  /**
   * What a thread holds while it creates or checks tables, for a database that has no lock for
   * {@link #lockForCreate}, and whose catalogue cannot be read while another thread changes it.
   */
  default Object createMonitor() {
    return new Object();
  }

  /** Ends what {@link #lockForCreate} began and the end of the transaction does not end. */
  default void unlockAfterCreate(Connection connection) throws SQLException {}

  /**
   * True if a statement of a script failed because it has run before, in a node that crashed before
   * the end of the script.
   */
  default boolean isAlreadyThere(SQLException e) {
    return false;
  }

  /** What the server says of itself; names an {@link OtherServer} if it is one. */
  String describeServer(Connection connection) throws SQLException;

  /** The faults of the server itself, e.g. its version; empty if there are none. */
  List<String> serverFaults(Connection connection) throws SQLException;

  /** The recorded version of a feature, one row at most; the same text on every database. */
  default Sql featureVersion(String feature) {
    return Sql.of(
        names()
            .in(
                """
                SELECT version, works_from
                FROM outbox_feature
                WHERE feature = ?
                """),
        feature);
  }

  /** The number that Angarium 0.1 counts, one row at most; the same text on every database. */
  default Sql schemaVersion() {
    return Sql.of(names().in("SELECT version FROM outbox_schema"));
  }

  /** Which set of tables it is: one row, null if the table is empty. */
  default Sql source() {
    return Sql.of(names().in("SELECT (SELECT source FROM outbox_schema)"));
  }

  /**
   * One row: the mark of the server, null if it has none, and whether it takes writes. Each other
   * server that takes over has another mark.
   */
  Sql server();

  /** Reads the columns of {@link #source}, and behind them the columns of {@link #server}. */
  Sql sourceAndServer();

  /** Puts back the row that {@link #source} reads, if somebody has deleted it. */
  Sql putBackSource(UUID source);
}
