package io.angarium.jdbc.internal.desk;

import io.angarium.desk.ActBy;
import io.angarium.desk.AuditEntry;
import io.angarium.desk.DestinationPause;
import io.angarium.desk.PauseDesk;
import io.angarium.jdbc.internal.dialect.Dialect;
import io.angarium.jdbc.internal.session.OpenDatabase;
import io.angarium.jdbc.internal.session.Session;
import io.angarium.jdbc.internal.sql.SessionRole;
import io.angarium.pause.PauseStore;
import io.angarium.store.lease.NodeId;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The pauses of one database. Takes a connection for each call. Thread-safe. */
public final class JdbcPauses implements PauseDesk, PauseStore {
  private static final Logger LOG = LoggerFactory.getLogger(JdbcPauses.class);

  private final OpenDatabase database;
  private final Dialect server;
  private final PauseDialect dialect;
  private final AuditDialect audit;

  public JdbcPauses(OpenDatabase database) {
    this.database = database;
    this.server = database.dialect();
    this.dialect = new PauseDialect(server);
    this.audit = new AuditDialect(server);
  }

  /** A pause as it is stored. */
  private record Row(long version, DestinationPause pause) {}

  // ---- for persons

  @Override
  public List<DestinationPause> pauses() {
    try (Session session = database.session(SessionRole.READ)) {
      return session.call("reading pauses", this::inForce);
    }
  }

  /** The pauses in force, by their ends. */
  public List<DestinationPause> inForce(Connection connection) throws SQLException {
    return rows(connection).stream().map(Row::pause).toList();
  }

  /** Keeps persons from changing pauses until the transaction ends, and tells the time. */
  public Instant lock(Connection connection) throws SQLException {
    return last(connection).now();
  }

  private List<Row> rows(Connection connection) throws SQLException {
    return dialect
        .inForce()
        .query(
            connection,
            row ->
                new Row(
                    row.getLong(2),
                    new DestinationPause(
                        row.getLong(1),
                        row.getString(3),
                        server.instant(row, 4),
                        server.instant(row, 5),
                        row.getString(6),
                        row.getString(7),
                        row.getInt(8),
                        row.getInt(9))));
  }

  @Override
  public DestinationPause pause(String destinations, Duration length, ActBy by) {
    DestinationPause.check(destinations, length);
    DestinationPause begun =
        transaction(
            "pausing destinations",
            connection -> {
              long version = begin(connection);
              dialect.deleteEnded().update(connection);
              List<Row> before = rows(connection);
              Optional<Row> same =
                  before.stream()
                      .filter(each -> each.pause().destinations().equals(destinations))
                      .findFirst();
              if (same.isPresent()) { // what is applied of it stays so
                long former = same.get().pause().id();
                dialect.addLonger(same.get().version(), length, by, former).update(connection);
                dialect.delete(former).update(connection);
              } else if (before.size() >= DestinationPause.PAUSES_MAX) {
                throw new IllegalArgumentException(
                    "pauses: %d (expected: at most %d); resume some, or use a star, e.g. kafka:*"
                        .formatted(before.size() + 1, DestinationPause.PAUSES_MAX));
              } else {
                dialect.add(version, destinations, length, by).update(connection);
              }
              note(connection, by, "pause-destination", destinations);
              return rows(connection).stream()
                  .map(Row::pause)
                  .filter(each -> each.destinations().equals(destinations))
                  .findFirst()
                  .orElseThrow();
            });
    LOG.info(
        "Destinations {} paused until {} by {}, reason '{}'",
        destinations,
        begun.until(),
        by.decision().by(),
        by.decision().reason());
    return begun;
  }

  @Override
  public boolean resume(long pause, ActBy by) {
    Optional<String> resumed =
        transaction(
            "resuming destinations",
            connection -> {
              begin(connection);
              Optional<String> found =
                  rows(connection).stream()
                      .map(Row::pause)
                      .filter(each -> each.id() == pause)
                      .map(DestinationPause::destinations)
                      .findFirst();
              if (found.isPresent()) {
                dialect.delete(pause).update(connection);
                note(connection, by, "resume-destination", found.get());
              }
              return found;
            });
    resumed.ifPresent(
        destinations ->
            LOG.info(
                "Destinations {} resumed by {}, reason '{}'",
                destinations,
                by.decision().by(),
                by.decision().reason()));
    return resumed.isPresent();
  }

  private void note(Connection connection, ActBy by, String act, String destinations)
      throws SQLException {
    AuditEntry entry = AuditEntry.of(by, act, "destination", destinations, null);
    audit.note(List.of(entry)).update(connection);
  }

  // ---- the number of the act

  private record Act(long version, Instant now) {}

  private Optional<Act> held(Connection connection) throws SQLException {
    return dialect
        .lockVersion()
        .query(connection, row -> new Act(row.getLong(1), server.instant(row, 2)))
        .stream()
        .findFirst();
  }

  private Act last(Connection connection) throws SQLException {
    Optional<Act> held = held(connection);
    if (held.isEmpty()) {
      dialect.firstVersion(0).update(connection);
      held = held(connection);
    }
    return held.orElseThrow();
  }

  /**
   * Begins an act, and lets no other one begin before it ends. Its number follows the clock, so
   * that a restored backup does not give one a second time.
   */
  private long begin(Connection connection) throws SQLException {
    Act last = last(connection);
    long version = Math.max(last.version() + 1, last.now().toEpochMilli());
    dialect.raiseVersion(version).update(connection);
    return version;
  }

  // ---- for relays

  @Override
  public Optional<InForce> changedSince(long version) {
    try (Session session = database.session(SessionRole.READ)) {
      return session.call(
          "looking for pauses",
          connection -> {
            long current =
                dialect.version().query(connection, row -> row.getLong(1)).stream()
                    .findFirst()
                    .orElse(0L);
            return current == version
                ? Optional.empty()
                : Optional.of(
                    new InForce(current, dialect.remaining().query(connection, this::remaining)));
          });
    }
  }

  private Remaining remaining(ResultSet row) throws SQLException {
    return new Remaining(
        row.getString(1), Duration.between(server.instant(row, 3), server.instant(row, 2)));
  }

  @Override
  public void applied(NodeId node, long version) {
    transaction(
        "noting that pauses are applied",
        connection -> {
          if (dialect.applyAgain(node, version).update(connection) == 0) {
            dialect.applyFirst(node, version).update(connection);
          }
          return dialect.forgetGone(node).update(connection);
        });
  }

  private <T> T transaction(String doing, Session.Work<T> work) {
    try (Session session = database.session(SessionRole.WRITE)) {
      return session.transaction(doing, work);
    }
  }
}
