package io.angarium.jdbc;

import io.angarium.TimeSource;
import io.angarium.half.Marker;
import io.angarium.half.MarkerTakenException;
import io.angarium.half.Verdict;
import io.angarium.store.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The markers of local transactions in one database: written by whoever runs the transaction, asked
 * for on a connection of their own. Thread-safe.
 */
public final class JdbcMarkers {
  private static final Logger LOG = LoggerFactory.getLogger(JdbcMarkers.class);
  private static final String COMMITTED = "committed";
  private static final String ROLLED_BACK = "rolled back";

  /** How long a dead network may hold up a question. */
  private static final Duration CHECK_MAX = Duration.ofSeconds(5);

  private final DataSource dataSource;
  private final Dialect dialect;
  private final TimeSource time;

  JdbcMarkers(DataSource dataSource, Dialect dialect, TimeSource time) {
    this.dataSource = dataSource;
    this.dialect = dialect;
    this.time = time;
  }

  /**
   * Writes a marker as the first statement of a transaction, whose commit it then stands for.
   * Blocks for one statement.
   *
   * @param connection with {@code autoCommit} off; left open, neither committed nor rolled back
   * @throws MarkerTakenException if it is there already; the transaction must be rolled back
   * @throws StoreException if the database refuses; likewise
   */
  public void claim(Connection connection, Marker marker) {
    try {
      if (!dialect.addMarker(connection, marker, COMMITTED)) {
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
    return dialect.markerOutcome(marker).query(connection, row -> row.getString(1));
  }

  private Verdict stored(Connection connection, Marker marker) throws SQLException {
    List<String> outcomes = outcomes(connection, marker);
    if (outcomes.isEmpty()) {
      throw new SQLException("The marker " + marker + " was there and is gone", "02000");
    }
    return outcomes.get(0).equals(COMMITTED) ? Verdict.COMMITTED : Verdict.ROLLED_BACK;
  }

  /** As {@link io.angarium.half.LocalTransactions#check}. */
  public Verdict check(Marker marker) {
    try (Session session = new Session(dataSource, dialect, Session.Role.CHECK, CHECK_MAX, time)) {
      return session.transaction("checking a marker", connection -> ask(connection, marker));
    } catch (StoreException e) {
      if (e.getCause() instanceof SQLException cause && dialect.isLockTimeout(cause)) {
        LOG.debug("Local transaction {} is still open", marker);
        return Verdict.IN_FLIGHT;
      }
      LOG.warn(
          "Local transaction {} cannot be asked for now; it is asked for again: {}",
          marker,
          e.getMessage());
      return Verdict.UNREACHABLE;
    }
  }

  private Verdict ask(Connection connection, Marker marker) throws SQLException {
    return dialect.addMarker(connection, marker, ROLLED_BACK)
        ? Verdict.ROLLED_BACK
        : stored(connection, marker);
  }
}
