package io.angarium.console.internal.calls;

import io.angarium.console.access.Operator;
import io.angarium.console.access.Right;
import io.angarium.console.internal.access.Permits;
import io.angarium.console.internal.http.Answer;
import io.angarium.console.internal.http.ApiRoute;
import io.angarium.console.internal.http.Call;
import io.angarium.console.internal.problem.Problem;
import io.angarium.desk.ActBy;
import io.angarium.internal.ShownAddress;
import io.angarium.reconciliation.ReportDesk;
import io.angarium.reconciliation.ReportKeys;
import io.angarium.reconciliation.ReportQuery;
import io.angarium.reconciliation.StoredReport;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Reports of reconciliations, their keys, and what persons do about them. Thread-safe. */
public final class ReportCalls {
  /** How many windows of each task are shown at once. */
  private static final int STRIP = 48;

  private static final int LIMIT_DEFAULT = 50;
  private static final int KEYS_SHOWN = 100;
  private static final String ANY = "*";

  private final Permits permits;

  public ReportCalls(Permits permits) {
    this.permits = permits;
  }

  /** What is the matter with keys. */
  enum Kind {
    MISSING,
    UNEXPECTED,
    REPEATED
  }

  /** Why somebody acts. Immutable. */
  record ActRequest(@Nullable String reason) {}

  /** A report; messages of one without a destination cannot be sent again. Immutable. */
  record Shown(
      String id,
      String task,
      @Nullable String destination,
      Instant from,
      Instant to,
      Instant comparedAt,
      long produced,
      long consumed,
      int missing,
      int unexpected,
      int repeated,
      boolean agrees,
      StoredReport.@Nullable Repair repair) {
    static Shown of(StoredReport report) {
      String destination = report.destination();
      return new Shown(
          String.valueOf(report.id()),
          report.task(),
          destination == null ? null : ShownAddress.of(destination),
          report.window().from(),
          report.window().to(),
          report.comparedAt(),
          report.produced(),
          report.consumed(),
          report.missing(),
          report.unexpected(),
          report.repeated(),
          report.agrees(),
          report.repair());
    }
  }

  /** A task with its latest reports, latest first. Immutable. */
  record Task(String task, @Nullable String destination, long open, List<Shown> reports) {}

  /** All tasks. Immutable. */
  record Tasks(List<Task> items) {}

  /** Reports, latest first. Immutable. */
  record Page(List<Shown> items, @Nullable String next) {}

  /** Some keys of one kind. Immutable. */
  record Keys(Kind kind, int from, List<String> items, int kept) {}

  /** A report with keys of one kind; not all are kept if {@code complete} is false. Immutable. */
  record Viewed(Shown report, Keys keys, boolean complete) {}

  /** The routes. */
  public List<ApiRoute> routes() {
    return List.of(
        ApiRoute.get(
            "{db}/reconciliation",
            Right.VIEW,
            "Lists the tasks of reconciliations with their latest reports",
            Tasks.class,
            List.of(),
            this::tasks),
        ApiRoute.get(
            "{db}/reconciliation/reports",
            Right.VIEW,
            "Lists reports, latest first; next continues",
            Page.class,
            List.of("task", "differing", "cursor", "limit"),
            this::page),
        ApiRoute.get(
            "{db}/reconciliation/reports/{id}",
            Right.VIEW,
            "Gives a report with keys of one kind, a hundred at a time",
            Viewed.class,
            List.of("kind", "from"),
            this::view),
        ApiRoute.act(
            "POST",
            "{db}/reconciliation/reports/{id}/repair",
            Right.OPERATE,
            "Sends the missing messages of a report again, once",
            ActRequest.class,
            Shown.class,
            this::repair),
        ApiRoute.act(
            "POST",
            "{db}/reconciliation/reports/{id}/settle",
            Right.OPERATE,
            "Notes that somebody has taken care of the differences of a report",
            ActRequest.class,
            Shown.class,
            this::settle));
  }

  private static ReportDesk desk(Call call) {
    ReportDesk desk = call.database().reports();
    if (desk == null) {
      throw Problem.unknown(
          "database '" + call.database().name() + "' keeps no reports of reconciliations");
    }
    return desk;
  }

