package io.angarium.jdbc.internal.operation;

import io.angarium.MessageId;
import io.angarium.jdbc.internal.dialect.ClockDialect;
import io.angarium.jdbc.internal.dialect.Dialect;
import io.angarium.jdbc.internal.sql.Repeated;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.jdbc.internal.sql.TableNames;
import io.angarium.operation.Operation;
import io.angarium.operation.Operation.Refusal;
import io.angarium.operation.OperationDesk;
import io.angarium.operation.OperationPlan;
import io.angarium.operation.internal.OperationRow;
import io.angarium.operation.internal.OperationText;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Statements of operations. They are the same on every database but for the clock and the form of
 * ids. Thread-safe.
 */
public final class OperationDialect {
  private final TableNames names;
  private final ClockDialect clock;

  public OperationDialect(Dialect server) {
    this.names = server.names();
    this.clock = ClockDialect.of(server);
  }

  /** What stands once, at the begin. */
  private static final String PLANNED =
      """
      operation_id, kind, filter, scope, undoes, until_at, created_at, created_by, via, reason,
        messages_max\
      """;

  /** What changes. */
  private static final String CHANGING =
      """
      state, start_at, rate, first_few, cursor_text, scanned, done, not_found, refused, ended_at,
        halt, token, node, leased_until\
      """;

  // ---- one operation

  /** Parameters: the planned columns, then the changing ones. */
  private static final String ADD =
      """
      INSERT INTO outbox_operation (
        :planned,
        :changing)
      VALUES (
        ?, ?, ?, ?, :uuid, ?, ?, ?, ?, ?, ?,
        ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """;

  /** Adds an operation. */
  public Sql add(OperationRow row) {
    Operation operation = row.operation();
    OperationPlan plan = operation.plan();
    UUID undoes = plan.undoes();
    List<@Nullable Object> parameters = new ArrayList<>();
    parameters.add(clock.bound(plan.id()));
    parameters.add(name(plan.kind()));
    parameters.add(OperationText.of(plan.filter()));
    parameters.add(OperationText.of(plan.scope()));
    parameters.add(undoes == null ? null : clock.bound(undoes));
    parameters.add(bound(plan.until()));
    parameters.add(bound(operation.createdAt()));
    parameters.add(plan.by().decision().by());
    parameters.add(name(plan.by().via()));
    parameters.add(plan.by().decision().reason());
    parameters.add(plan.messagesMax());
    parameters.addAll(changing(row));
    return new Sql(in(ADD), parameters);
  }

  private List<@Nullable Object> changing(OperationRow row) {
    Operation operation = row.operation();
    List<@Nullable Object> parameters = new ArrayList<>();
    parameters.add(name(operation.state()));
    parameters.add(bound(operation.startAt()));
    parameters.add(operation.plan().rate());
    parameters.add(operation.plan().firstFew());
    parameters.add(operation.cursor());
    parameters.add(operation.counts().scanned());
    parameters.add(operation.counts().done());
    parameters.add(operation.counts().notFound());
    parameters.add(operation.counts().refused());
    parameters.add(operation.endedAt() == null ? null : bound(operation.endedAt()));
    parameters.add(operation.halt() == null ? null : name(operation.halt()));
    parameters.add(row.token());
    parameters.add(operation.node());
    parameters.add(bound(row.leasedUntil()));
    return parameters;
  }

  /** Parameters: the changing columns, id, token before. The row is locked. */
  private static final String CHANGE =
      """
      UPDATE outbox_operation
      SET
        state = ?, start_at = ?, rate = ?, first_few = ?, cursor_text = ?, scanned = ?, done = ?,
        not_found = ?, refused = ?, ended_at = ?, halt = ?, token = ?, node = ?, leased_until = ?
      WHERE operation_id = ? AND token = ?
      """;

  /**
   * Writes what changes.
   *
   * @param before as it was read
   */
  public Sql change(OperationRow before, OperationRow row) {
    List<@Nullable Object> parameters = new ArrayList<>(changing(row));
    parameters.add(clock.bound(row.operation().plan().id()));
    parameters.add(before.token());
    return new Sql(in(CHANGE), parameters);
  }

  /** Parameter: id. */
  private static final String FIND =
      """
      SELECT
        :planned,
        :changing, :now
      FROM outbox_operation
      WHERE operation_id = ?
      """;

  /** Reads an operation and the time. */
  public Sql find(UUID id) {
    return Sql.of(in(FIND), clock.bound(id));
  }

  /** Reads an operation and the time; held until the transaction ends. */
  public Sql lock(UUID id) {
    return Sql.of(in(FIND + "FOR UPDATE\n"), clock.bound(id));
  }

  // ---- many operations

  /** Parameter: limit. */
  private static final String NEWEST =
      """
      SELECT
        :planned,
        :changing, :now
      FROM outbox_operation
      ORDER BY created_at DESC, operation_id DESC
      LIMIT ?
      """;

  /** Reads the operations that began last. */
  public Sql newest(int limit) {
    return Sql.of(in(NEWEST), limit);
  }

  private static final String OPEN =
      """
      SELECT COUNT(*)
      FROM outbox_operation
      WHERE state IN ('waiting', 'running', 'paused')
      """;

