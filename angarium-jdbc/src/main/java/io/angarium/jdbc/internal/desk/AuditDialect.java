package io.angarium.jdbc.internal.desk;

import io.angarium.desk.ActBy;
import io.angarium.desk.AuditEntry;
import io.angarium.desk.AuditQuery;
import io.angarium.jdbc.internal.dialect.ClockDialect;
import io.angarium.jdbc.internal.dialect.Dialect;
import io.angarium.jdbc.internal.sql.Repeated;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.jdbc.internal.sql.TableNames;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Statements of the audit. Thread-safe. */
public final class AuditDialect {
  private final TableNames names;
  private final ClockDialect clock;

  public AuditDialect(Dialect server) {
    this.names = server.names();
    this.clock = ClockDialect.of(server);
  }

  /**
   * Parameters: for each entry who, means, act, kind of target, target, why, operation, details.
   */
  private static final String NOTE =
      """
      INSERT INTO outbox_audit (
        acted_at, acted_by, via, act, target_kind, target, reason, operation_id, details)
      VALUES
        {(:now, ?, ?, ?, ?, ?, ?, :uuid, ?)|,
        }
      """;

  /** Adds entries, at least one. */
  public Sql note(List<AuditEntry> entries) {
    List<@Nullable Object> parameters = new ArrayList<>();
    for (AuditEntry entry : entries) {
      ActBy by = entry.by();
      UUID operation = by.operation();
      parameters.add(by.decision().by());
      parameters.add(by.via().name().toLowerCase(Locale.ROOT));
      parameters.add(entry.act());
      parameters.add(entry.targetKind());
      parameters.add(entry.target());
      parameters.add(by.decision().reason());
      parameters.add(operation == null ? null : clock.bound(operation));
      parameters.add(entry.details());
    }
    String text = NOTE.replace(":uuid", clock == ClockDialect.MYSQL ? "?" : "CAST(? AS UUID)");
    return new Sql(Repeated.times(names.in(clock.in(text)), entries.size()), parameters);
  }

  static ActBy.Via via(String text) {
    return ActBy.Via.valueOf(text.toUpperCase(Locale.ROOT));
  }

  /** Parameter: the time. */
  private static final String UP_TO =
      """
      SELECT id
      FROM outbox_audit:by_time
      WHERE acted_at <= ?
      ORDER BY acted_at DESC, id DESC
      LIMIT 1
      """;

  /** Reads the number of the latest entry at a time or earlier. */
  public Sql upTo(Instant time) {
    return Sql.of(in(UP_TO, ""), bound(time.truncatedTo(ChronoUnit.MICROS)));
  }

  /** Parameters: numbers between which they are, kind and target if both are given, limit. */
  private static final String STRIDE =
      """
      SELECT MIN(id), COUNT(*)
      FROM (
        SELECT id
        FROM outbox_audit:index
        WHERE id < ? AND id > ?:of_target
        ORDER BY :order
        LIMIT ?) AS few
      """;

  /**
   * Reads the lowest number of the next entries, and how many there are.
   *
   * @param below only entries with lower numbers
   * @param above only entries with higher numbers
   */
  public Sql stride(AuditQuery query, long below, long above, int limit) {
    boolean ofTarget = isOfTarget(query);
    String text =
        STRIDE
            .replace(":of_target", ofTarget ? " AND target_kind = ? AND target = ?" : "")
            .replace(":order", ofTarget ? "target_kind DESC, target DESC, id DESC" : "id DESC");
    List<@Nullable Object> parameters = new ArrayList<>(List.of(below, above));
    if (ofTarget) {
      parameters.add(query.targetKind());
      parameters.add(query.target());
    }
    parameters.add(limit);
    return new Sql(in(text, ofTarget ? "by_target" : "PRIMARY"), parameters);
  }

  private static boolean isOfTarget(AuditQuery query) {
    return query.targetKind() != null && query.target() != null;
  }

  /** Parameters: numbers between which they are, the parts of the query that are given, limit. */
  private static final String PAGE =
      """
      SELECT
        id, acted_at, acted_by, via, act, target_kind, target, reason, operation_id, details
      FROM outbox_audit:index
      WHERE id < ? AND id >= ?:conditions
      ORDER BY :order
      LIMIT ?
      """;

  /** Reads entries of a stride that fit. */
  public Sql page(AuditQuery query, long below, long from, int limit) {
    StringBuilder conditions = new StringBuilder();
    List<@Nullable Object> parameters = new ArrayList<>(List.of(below, from));
    add(conditions, parameters, "target_kind = ?", query.targetKind());
    add(conditions, parameters, "target = ?", query.target());
    add(conditions, parameters, "acted_by = ?", query.by());
    add(conditions, parameters, "act = ?", query.act());
    add(conditions, parameters, "acted_at >= ?", earliest(query.from()));
    add(conditions, parameters, "acted_at <= ?", latest(query.to()));
    parameters.add(limit);
    boolean ofTarget = isOfTarget(query);
    String text =
        PAGE.replace(":conditions", conditions)
            .replace(":order", ofTarget ? "target_kind DESC, target DESC, id DESC" : "id DESC");
    return new Sql(in(text, ofTarget ? "by_target" : "PRIMARY"), parameters);
  }

  private static void add(
      StringBuilder conditions,
      List<@Nullable Object> parameters,
      String condition,
      @Nullable Object value) {
    if (value != null) {
      conditions.append(" AND ").append(condition);
      parameters.add(value);
    }
  }

  /** Databases store microseconds. */
  private @Nullable Object earliest(@Nullable Instant from) {
    if (from == null) {
      return null;
    }
    Instant cut = from.truncatedTo(ChronoUnit.MICROS);
    return bound(cut.equals(from) ? cut : cut.plus(1, ChronoUnit.MICROS));
  }

  private @Nullable Object latest(@Nullable Instant to) {
    return to == null ? null : bound(to.truncatedTo(ChronoUnit.MICROS));
  }

  private Object bound(Instant time) {
    return clock == ClockDialect.MYSQL
        ? LocalDateTime.ofInstant(time, ZoneOffset.UTC)
        : time.atOffset(ZoneOffset.UTC);
  }

  private String in(String text, String index) {
    boolean mySql = clock == ClockDialect.MYSQL;
    return names.in(
        text.replace(":by_time", mySql ? " FORCE INDEX (by_time)" : "")
            .replace(":index", mySql ? " FORCE INDEX (" + index + ")" : ""));
  }
}
