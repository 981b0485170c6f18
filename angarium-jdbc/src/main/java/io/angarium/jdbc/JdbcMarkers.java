package io.angarium.jdbc;

import io.angarium.StoreException;
import io.angarium.TimeSource;
import io.angarium.WrongSourceException;
import io.angarium.half.CheckBack;
import io.angarium.half.Marker;
import io.angarium.half.Verdict;
import io.angarium.half.local.MarkerTakenException;
import io.angarium.jdbc.internal.dialect.Dialect;
import io.angarium.jdbc.internal.session.OpenDatabase;
import io.angarium.jdbc.internal.session.Session;
import io.angarium.jdbc.internal.sql.OwnTransaction;
import io.angarium.jdbc.internal.sql.SessionRole;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The markers of local transactions in one database. The process that runs the transaction writes
 * the marker; questions use a connection of their own. Thread-safe.
 */
public final class JdbcMarkers {
  private static final Logger LOG = LoggerFactory.getLogger(JdbcMarkers.class);
  private static final String COMMITTED = "committed";
  private static final String ROLLED_BACK = "rolled back";

  /** How long a dead network may hold up a question. */
  private static final Duration CHECK_MAX = Duration.ofSeconds(5);

  /** How long a question for several may take: less than who asks waits, 10 s by default. */
  private static final Duration CHECK_ALL_MAX = Duration.ofSeconds(8);

  private final OpenDatabase database;
  private final Dialect dialect;
  private final TimeSource time;

  JdbcMarkers(OpenDatabase database) {
    this.database = database;
    this.dialect = database.dialect();
    this.time = database.time();
  }

  /**
   * Writes a marker as the first statement of a transaction, whose commit it then stands for.
   * Blocks for one statement.
   *
   * @param connection with {@code autoCommit} off; left open, neither committed nor rolled back
   * @throws MarkerTakenException if it is there already; the transaction must be rolled back
   * @throws WrongSourceException if the connection leads to other tables than those that are asked
   * @throws StoreException if the database refuses; likewise
   */
  public void claim(Connection connection, Marker marker) {
    try {
      boolean added = dialect.markers().addMarker(connection, marker, COMMITTED);
      // not before it: a first read that does not wait would fix what the transaction sees
      database.source().require(connection);
      if (!added) {
        throw new MarkerTakenException(marker, stored(connection, marker));
      }
    } catch (SQLException e) {
      throw OwnTransaction.failure("Failed writing the marker " + marker, e);
    }
  }

  /**
   * Makes sure, just before the commit, that the transaction still is the one that wrote the
   * marker. A database ends the transaction that is the victim of a deadlock, and if the work
   * swallows that, what follows is another one. Blocks for one statement.
   *
   * @param connection that {@link #claim} was called with
   * @throws StoreException if it is another one; roll it back
   */
  public void confirm(Connection connection, Marker marker) {
    try {
      List<String> outcomes = outcomes(connection, marker);
      if (!outcomes.equals(List.of(COMMITTED))) {
        throw new StoreException(
            "Local transaction "
                + marker
                + " has lost its marker and is rolled back: the database has ended it in the middle"
                + " of its work, perhaps as the victim of a deadlock; let such exceptions through",
            null);
      }
    } catch (SQLException e) {
      throw OwnTransaction.failure("Failed reading the marker " + marker, e);
    }
  }

  private List<String> outcomes(Connection connection, Marker marker) throws SQLException {
    return dialect.markers().markerOutcome(marker).query(connection, row -> row.getString(1));
  }

  private Verdict stored(Connection connection, Marker marker) throws SQLException {
    List<String> outcomes = outcomes(connection, marker);
    if (outcomes.isEmpty()) {
      throw new SQLException("The marker " + marker + " was there and is gone", "02000");
    }
    return verdict(outcomes.get(0));
  }

  private static Verdict verdict(String outcome) {
    return outcome.equals(COMMITTED) ? Verdict.COMMITTED : Verdict.ROLLED_BACK;
  }

  /** Checks a marker like {@link io.angarium.half.local.LocalTransactions#check}. */
  public Verdict check(Marker marker) {
    try (Session session = checking()) {
      return check(session, marker);
    }
  }

  /**
   * A check-back that needs no code of the application: the business transaction of a half message
   * begins with the marker of the same business and key, e.g. by {@link JdbcLocalTransactions#run},
   * and commits with it. One that was never begun is ruled out by the question, so it must not be
   * asked for too early.
   */
  public CheckBack checkBack() {
    return new MarkerCheckBack(this);
  }

  /**
   * Checks several markers of one type like {@link #check}, on one connection. Decided markers are
   * one question. For the others it waits for each open transaction, at most eight seconds for all
   * of them together. Those still undecided then are unreachable.
   */
  List<Verdict> checkAll(String type, List<String> keys) {
    long endNanos = time.nanoTime() + CHECK_ALL_MAX.toNanos();
    Map<String, Verdict> verdicts = new HashMap<>();
    try (Session session = checking()) {
      if (decided(session, type, keys, verdicts)) {
        boolean reached = true;
        for (String key : keys) {
          if (reached && !verdicts.containsKey(key) && time.nanoTime() - endNanos < 0) {
            Verdict verdict = check(session, new Marker(type, key));
            verdicts.put(key, verdict);
            reached = verdict != Verdict.UNREACHABLE; // or each of the rest would wait in vain
          }
        }
      }
    }
    return keys.stream().map(key -> verdicts.getOrDefault(key, Verdict.UNREACHABLE)).toList();
  }

  private boolean decided(
      Session session, String type, List<String> keys, Map<String, Verdict> verdicts) {
    try {
      return session.call(
          "reading markers",
          connection -> {
            dialect
                .markers()
                .markerOutcomes(type, keys)
                .forEach(
                    connection, row -> verdicts.put(row.getString(1), verdict(row.getString(2))));
            return true;
          });
    } catch (StoreException e) {
      unreachable(type + "/" + keys.get(0) + " and " + (keys.size() - 1) + " others", e);
      return false;
    }
  }

  private Session checking() {
    return database.session(SessionRole.CHECK, CHECK_MAX);
  }

  private Verdict check(Session session, Marker marker) {
    try {
      return session.transaction("checking a marker", connection -> ask(connection, marker));
    } catch (StoreException e) {
      if (e.getCause() instanceof SQLException cause && dialect.sessions().isLockTimeout(cause)) {
        LOG.debug("Local transaction {} is still open", marker);
        return Verdict.IN_FLIGHT;
      }
      unreachable(marker.toString(), e);
      return Verdict.UNREACHABLE;
    }
  }

  private static void unreachable(String which, StoreException reason) {
    LOG.warn(
        "Local transaction {} cannot be asked for now; it is asked for again: {}",
        which,
        reason.getMessage());
  }

  private Verdict ask(Connection connection, Marker marker) throws SQLException {
    return dialect.markers().addMarker(connection, marker, ROLLED_BACK)
        ? Verdict.ROLLED_BACK
        : stored(connection, marker);
  }
}
