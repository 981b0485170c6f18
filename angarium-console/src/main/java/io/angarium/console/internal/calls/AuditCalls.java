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
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Who did what, and why. Thread-safe. */
public final class AuditCalls {
  private static final int LIMIT_DEFAULT = 50;

  /** The most pages of entries that one call goes through for an operator who may see few. */
  private static final int PAGES_MAX = 3;

  private final Permits permits;
  private final AuditScope scope;

  public AuditCalls(Permits permits, MessageCalls messages) {
    this.permits = permits;
    this.scope = new AuditScope(permits, messages);
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

  /**
   * A page of entries, perhaps fewer than the limit although there is a next one. Immutable.
   *
   * @param next continues; null at the end
   */
  record Page(List<Entry> items, @Nullable String next) {}

  /** The route. */
  public List<ApiRoute> routes() {
    return List.of(
        ApiRoute.get(
            "{db}/audit",
            Right.VIEW,
            "Gives who did what and why, newest first, of what the operator may see",
            Page.class,
            List.of("by", "act", "targetKind", "target", "from", "to", "before", "limit"),
            this::audit));
  }

  private Answer audit(Call call) {
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
    return Answer.of(call.operator().mayAll(Right.VIEW) ? all(call, query) : mine(call, query));
  }

  private List<AuditEntry> read(Call call, AuditQuery query) {
    return permits.ask(() -> call.database().desk().audit().page(query));
  }

  private Page all(Call call, AuditQuery query) {
    List<AuditEntry> page = read(call, query);
    return page(page, page.size() < query.limit() ? null : last(page));
  }

  private Page mine(Call call, AuditQuery query) {
    List<AuditEntry> found = new ArrayList<>();
    AuditQuery next = query.continued(query.before(), AuditQuery.LIMIT_MAX);
    for (int pages = 0; pages < PAGES_MAX; pages++) {
      List<AuditEntry> read = read(call, next);
      for (AuditEntry each : scope.visible(call, read)) {
        found.add(each);
        if (found.size() == query.limit()) {
          return page(found, each.id());
        }
      }
      if (read.size() < AuditQuery.LIMIT_MAX) {
        return page(found, null);
      }
      next = query.continued(last(read), AuditQuery.LIMIT_MAX);
    }
    return page(found, next.before());
  }

  private static Long last(List<AuditEntry> page) {
    return page.get(page.size() - 1).id();
  }

  private static Page page(List<AuditEntry> entries, @Nullable Long next) {
    return new Page(
        entries.stream().map(Entry::of).toList(), next == null ? null : next.toString());
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
