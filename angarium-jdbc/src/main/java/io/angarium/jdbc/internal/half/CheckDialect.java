package io.angarium.jdbc.internal.half;

import io.angarium.half.check.CheckStore;
import io.angarium.half.check.DueCheck;
import io.angarium.half.check.NotedCheck;
import io.angarium.jdbc.internal.dialect.ClockDialect;
import io.angarium.jdbc.internal.dialect.Dialect;
import io.angarium.jdbc.internal.sql.Reason;
import io.angarium.jdbc.internal.sql.Repeated;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.jdbc.internal.sql.TableNames;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Every statement about the check-back of half messages. They are the same on every database but
 * for the clock and the insert that passes over what is there. Thread-safe.
 */
public final class CheckDialect {
  private static final String DUPLICATE = "23505";

  private final TableNames names;
  private final ClockDialect clock;

  public CheckDialect(Dialect server) {
    this.names = server.names();
    this.clock = ClockDialect.of(server);
  }

  // ---- what stays prepared

  private static final String LAST =
      """
      SELECT COALESCE(MAX(id), 0)
      FROM outbox_half
      """;

  public Sql last() {
    return Sql.of(names.in(LAST));
  }

  /** A page in the order of the key. Parameters: age, lowest number, limit. */
  private static final String PAGE =
      """
      SELECT
        id, CASE WHEN created_at < :earlier THEN 1 ELSE 0 END,
        CASE WHEN state = 'prepared' THEN 1 ELSE 0 END
      FROM outbox_half
      WHERE id > ?
      ORDER BY id
      LIMIT ?
      """;

  public Sql page(long after, Duration age) {
    return Sql.of(in(PAGE), clock.scaled(age), after, CheckStore.BATCH_MAX);
  }

  /** Parameter: numbers. */
  private static final String ENTER_POSTGRES =
      """
      INSERT INTO outbox_half_check (id, next_at, checks, unreachable, version)
      VALUES {(?, :now, 0, 0, 0)|, }
      ON CONFLICT DO NOTHING
      """;

  /** Not IGNORE, which would also ignore what does not fit. Parameter: numbers. */
  private static final String ENTER_MYSQL =
      """
      INSERT INTO outbox_half_check (id, next_at, checks, unreachable, version)
      VALUES {(?, :now, 0, 0, 0)|, }
      ON DUPLICATE KEY UPDATE outbox_half_check.id = outbox_half_check.id
      """;

  /** Parameter: number. */
  private static final String ENTER_H2 =
      """
      INSERT INTO outbox_half_check (id, next_at, checks, unreachable, version)
      VALUES (?, :now, 0, 0, 0)
      """;

  public Sql enter(Collection<Long> numbers) {
    return switch (clock) {
      case POSTGRESQL -> ofNumbers(ENTER_POSTGRES, List.of(), numbers);
      case MYSQL -> ofNumbers(ENTER_MYSQL, List.of(), numbers);
      case H2 -> Sql.of(in(ENTER_H2), numbers.iterator().next());
    };
  }

  /**
   * Enters numbers that are not there.
   *
   * @param ascending at least one
   */
  public void enter(Connection connection, List<Long> ascending) throws SQLException {
    if (clock != ClockDialect.H2) {
      enter(ascending).update(connection);
      return;
    }
    for (long number : ascending) {
      try {
        enter(List.of(number)).update(connection);
      } catch (SQLException e) { // it ends the statement, not the transaction
        if (!DUPLICATE.equals(e.getSQLState())) {
          throw e;
        }
      }
    }
  }

  // ---- what is due

  /** Parameter: limit. */
  private static final String DUE =
      """
      SELECT id, version, checks, unreachable
      FROM outbox_half_check:by_next
      WHERE next_at <= :now
      ORDER BY next_at, id
      LIMIT ?
      FOR UPDATE SKIP LOCKED
      """;

  public Sql due(int limit) {
    return Sql.of(in(DUE), limit);
  }

  /** What is asked for. Parameter: numbers. */
  private static final String MESSAGES =
      """
      SELECT id, half_business, half_key, state, check_back
      FROM outbox_half
      WHERE id IN ({?|, })
      """;

  public Sql messages(Collection<Long> numbers) {
    return ofNumbers(MESSAGES, List.of(), numbers);
  }

  /** Parameters: pause, numbers. */
  private static final String CLAIM =
      """
      UPDATE outbox_half_check
      SET next_at = :later, version = version + 1
      WHERE id IN ({?|, })
      """;

  public Sql claim(Collection<Long> numbers, Duration claim) {
    return ofNumbers(CLAIM, List.of(clock.scaled(claim)), numbers);
  }

  /** Parameter: numbers. */
  private static final String STRIKE =
      """
      DELETE FROM outbox_half_check
      WHERE id IN ({?|, })
      """;