  /** Counts operations that have not ended. */
  public Sql open() {
    return Sql.of(in(OPEN));
  }

  /** Parameter: limit. */
  private static final String FREE =
      """
      SELECT operation_id
      FROM outbox_operation
      WHERE state IN ('waiting', 'running') AND start_at <= :now AND leased_until <= :now
      ORDER BY start_at
      LIMIT ?
      """;

  /** Reads the ids of operations that are to go on and that no node holds. */
  public Sql free() {
    return Sql.of(in(FREE), OperationDesk.OPEN_MAX);
  }

  // ---- messages

  /** Parameters: message ids, operation. */
  private static final String DISCARDED_BY =
      """
      SELECT message_id
      FROM outbox_discarded:by_message
      WHERE message_id IN ({?|, }) AND operation_id = ?
      """;

  /** Reads which messages an operation discarded. */
  public Sql discardedBy(UUID operation, Collection<MessageId> ids) {
    List<@Nullable Object> parameters =
        Repeated.padded(ids.stream().map(id -> clock.bound(id.value())).toList());
    String text = Repeated.times(in(DISCARDED_BY), parameters.size());
    parameters.add(clock.bound(operation));
    return new Sql(text, parameters);
  }

  /** Parameters: message ids as text, operation. */
  private static final String REQUEUED_BY =
      """
      SELECT COUNT(DISTINCT target)
      FROM outbox_audit:by_target
      WHERE target_kind = 'message' AND target IN ({?|, }) AND operation_id = ?
      """;

  /** Counts messages that an operation acted on. */
  public Sql requeuedBy(UUID operation, Collection<MessageId> ids) {
    List<@Nullable Object> parameters =
        Repeated.padded(ids.stream().map(MessageId::toString).toList());
    String text = Repeated.times(in(REQUEUED_BY), parameters.size());
    parameters.add(clock.bound(operation));
    return new Sql(text, parameters);
  }

  // ---- refusals

  /** Parameters: for each operation, number, message id, reason. */
  private static final String REFUSE =
      """
      INSERT INTO outbox_operation_refusal (operation_id, nr, message_id, reason)
      VALUES
        {(?, ?, ?, ?)|,
        }
      """;

  /**
   * Adds refusals, at least one.
   *
   * @param from the number of the first
   */
  public Sql refuse(UUID operation, long from, List<Refusal> refusals) {
    List<@Nullable Object> parameters = new ArrayList<>();
    long number = from;
    for (Refusal refusal : refusals) {
      parameters.add(clock.bound(operation));
      parameters.add(number++);
      parameters.add(clock.bound(refusal.id().value()));
      parameters.add(refusal.reason());
    }
    return new Sql(Repeated.times(in(REFUSE), refusals.size()), parameters);
  }

  /** Parameters: operation, limit. */
  private static final String REFUSALS =
      """
      SELECT message_id, reason
      FROM outbox_operation_refusal
      WHERE operation_id = ?
      ORDER BY nr
      LIMIT ?
      """;

  /** Reads the refusals of an operation. */
  public Sql refusals(UUID operation) {
    return Sql.of(in(REFUSALS), clock.bound(operation), Operation.REFUSED_MAX);
  }

  // ---- retention

  /** Parameters: age, limit. */
  private static final String ENDED =
      """
      SELECT operation_id
      FROM outbox_operation
      WHERE ended_at < :earlier
      ORDER BY ended_at
      LIMIT ?
      """;

  /** Reads the ids of operations that ended long ago. */
  public Sql ended(Duration age, int limit) {
    return Sql.of(in(ENDED), clock.scaled(age), limit);
  }

  /** Parameter: operation. */
  private static final String FORGET_REFUSALS =
      """
      DELETE FROM outbox_operation_refusal
      WHERE operation_id = ?
      """;

  /** Deletes the refusals of an operation. */
  public Sql forgetRefusals(UUID operation) {
    return Sql.of(in(FORGET_REFUSALS), clock.bound(operation));
  }

  /** Parameter: operation. */
  private static final String FORGET =
      """
      DELETE FROM outbox_operation
      WHERE operation_id = ?
      """;

  /** Deletes an operation. */
  public Sql forget(UUID operation) {
    return Sql.of(in(FORGET), clock.bound(operation));
  }

  private static String name(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  /** Databases store microseconds. */
  private Object bound(Instant time) {
    Instant cut = time.truncatedTo(ChronoUnit.MICROS);
    return clock == ClockDialect.MYSQL
        ? LocalDateTime.ofInstant(cut, ZoneOffset.UTC)
        : cut.atOffset(ZoneOffset.UTC);
  }

  private String in(String text) {
    boolean mySql = clock == ClockDialect.MYSQL;
    return names.in(
        clock.in(
            text.replace(":planned", PLANNED)
                .replace(":changing", CHANGING)
                .replace(":uuid", mySql ? "?" : "CAST(? AS UUID)")
                .replace(":by_message", mySql ? " FORCE INDEX (by_message)" : "")
                .replace(":by_target", mySql ? " FORCE INDEX (by_target)" : "")));
  }
}
