package io.angarium.jdbc.internal.report;

import io.angarium.StoreException;
import io.angarium.desk.ActBy;
import io.angarium.desk.AuditEntry;
import io.angarium.jdbc.internal.desk.AuditDialect;
import io.angarium.jdbc.internal.dialect.Dialect;
import io.angarium.jdbc.internal.reconciliation.ReconciliationDialect;
import io.angarium.jdbc.internal.reconciliation.Resending;
import io.angarium.jdbc.internal.session.OpenDatabase;
import io.angarium.jdbc.internal.session.Session;
import io.angarium.jdbc.internal.sql.SessionRole;
import io.angarium.reconciliation.Report;
import io.angarium.reconciliation.ReportDesk;
import io.angarium.reconciliation.ReportKeys;
import io.angarium.reconciliation.ReportQuery;
import io.angarium.reconciliation.ReportShelf;
import io.angarium.reconciliation.StoredReport;
import io.angarium.reconciliation.StoredReport.Repair;
import io.angarium.reconciliation.Window;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The reports of reconciliations of one database. Takes a connection for each call. Thread-safe.
 */
public final class JdbcReports implements ReportShelf, ReportDesk {
  private static final Logger LOG = LoggerFactory.getLogger(JdbcReports.class);

  private final OpenDatabase database;
  private final Dialect server;
  private final ReportDialect dialect;
  private final Resending resending;
  private final AuditDialect audit;

  public JdbcReports(OpenDatabase database) {
    this.database = database;
    this.server = database.dialect();
    this.dialect = new ReportDialect(server);
    this.resending = new Resending(server, database.time());
    this.audit = new AuditDialect(server);
  }

  @Override
  public void keep(String task, @Nullable String destination, Report report) {
    transaction(
        "keeping a report",
        connection -> {
          if (dialect.replace(task, destination, report).update(connection) == 0) {
            dialect.add(task, destination, report).update(connection);
          }
          deleteOld(connection, true, AGREEING_KEPT);
          deleteOld(connection, false, DIFFERING_KEPT);
          return report;
        });
  }

  private void deleteOld(Connection connection, boolean agrees, Duration age) throws SQLException {
    for (long id : dialect.old(agrees, age).query(connection, row -> row.getLong(1))) {
      dialect.delete(id).update(connection);
    }
  }

  @Override
  public void repaired(String task, Window window, int sentAgain, String by, String reason) {
    transaction(
        "noting the repair of a report",
        connection -> dialect.repaired(task, window, sentAgain, by, reason).update(connection));
  }

  @Override
  public List<StoredReport> open(Duration age, int limit) {
    return read(
        "reading reports", connection -> dialect.open(age, limit).query(connection, this::report));
  }

  // ---- what persons do

  @Override
  public List<StoredReport> latest(int perTask) {
    if (perTask < 1 || perTask > ReportQuery.LIMIT_MAX) {
      throw new IllegalArgumentException(
          "perTask: " + perTask + " (expected: 1.." + ReportQuery.LIMIT_MAX + ")");
    }
    return read(
        "reading reports", connection -> dialect.latest(perTask).query(connection, this::report));
  }

  @Override
  public List<StoredReport> page(ReportQuery query) {
    return read(
        "reading reports", connection -> dialect.page(query).query(connection, this::report));
  }

  @Override
  public Optional<StoredReport> find(long id) {
    return read(
        "reading a report",
        connection -> dialect.find(id).query(connection, this::report).stream().findFirst());
  }

  @Override
  public Optional<ReportKeys> keys(long id) {
    return read("reading the keys of a report", connection -> keys(connection, id));
  }

  private Optional<ReportKeys> keys(Connection connection, long id) throws SQLException {
    return dialect
        .keys(id)
        .query(connection, row -> KeysText.read(row.getString(1), row.getBoolean(2)))
        .stream()
        .findFirst();
  }

  @Override
  public Optional<StoredReport> sendMissing(long id, ActBy by) {
    Optional<StoredReport> repaired =
        act(
            id,
            by,
            "sendMissing",
            (connection, report) -> {
              if (report.missing() == 0) {
                throw new IllegalStateException("Nothing is missing in this report");
              }
              if (report.destination() == null) {
                throw new IllegalStateException(
                    "What this report compares are no messages, so they cannot be sent again");
              }
              return sendMissing(connection, id, by.decision().by());
            });
    repaired.ifPresent(
        report ->
            LOG.info(
                "Report {} of {}: missing messages are sent again by {}, reason '{}'",
                id,
                report.task(),
                by.decision().by(),
                by.decision().reason()));
    return repaired;
  }

  private int sendMissing(Connection connection, long id, String by) throws SQLException {
    List<UUID> ids =
        keys(connection, id).map(ReportKeys::missing).orElse(List.of()).stream()
            .map(UUID::fromString)
            .distinct()
            .sorted()
            .toList();
    int sent = 0;
    for (int from = 0; from < ids.size(); from += ReconciliationDialect.IDS_MAX) {
      int to = Math.min(from + ReconciliationDialect.IDS_MAX, ids.size());
      sent += resending.sendAgain(connection, ids.subList(from, to), by);
    }
    return sent;
  }

  @Override
  public Optional<StoredReport> settle(long id, ActBy by) {
    return act(id, by, "settleReport", (connection, report) -> 0);
  }

  /** Returns how many messages it has sent again. */
  @FunctionalInterface
  private interface Act {
    int on(Connection connection, StoredReport report) throws SQLException;
  }

  private Optional<StoredReport> act(long id, ActBy by, String name, Act act) {
    return transaction(
        "acting on a report",
        connection -> {
          Optional<StoredReport> held =
              dialect.hold(id).query(connection, this::report).stream().findFirst();
          if (held.isEmpty()) {
            return held;
          }
          StoredReport report = held.get();
          requireOpen(report);
          int sent = act.on(connection, report);
          dialect.repair(id, sent, by.decision().by(), by.decision().reason()).update(connection);
          String details = "missing " + report.missing() + ", sent again " + sent;
          audit
              .note(List.of(AuditEntry.of(by, name, "report", id + " " + report.task(), details)))
              .update(connection);
          return dialect.find(id).query(connection, this::report).stream().findFirst();
        });
  }

  private static void requireOpen(StoredReport report) {
    if (report.agrees()) {
      throw new IllegalStateException("Both sides of this report agree");
    }
    Repair repair = report.repair();
    if (repair != null) {
      throw new IllegalStateException(
          "Something was done about this report before, by %s at %s"
              .formatted(repair.by(), repair.at()));
    }
  }

  private StoredReport report(ResultSet row) throws SQLException {
    String by = row.getString(14);
    return new StoredReport(
        row.getLong(1),
        row.getString(2),
        row.getString(3),
        new Window(Instant.ofEpochMilli(row.getLong(4)), Instant.ofEpochMilli(row.getLong(5))),
        server.instant(row, 6),
        row.getLong(7),
        row.getLong(8),
        row.getInt(9),
        row.getInt(10),
        row.getInt(11),
        row.getBoolean(12),
        by == null
            ? null
            : new Repair(server.instant(row, 13), by, row.getString(15), row.getInt(16)));
  }

  /**
   * Runs work in a transaction.
   *
   * @throws StoreException if the database cannot be reached or refuses
   */
  private <T> T transaction(String doing, Session.Work<T> work) {
    try (Session session = database.session(SessionRole.WRITE)) {
      return session.transaction(doing, work);
    }
  }

  private <T> T read(String doing, Session.Work<T> work) {
    try (Session session = database.session(SessionRole.READ)) {
      return session.call(doing, work);
    }
  }
}