  public Sql strike(Collection<Long> numbers) {
    return ofNumbers(STRIKE, List.of(), numbers);
  }

  // ---- what came of it

  /** Puts a check off, unless another node has taken it. Parameters: pause, number, version. */
  private static final String PUT_OFF =
      """
      UPDATE outbox_half_check
      SET next_at = :later, version = version + 1
      WHERE id = ? AND version = ? AND next_at IS NOT NULL
      """;

  public Sql putOff(DueCheck check, Duration pause) {
    return Sql.of(in(PUT_OFF), clock.scaled(pause), check.number(), check.version());
  }

  /**
   * Notes the answer, unless another node has taken the check. Parameters: pause, answers, verdict,
   * reason, number, version.
   */
  private static final String NOTE =
      """
      UPDATE outbox_half_check
      SET next_at = :later, checks = ?, unreachable = ?, verdict = ?, last_error = ?,
        checked_at = :now, version = version + 1
      WHERE id = ? AND version = ? AND next_at IS NOT NULL
      """;

  public Sql note(NotedCheck noted) {
    List<@Nullable Object> parameters = new ArrayList<>();
    parameters.add(clock.scaled(noted.pause()));
    parameters.addAll(answer(noted));
    return new Sql(in(NOTE), parameters);
  }

  /**
   * Notes the answer without a next time, unless another node has taken the check. Parameters:
   * answers, verdict, reason, number, version.
   */
  private static final String GIVE_UP =
      """
      UPDATE outbox_half_check
      SET next_at = NULL, checks = ?, unreachable = ?, verdict = ?, last_error = ?,
        checked_at = :now, version = version + 1
      WHERE id = ? AND version = ? AND next_at IS NOT NULL
      """;

  public Sql giveUp(NotedCheck last) {
    return new Sql(in(GIVE_UP), answer(last));
  }

  // ---- the alert of what was given up

  /** Parameters: number, for how long this node has it. */
  private static final String ALERT =
      """
      INSERT INTO outbox_half_alert (id, due_at)
      VALUES (?, :later)
      """;

  public Sql alert(long number) {
    return Sql.of(in(ALERT), number, clock.scaled(CheckStore.ALERT_CLAIM));
  }

  /** What nobody noted as told; a message or a check that is gone is null. Parameter: limit. */
  private static final String UNTOLD =
      """
      SELECT a.id, c.version, h.half_business, h.half_key, h.state, h.check_back, c.checks
      FROM outbox_half_alert AS a
        LEFT JOIN outbox_half AS h ON h.id = a.id
        LEFT JOIN outbox_half_check AS c ON c.id = a.id
      WHERE a.due_at <= :now
      ORDER BY a.id
      LIMIT ?
      """;

  public Sql untold() {
    return Sql.of(in(UNTOLD), CheckStore.BATCH_MAX);
  }

  /** Unless another node has taken it. Parameters: for how long, number. */
  private static final String TAKE_ALERT =
      """
      UPDATE outbox_half_alert
      SET due_at = :later
      WHERE id = ? AND due_at <= :now
      """;

  public Sql takeAlert(long number) {
    return Sql.of(in(TAKE_ALERT), clock.scaled(CheckStore.ALERT_CLAIM), number);
  }

  /**
   * Drops the alert of a message that waits for nobody; a message that was given up anew keeps it.
   * Parameter: number.
   */
  private static final String DROP_ALERT =
      """
      DELETE FROM outbox_half_alert
      WHERE id = ? AND due_at <= :now
      """;

  public Sql dropAlert(long number) {
    return Sql.of(in(DROP_ALERT), number);
  }

  /** Parameter: number. */
  private static final String TOLD =
      """
      DELETE FROM outbox_half_alert
      WHERE id = ?
      """;

  public Sql told(long number) {
    return Sql.of(in(TOLD), number);
  }

  private static List<@Nullable Object> answer(NotedCheck noted) {
    List<@Nullable Object> parameters = new ArrayList<>();
    parameters.add(noted.unknown());
    parameters.add(noted.unreachable());
    parameters.add(noted.answer().verdict().name().toLowerCase(Locale.ROOT).replace('_', ' '));
    parameters.add(Reason.cut(noted.answer().reason()));
    parameters.add(noted.check().number());
    parameters.add(noted.check().version());
    return parameters;
  }

  private Sql ofNumbers(String text, List<Long> before, Collection<Long> numbers) {
    List<@Nullable Object> padded = Repeated.padded(numbers);
    List<@Nullable Object> parameters = new ArrayList<>(before);
    parameters.addAll(padded);
    return new Sql(Repeated.times(in(text), padded.size()), parameters);
  }

  /** MySQL and MariaDB would lock all rows of a table that they take for empty. */
  private String in(String text) {
    String index = clock == ClockDialect.MYSQL ? " FORCE INDEX (by_next)" : "";
    return names.in(clock.in(text.replace(":by_next", index)));
  }
}
