package io.angarium.console.internal.calls;

import io.angarium.console.access.Right;
import io.angarium.console.internal.access.Permits;
import io.angarium.console.internal.http.Answer;
import io.angarium.console.internal.http.ApiRoute;
import io.angarium.console.internal.http.Call;
import io.angarium.console.internal.problem.Problem;
import io.angarium.desk.ActBy.Via;
import io.angarium.desk.AuditEntry;
import io.angarium.desk.AuditQuery;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Who did what, and why. Thread-safe. */
public final class AuditCalls {
  private static final int LIMIT_DEFAULT = 50;

  private final Permits permits;

  public AuditCalls(Permits permits) {
    this.permits = permits;
  }

  /** An entry. Immutable. */
  record Entry(
      String id,
      Instant at,
      String by,
      Via via,
      String act,
      String targetKind,
      String target,
      String reason,
      @Nullable UUID operation,
      @Nullable String details) {
    static Entry of(AuditEntry entry) {
      return new Entry(
          String.valueOf(entry.id()),
          entry.at(),
          entry.by().decision().by(),
          entry.by().via(),
          entry.act(),
          entry.targetKind(),
          entry.target(),
          entry.by().decision().reason(),
          entry.by().operation(),
          entry.details());
    }
  }

  /** A page of entries. Immutable. */
  record Page(List<Entry> items, @Nullable String next) {}

  /** The route. */
  public List<ApiRoute> routes() {
    return List.of(
        ApiRoute.get(
            "{db}/audit",
            Right.VIEW,
            "Gives who did what and why, newest first",
            Page.class,
            List.of("by", "act", "targetKind", "target", "from", "to", "before", "limit"),
            this::audit));
  }

  private Answer audit(Call call) {
    if (!call.operator().mayAll(Right.VIEW)) {
      throw Problem.notPermitted(
          "the audit names messages of all destinations (expected: a right over all of them)");
    }
    int limit = call.number("limit", LIMIT_DEFAULT, 1, AuditQuery.LIMIT_MAX);
    AuditQuery query =
        new AuditQuery(
            call.parameter("by"),
            call.parameter("act"),
            call.parameter("targetKind"),
            call.parameter("target"),
            call.instant("from"),
            call.instant("to"),
            before(call.parameter("before")),
            limit);
    List<AuditEntry> page = permits.ask(() -> call.database().desk().audit().page(query));
    return Answer.of(
        new Page(
            page.stream().map(Entry::of).toList(),
            page.size() < limit ? null : String.valueOf(page.get(page.size() - 1).id())));
  }

  private static @Nullable Long before(@Nullable String text) {
    if (text == null) {
      return null;
    }
    if (!text.matches("\\d{1,18}")) {
      throw Problem.invalid("before: (expected: next of the page before)");
    }
    return Long.valueOf(text);
  }
}
