package io.angarium.jdbc.internal.report;

import io.angarium.jdbc.internal.dialect.ClockDialect;
import io.angarium.jdbc.internal.dialect.Dialect;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.jdbc.internal.sql.TableNames;
import io.angarium.reconciliation.Report;
import io.angarium.reconciliation.ReportKeys;
import io.angarium.reconciliation.ReportQuery;
import io.angarium.reconciliation.Window;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Statements of the reports of reconciliations. They are the same on every database but for the
 * clock. Thread-safe.
 */
public final class ReportDialect {
  /** The most old reports that one new one deletes. */
  static final int OLD_MAX = 100;

  private static final String COLUMNS =
      """
      id, task, destination, from_millis, to_millis, compared_at, produced, consumed, missing,
        unexpected, repeated, agrees, repaired_at, repaired_by, repair_reason, sent_again\
      """;

  private final TableNames names;
  private final ClockDialect clock;

  public ReportDialect(Dialect server) {
    this.names = server.names();
    this.clock = ClockDialect.of(server);
  }

  // ---- what tasks do

  /** Parameters: the parts of a report, task and window. */
  private static final String REPLACE =
      """
      UPDATE outbox_report
      SET
        destination = ?, compared_at = :now, produced = ?, consumed = ?, missing = ?,
        unexpected = ?, repeated = ?, agrees = ?, keys_complete = ?, report_keys = ?:unrepaired
      WHERE task = ? AND from_millis = ? AND to_millis = ?
      """;

  private static final String UNREPAIRED =
      ", repaired_at = NULL, repaired_by = NULL, repair_reason = NULL, sent_again = NULL";

  /** Puts a report in the place of an earlier one of the same window. */
  public Sql replace(String task, @Nullable String destination, Report report) {
    List<@Nullable Object> parameters = parts(destination, report);
    parameters.addAll(window(task, report.window()));
    String text = REPLACE.replace(":unrepaired", report.agrees() ? "" : UNREPAIRED);
    return new Sql(in(text), parameters);
  }

  /** Parameters: the parts of a report, task and window. */
  private static final String ADD =
      """
      INSERT INTO outbox_report (
        destination, compared_at, produced, consumed, missing, unexpected, repeated, agrees,
        keys_complete, report_keys, task, from_millis, to_millis)
      VALUES (?, :now, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """;

  public Sql add(String task, @Nullable String destination, Report report) {
    List<@Nullable Object> parameters = parts(destination, report);
    parameters.addAll(window(task, report.window()));
    return new Sql(in(ADD), parameters);
  }

  private static List<@Nullable Object> parts(@Nullable String destination, Report report) {
    ReportKeys keys = ReportKeys.of(report);
    List<@Nullable Object> parts = new ArrayList<>();
    parts.add(destination);
    parts.add(report.produced().count());
    parts.add(report.consumed().count());
    parts.add(report.missing().size());
    parts.add(report.unexpected().size());
    parts.add(report.repeated().size());
    parts.add(report.agrees());
    parts.add(keys.complete());
    parts.add(KeysText.of(keys));
    return parts;
  }

  private static List<Object> window(String task, Window window) {
    return List.of(task, window.from().toEpochMilli(), window.to().toEpochMilli());
  }

  /** Parameters: whether they agree, age, limit. */
  private static final String OLD =
      """
      SELECT id
      FROM outbox_report
      WHERE agrees = ? AND compared_at < :earlier
      ORDER BY compared_at
      LIMIT ?
      """;

  /** Reads the numbers of some reports that are old enough. */
  public Sql old(boolean agrees, Duration age) {
    return Sql.of(in(OLD), agrees, clock.scaled(age), OLD_MAX);
  }

  /** Parameter: number. */
  private static final String DELETE =
      """
      DELETE FROM outbox_report
      WHERE id = ?
      """;

  public Sql delete(long id) {
    return Sql.of(in(DELETE), id);
  }

  /** Parameters: who, why, how many, task and window. */
  private static final String REPAIRED =
      """
      UPDATE outbox_report
      SET repaired_at = :now, repaired_by = ?, repair_reason = ?, sent_again = ?
      WHERE task = ? AND from_millis = ? AND to_millis = ? AND agrees = FALSE
      """;

  /** Notes what a task has repaired by itself. */
  public Sql repaired(String task, Window window, int sentAgain, String by, String reason) {
    List<@Nullable Object> parameters = new ArrayList<>(List.of(by, reason, sentAgain));
    parameters.addAll(window(task, window));
    return new Sql(in(REPAIRED), parameters);
  }

  /** Parameters: age, limit. */
  private static final String OPEN =
      """
      SELECT
        :columns
      FROM outbox_report
      WHERE agrees = FALSE AND compared_at >= :earlier AND repaired_at IS NULL
      ORDER BY compared_at DESC, id DESC
      LIMIT ?
      """;

  /** Reads reports that differ and about which nothing was done. */
  public Sql open(Duration age, int limit) {
    return Sql.of(in(OPEN), clock.scaled(age), limit);
  }

  // ---- what persons do

  /** Parameter: reports of each task. */
  private static final String LATEST =
      """
      SELECT
        :columns
      FROM (
        SELECT
          :columns,
          ROW_NUMBER() OVER (PARTITION BY task ORDER BY id DESC) AS place
        FROM outbox_report) AS placed
      WHERE place <= ?
      ORDER BY task, id DESC
      """;

  /** Reads the latest reports of each task. */
  public Sql latest(int perTask) {
    return Sql.of(in(LATEST), perTask);
  }

  /** Parameters: number, the parts of the query that are given, limit. */
  private static final String PAGE =
      """
      SELECT
        :columns
      FROM outbox_report
      WHERE id < ?:conditions
      ORDER BY :order
      LIMIT ?
      """;

  public Sql page(ReportQuery query) {
    List<@Nullable Object> parameters = new ArrayList<>();
    Long before = query.before();
    parameters.add(before == null ? Long.MAX_VALUE : before);
    String task = query.task();
    if (task != null) {
      parameters.add(task);
    }
    parameters.add(query.limit());
    String conditions =
        (task == null ? "" : " AND task = ?") + (query.differing() ? " AND agrees = FALSE" : "");
    String text =
        PAGE.replace(":conditions", conditions)
            .replace(":order", task == null ? "id DESC" : "task DESC, id DESC");
    return new Sql(in(text), parameters);
  }

  /** Parameter: number. */
  private static final String FIND =
      """
      SELECT
        :columns
      FROM outbox_report
      WHERE id = ?:held
      """;

  public Sql find(long id) {
    return Sql.of(in(FIND.replace(":held", "")), id);
  }

  /** Reads a report, held until the transaction ends. */
  public Sql hold(long id) {
    return Sql.of(in(FIND.replace(":held", "\nFOR UPDATE")), id);
  }

  /** Parameter: number. */
  private static final String KEYS =
      """
      SELECT report_keys, keys_complete
      FROM outbox_report
      WHERE id = ?
      """;

  public Sql keys(long id) {
    return Sql.of(in(KEYS), id);
  }

  /** Parameters: who, why, how many, number. */
  private static final String REPAIR =
      """
      UPDATE outbox_report
      SET repaired_at = :now, repaired_by = ?, repair_reason = ?, sent_again = ?
      WHERE id = ?
      """;

  /** Notes what a person has done about a report. */
  public Sql repair(long id, int sentAgain, String by, String reason) {
    return Sql.of(in(REPAIR), by, reason, sentAgain, id);
  }

  private String in(String text) {
    return names.in(clock.in(text.replace(":columns", COLUMNS)));
  }
}
