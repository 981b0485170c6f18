package io.angarium.jdbc;

import io.angarium.WrongSourceException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.WeakHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which set of outbox tables a database holds: a number that the set got when it was created. A
 * data source may lead to several; each physical connection is asked once which one it leads to.
 * Thread-safe.
 */
final class Source {
  private static final Logger LOG = LoggerFactory.getLogger(Source.class);

  /** SQLStates: no such table, schema or database; MySQL says the last as it refuses a right. */
  private static final Set<String> NO_SUCH_TABLE =
      Set.of("42P01", "3F000", "42S02", "42000", "42S04", "90079");

  /** SQLState of MariaDB, MySQL and H2. */
  private static final String NO_SUCH_COLUMN = "42S22";

  private static final String NOT_TOLD =
      "has no source: if its row is lost, insert one (version: 1); then run the newest script of"
          + " feature outbox";

  /** SQLStates: no right to read; MySQL's is told by its numbers. */
  private static final Set<String> DENIED = Set.of("42501", "90096");

  private static final Set<Integer> DENIED_BY_MYSQL = Set.of(1142, 1143);

  private final Dialect dialect;
  private final AtomicReference<@Nullable Found> own = new AtomicReference<>();
  private volatile boolean untold;
  private final Set<Object> known = Collections.synchronizedSet(weakSet());

  /**
   * What tables say.
   *
   * @param place database and server, for people
   */
  private record Found(@Nullable UUID id, String place) {
    @Override
    public String toString() {
      return (id == null ? "without a number" : id.toString()) + " at " + place;
    }
  }

  /** The tables that the first connection asked leads to. */
  Source(Dialect dialect) {
    this.dialect = dialect;
  }

  /**
   * Asks a first connection. Tables of an earlier version do not tell, and some accounts may not
   * ask: then a warning says so, and no connection is told from another.
   *
   * @param mustExist false if the tables may come later
   */
  void open(Connection connection, boolean mustExist) throws SQLException {
    try {
      Found here = ask(connection);
      if (here.id() == null) {
        untold(NOT_TOLD);
      } else {
        own.set(here);
        known.add(PhysicalConnection.of(connection));
      }
    } catch (SQLException e) {
      if (NO_SUCH_COLUMN.equals(e.getSQLState())) {
        untold(NOT_TOLD);
      } else if (isDenied(e)) {
        untold("may not be read: grant SELECT on it");
      } else if (mustExist || !isMissing(e)) {
        throw e;
      }
    }
  }

  private static boolean isDenied(SQLException e) {
    return DENIED.contains(String.valueOf(e.getSQLState()))
        || DENIED_BY_MYSQL.contains(e.getErrorCode());
  }

  private void untold(String why) {
    untold = true;
    LOG.warn(
        "Table {} {}, and restart. Until then nothing is noticed if a connection leads to the tables"
            + " of another outbox",
        dialect.names().shown("_schema"),
        why);
  }

  private static Set<Object> weakSet() {
    return Collections.newSetFromMap(new WeakHashMap<>());
  }

  /** The number of the set; null as long as no connection was asked. */
  @Nullable UUID id() {
    Found found = own.get();
    return found == null ? null : found.id();
  }

  /**
   * Makes sure that a connection leads to these tables. Blocks for one statement if this physical
   * connection is new. A table without its row counts as ours if it is in the same place: somebody
   * has emptied it.
   *
   * @throws SQLException if it leads to others, or the database refuses
   */
  void check(Connection connection) throws SQLException {
    String elsewhere = elsewhere(connection);
    if (elsewhere != null) {
      throw new SQLException(elsewhere);
    }
  }

  /**
   * As {@link #check}, for a transaction of somebody else.
   *
   * @throws WrongSourceException if it leads to others
   * @throws SQLException if the database refuses
   */
  void require(Connection connection) throws SQLException {
    String elsewhere = elsewhere(connection);
    if (elsewhere != null) {
      throw new WrongSourceException(elsewhere + ". Roll the transaction back");
    }
  }

  private @Nullable String elsewhere(Connection connection) throws SQLException {
    if (untold) {
      return null;
    }
    Object physical = PhysicalConnection.of(connection);
    if (known.contains(physical)) {
      return null;
    }
    Found here = here(connection);
    if (here.id() != null) {
      own.compareAndSet(null, here);
    }
    Found expected = own.get();
    if (expected == null) {
      return null;
    }
    // an emptied table tells nothing, and is ours if it is where ours was
    if (here.id() == null
        ? !here.place().equals(expected.place())
        : !here.id().equals(expected.id())) {
      return "The connection leads to the outbox %s (expected: %s, which is relayed); the data source"
              .formatted(here, expected)
          + " routes, or the tables were created anew: give each database an outbox and a relay of"
          + " its own, put one outbox where all transactions reach it (jdbc.schema), or restart";
    }
    known.add(physical);
    return null;
  }

  /** Without a number where the tables are missing, or of an earlier version. */
  private Found here(Connection connection) throws SQLException {
    try {
      return ask(connection);
    } catch (SQLException e) {
      if (own.get() == null) {
        throw e;
      }
      if (isDenied(e)) {
        throw new SQLException(
            "%s; grant SELECT on %s to %s"
                .formatted(
                    e.getMessage(),
                    dialect.names().shown("_schema"),
                    connection.getMetaData().getUserName()),
            e.getSQLState(),
            e);
      }
      if (isMissing(e)) {
        return new Found(null, place(connection));
      }
      throw e;
    }
  }

  private static boolean isMissing(SQLException e) {
    String state = String.valueOf(e.getSQLState());
    return NO_SUCH_TABLE.contains(state) || NO_SUCH_COLUMN.equals(state);
  }

  private Found ask(Connection connection) throws SQLException {
    List<Optional<UUID>> found =
        dialect
            .source()
            .query(
                connection,
                row ->
                    row.getObject(1) == null
                        ? Optional.<UUID>empty()
                        : Optional.of(dialect.uuid(row, 1)));
    return new Found(found.get(0).orElse(null), place(connection));
  }

  /** The URL as far as it names server and database, without user and password. */
  private static String place(Connection connection) throws SQLException {
    return String.valueOf(connection.getMetaData().getURL())
        .replaceAll("[?;(].*", "")
        .replaceAll("//[^/]*@", "//");
  }
}
