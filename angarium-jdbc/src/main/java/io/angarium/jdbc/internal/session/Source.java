package io.angarium.jdbc.internal.session;

import io.angarium.TimeSource;
import io.angarium.WrongSourceException;
import io.angarium.jdbc.internal.dialect.Dialect;
import io.angarium.jdbc.internal.session.Servers.Server;
import io.angarium.jdbc.internal.sql.PhysicalConnection;
import io.angarium.jdbc.internal.sql.Refusals;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
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
public final class Source {
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

  /** A server that did not tell which one it is, is asked again after so long. */
  public static final Duration MARKLESS_PAUSE = Duration.ofMinutes(1);

  private static final Set<Integer> DENIED_BY_MYSQL = Set.of(1142, 1143);

  /** MySQL, as {@code HY000}: no such variable; a view or system table that is not as expected. */
  private static final Set<Integer> CANNOT_TELL = Set.of(1193, 1356, 1682);

  private final Dialect dialect;
  private final TimeSource time;
  private final Servers servers;
  private final AtomicReference<@Nullable Found> own = new AtomicReference<>();
  private volatile boolean untold;

  /** When the server last refused to tell which one it is; null if it does tell. */
  private volatile @Nullable Long marklessSinceNanos;

  private final Set<Object> known = Collections.synchronizedSet(weakSet());
  private final Map<Object, Place> places = Collections.synchronizedMap(new WeakHashMap<>());

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

  /**
   * Where a connection leads.
   *
   * @param era {@link Servers#LEFT} if it leads to a server that was left
   */
  public record Place(int era, boolean writable, int renewals, long askedNanos) {
    Place inEra(int another) {
      return new Place(another, writable, renewals, askedNanos);
    }
  }

  /** The tables that the first connection asked leads to. */
  public Source(Dialect dialect, TimeSource time) {
    this.dialect = dialect;
    this.time = time;
    this.servers = new Servers(time);
  }

  /** The servers that the connections have led to. */
  public Servers servers() {
    return servers;
  }

  /**
   * Asks a first connection. Tables of an earlier version do not tell, and some accounts may not
   * ask: then a warning says so, and no connection is told from another.
   *
   * @param mustExist false if the tables may come later
   */
  public void open(Connection connection, boolean mustExist) throws SQLException {
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
        "Table {} {}, and restart. Until then nothing is noticed if a connection leads to the"
            + " tables of another outbox",
        dialect.names().shown("_schema"),
        why);
  }

  private static Set<Object> weakSet() {
    return Collections.newSetFromMap(new WeakHashMap<>());
  }

  /** The number of the set; null as long as no connection was asked. */
  @Nullable
  public UUID id() {
    Found found = own.get();
    return found == null ? null : found.id();
  }

  /**
   * Makes sure that a connection of a session leads to these tables, and tells to which server.
   * Blocks for one statement if this physical connection is new, or was asked long ago.
   *
   * @throws SQLException if it leads to others, or the database refuses
   */
  public Place check(Connection connection) throws SQLException {
    Object physical = PhysicalConnection.of(connection);
    Place before = places.get(physical);
    if (before != null
        && before.era() == servers.era()
        && before.renewals() == servers.renewals()
        && time.nanoTime() - before.askedNanos() < Session.AGE_MAX.toNanos()) {
      return before;
    }
    int renewals = servers.renewals();
    Server server = untold || known.contains(physical) ? server(connection) : both(connection);
    int era = servers.meet(server);
    Place place = new Place(era, server.writable(), renewals, time.nanoTime());
    if (era != Servers.LEFT && server.writable() && !isMarkless()) {
      places.put(physical, place);
    }
    return place;
  }

  /** Asks a connection of our own for the server alone. */
  private Server server(Connection connection) throws SQLException {
    if (isMarkless()) {
      return Server.UNKNOWN;
    }
    try {
      Server told = dialect.schema().server().query(connection, row -> server(row, 1)).get(0);
      tells();
      return told;
    } catch (SQLException e) {
      markless(e);
      return Server.UNKNOWN;
    }
  }

  private static Server server(ResultSet row, int column) throws SQLException {
    return new Server(row.getString(column), row.getBoolean(column + 1));
  }

  /** Asks a connection of our own for the tables and the server together. */
  private Server both(Connection connection) throws SQLException {
    if (!isMarkless()) {
      try {
        Server told =
            dialect
                .schema()
                .sourceAndServer()
                .query(
                    connection,
                    row -> {
                      check(connection, new Found(id(row), place(connection)));
                      return server(row, 2);
                    })
                .get(0);
        tells();
        return told;
      } catch (WrongTables e) {
        throw e;
      } catch (SQLException e) {
        LOG.debug("Tables and server could not be asked for together", e);
      }
    }
    String elsewhere = elsewhere(connection);
    if (elsewhere != null) {
      throw new WrongTables(elsewhere);
    }
    return server(connection);
  }

  private void check(Connection connection, Found here) throws WrongTables {
    String elsewhere = elsewhere(here);
    if (elsewhere != null) {
      throw new WrongTables(elsewhere);
    }
    if (own.get() != null) {
      known.add(PhysicalConnection.of(connection));
    }
  }

  /** The connection leads to other tables. */
  private static final class WrongTables extends SQLException {
    private static final long serialVersionUID = 1L;

    WrongTables(String reason) {
      super(reason);
    }
  }

  /** A refusal that passes is no answer: the session fails, and its next connection is asked. */
  private void markless(SQLException cause) throws SQLException {
    if (!Refusals.isFinal(cause) && !CANNOT_TELL.contains(cause.getErrorCode())) {
      throw cause;
    }
    if (marklessSinceNanos == null) {
      LOG.warn(
          "The server does not tell which one it is; that another one took over is noticed by lost"
              + " heartbeats alone. {}",
          cause.getMessage());
    }
    marklessSinceNanos = time.nanoTime();
  }

  /** The refusal may end, as with a grant: the server is asked again after a while. */
  private boolean isMarkless() {
    Long since = marklessSinceNanos;
    return since != null && time.nanoTime() - since < MARKLESS_PAUSE.toNanos();
  }

  private void tells() {
    if (marklessSinceNanos != null) {
      marklessSinceNanos = null;
      LOG.info("The server tells again which one it is.");
    }
  }

  /**
   * Checks a connection like {@link #check}, for a transaction of somebody else. A table without
   * its row counts as ours if it is in the same place: somebody has emptied it.
   *
   * @throws WrongSourceException if it leads to others
   * @throws SQLException if the database refuses
   */
  public void require(Connection connection) throws SQLException {
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
    String elsewhere = elsewhere(here(connection));
    if (elsewhere == null && own.get() != null) {
      known.add(physical);
    }
    return elsewhere;
  }

  private @Nullable String elsewhere(Found here) {
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
        dialect.schema().source().query(connection, row -> Optional.ofNullable(id(row)));
    return new Found(found.get(0).orElse(null), place(connection));
  }

  private @Nullable UUID id(ResultSet row) throws SQLException {
    return row.getObject(1) == null ? null : dialect.uuid(row, 1);
  }

  /** The URL as far as it names server and database, without user and password. */
  private static String place(Connection connection) throws SQLException {
    return String.valueOf(connection.getMetaData().getURL())
        .replaceAll("[?;(].*", "")
        .replaceAll("//[^/]*@", "//");
  }
}
