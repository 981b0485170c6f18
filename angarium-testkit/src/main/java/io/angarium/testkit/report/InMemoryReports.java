package io.angarium.testkit.report;

import io.angarium.StoreException;
import io.angarium.desk.ActBy;
import io.angarium.desk.AuditEntry;
import io.angarium.reconciliation.Report;
import io.angarium.reconciliation.ReportDesk;
import io.angarium.reconciliation.ReportKeys;
import io.angarium.reconciliation.ReportQuery;
import io.angarium.reconciliation.ReportShelf;
import io.angarium.reconciliation.StoredReport;
import io.angarium.reconciliation.StoredReport.Repair;
import io.angarium.reconciliation.Window;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reports of reconciliations in memory, for tests. Thread-safe. */
public final class InMemoryReports implements ReportShelf, ReportDesk {
  private static final Comparator<StoredReport> LATEST_FIRST =
      Comparator.comparingLong(StoredReport::id).reversed();

  private final InstantSource clock;
  private final ToIntFunction<List<String>> sending;
  private final TreeMap<Long, StoredReport> reports = new TreeMap<>();
  private final Map<Long, ReportKeys> keys = new HashMap<>();
  private final List<AuditEntry> audit = new ArrayList<>();
  private boolean auditBroken;
  private long last;

  /**
   * Creates a shelf; it is empty.
   *
   * @param sending sends messages of these ids again, and returns how many
   */
  public InMemoryReports(InstantSource clock, ToIntFunction<List<String>> sending) {
    this.clock = clock;
    this.sending = sending;
  }

  /** What persons did, latest first. */
  public synchronized List<AuditEntry> audit() {
    List<AuditEntry> latest = new ArrayList<>(audit);
    Collections.reverse(latest);
    return latest;
  }

  /** Makes every act of a person fail, or no more. */
  public synchronized void breakAudit(boolean broken) {
    this.auditBroken = broken;
  }

  @Override
  public synchronized void keep(String task, @Nullable String destination, Report report) {
    Instant now = clock.instant();
    StoredReport before = ofWindow(task, report.window()).orElse(null);
    long id = before == null ? ++last : before.id();
    reports.put(
        id,
        new StoredReport(
            id,
            task,
            destination,
            report.window(),
            now,
            report.produced().count(),
            report.consumed().count(),
            report.missing().size(),
            report.unexpected().size(),
            report.repeated().size(),
            report.agrees(),
            before != null && report.agrees() ? before.repair() : null));
    keys.put(id, ReportKeys.of(report));
    reports
        .values()
        .removeIf(
            each ->
                each.comparedAt()
                    .plus(each.agrees() ? AGREEING_KEPT : DIFFERING_KEPT)
                    .isBefore(now));
    keys.keySet().retainAll(reports.keySet());
  }

  private Optional<StoredReport> ofWindow(String task, Window window) {
    return reports.values().stream()
        .filter(each -> each.task().equals(task) && each.window().equals(window))
        .findFirst();
  }

  @Override
  public synchronized void repaired(
      String task, Window window, int sentAgain, String by, String reason) {
    ofWindow(task, window)
        .filter(each -> !each.agrees())
        .ifPresent(each -> repair(each, new Repair(clock.instant(), by, reason, sentAgain)));
  }

  private StoredReport repair(StoredReport report, Repair repair) {
    StoredReport repaired =
        new StoredReport(
            report.id(),
            report.task(),
            report.destination(),
            report.window(),
            report.comparedAt(),
            report.produced(),
            report.consumed(),
            report.missing(),
            report.unexpected(),
            report.repeated(),
            report.agrees(),
            repair);
    reports.put(report.id(), repaired);
    return repaired;
  }

  @Override
  public synchronized List<StoredReport> open(Duration age, int limit) {
    Instant earliest = clock.instant().minus(age);
    return reports.values().stream()
        .filter(each -> each.open() && !each.comparedAt().isBefore(earliest))
        .sorted(
            Comparator.comparing(StoredReport::comparedAt).reversed().thenComparing(LATEST_FIRST))
        .limit(limit)
        .toList();
  }

  @Override
  public synchronized List<StoredReport> latest(int perTask) {
    if (perTask < 1 || perTask > ReportQuery.LIMIT_MAX) {
      throw new IllegalArgumentException(
          "perTask: " + perTask + " (expected: 1.." + ReportQuery.LIMIT_MAX + ")");
    }
    return reports.values().stream()
        .map(StoredReport::task)
        .distinct()
        .sorted()
        .flatMap(task -> page(new ReportQuery(task, false, null, perTask)).stream())
        .toList();
  }

  @Override
  public synchronized List<StoredReport> page(ReportQuery query) {
    Long before = query.before();
    Stream<StoredReport> all =
        (before == null ? reports : reports.headMap(before, false)).values().stream();
    return all.filter(each -> query.task() == null || each.task().equals(query.task()))
        .filter(each -> !query.differing() || !each.agrees())
        .sorted(LATEST_FIRST)
        .limit(query.limit())
        .toList();
  }

  @Override
  public synchronized Optional<StoredReport> find(long id) {
    return Optional.ofNullable(reports.get(id));
  }

  @Override
  public synchronized Optional<ReportKeys> keys(long id) {
    return Optional.ofNullable(keys.get(id));
  }

  @Override
  public synchronized Optional<StoredReport> sendMissing(long id, ActBy by) {
    return find(id)
        .map(
            report -> {
              requireOpen(report);
              if (report.missing() == 0 || report.destination() == null) {
                throw new IllegalStateException("Nothing of it can be sent again");
              }
              requireAudit();
              ReportKeys named = keys.getOrDefault(id, ReportKeys.NONE);
              return act(report, "sendMissing", sending.applyAsInt(named.missing()), by);
            });
  }

  @Override
  public synchronized Optional<StoredReport> settle(long id, ActBy by) {
    return find(id)
        .map(
            report -> {
              requireOpen(report);
              requireAudit();
              return act(report, "settleReport", 0, by);
            });
  }

  private StoredReport act(StoredReport report, String act, int sent, ActBy by) {
    String target = report.id() + " " + report.task();
    String details = "missing " + report.missing() + ", sent again " + sent;
    audit.add(AuditEntry.of(by, act, "report", target, details));
    return repair(
        report, new Repair(clock.instant(), by.decision().by(), by.decision().reason(), sent));
  }

  private static void requireOpen(StoredReport report) {
    if (!report.open()) {
      throw new IllegalStateException(
          report.agrees()
              ? "Both sides of this report agree"
              : "Something was done about this report before");
    }
  }

  private void requireAudit() {
    if (auditBroken) {
      throw new StoreException("simulated: the audit cannot be written", null);
    }
  }
}