  /**
   * Whether an operator has a right over all that a report is about. A report names messages of a
   * destination whatever their business, and others name keys of tables, which no grant covers but
   * one over everything. A star needs a star in the grant.
   */
  static boolean may(Operator operator, Right right, StoredReport report) {
    String destination = report.destination();
    return operator.mayAll(right)
        || (destination != null && operator.mayHalf(right, ANY, destination));
  }

  private Answer tasks(Call call) {
    ReportDesk desk = desk(call);
    Map<String, List<StoredReport>> byTask = new LinkedHashMap<>();
    permits.ask(() -> desk.latest(STRIP)).stream()
        .filter(report -> may(call.operator(), Right.VIEW, report))
        .forEach(
            report -> byTask.computeIfAbsent(report.task(), task -> new ArrayList<>()).add(report));
    List<Task> tasks = new ArrayList<>();
    byTask.forEach(
        (task, reports) ->
            tasks.add(
                new Task(
                    task,
                    Shown.of(reports.get(0)).destination(),
                    reports.stream().filter(StoredReport::open).count(),
                    reports.stream().map(Shown::of).toList())));
    return Answer.of(new Tasks(tasks));
  }

  private Answer page(Call call) {
    ReportDesk desk = desk(call);
    int limit = call.number("limit", LIMIT_DEFAULT, 1, ReportQuery.LIMIT_MAX);
    String cursor = call.parameter("cursor");
    ReportQuery query =
        new ReportQuery(
            call.parameter("task"),
            "true".equals(call.parameter("differing")),
            cursor == null ? null : number("cursor", cursor),
            limit);
    List<StoredReport> page = permits.ask(() -> desk.page(query));
    return Answer.of(
        new Page(
            page.stream()
                .filter(report -> may(call.operator(), Right.VIEW, report))
                .map(Shown::of)
                .toList(),
            page.size() < limit ? null : String.valueOf(page.get(page.size() - 1).id())));
  }

  private static long number(String name, String text) {
    if (!text.matches("\\d{1,18}")) {
      throw Problem.invalid(name + ": (expected: a number that an answer gave)");
    }
    return Long.parseLong(text);
  }

  private StoredReport found(Call call, Right right) {
    ReportDesk desk = desk(call);
    long id = number("id", call.variable("id"));
    return permits
        .ask(() -> desk.find(id))
        .filter(report -> may(call.operator(), right, report))
        .orElseThrow(ReportCalls::unknown);
  }

  private static Problem unknown() {
    return Problem.unknown("no report has this id, or it was kept for long enough");
  }

  private Answer view(Call call) {
    StoredReport report = found(call, Right.VIEW);
    Kind kind = call.choice("kind", Kind.class, first(report));
    int from = call.number("from", 0, 0, ReportKeys.KEPT_MAX);
    ReportKeys keys =
        permits.ask(() -> desk(call).keys(report.id())).orElseThrow(ReportCalls::unknown);
    List<String> all =
        switch (kind) {
          case MISSING -> keys.missing();
          case UNEXPECTED -> keys.unexpected();
          case REPEATED -> keys.repeated();
        };
    List<String> shown =
        all.subList(Math.min(from, all.size()), Math.min(from + KEYS_SHOWN, all.size()));
    return Answer.of(
        new Viewed(Shown.of(report), new Keys(kind, from, shown, all.size()), keys.complete()));
  }

  /** The first kind that there is. */
  private static Kind first(StoredReport report) {
    if (report.missing() > 0 || report.unexpected() + report.repeated() == 0) {
      return Kind.MISSING;
    }
    return report.unexpected() > 0 ? Kind.UNEXPECTED : Kind.REPEATED;
  }

  private Answer repair(Call call) {
    ActBy by = call.actBy(call.body(ActRequest.class).reason(), null);
    StoredReport report = found(call, Right.OPERATE);
    return acted(() -> desk(call).sendMissing(report.id(), by));
  }

  private Answer settle(Call call) {
    ActBy by = call.actBy(call.body(ActRequest.class).reason(), null);
    StoredReport report = found(call, Right.OPERATE);
    return acted(() -> desk(call).settle(report.id(), by));
  }

  private Answer acted(Supplier<Optional<StoredReport>> act) {
    try {
      return Answer.of(Shown.of(permits.ask(act).orElseThrow(ReportCalls::unknown)));
    } catch (IllegalStateException e) {
      throw Problem.conflict(String.valueOf(e.getMessage()));
    }
  }
}
