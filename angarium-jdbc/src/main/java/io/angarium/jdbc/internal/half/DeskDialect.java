package io.angarium.jdbc.internal.half;

import io.angarium.half.HalfKey;
import io.angarium.half.HalfStep;
import io.angarium.half.decide.HalfBacklog;
import io.angarium.half.decide.HalfMessageDesk;
import io.angarium.half.decide.OperatorDecision;
import io.angarium.jdbc.internal.dialect.ClockDialect;
import io.angarium.jdbc.internal.dialect.Dialect;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.jdbc.internal.sql.TableNames;
import io.angarium.store.Backlog;
import java.time.Duration;
import java.util.Locale;

/** Every statement of persons who look after half messages. Thread-safe. */
public final class DeskDialect {
  private final TableNames names;
  private final ClockDialect clock;

  public DeskDialect(Dialect server) {
    this.names = server.names();
    this.clock = ClockDialect.of(server);
  }

  private static final String COLUMNS =
      """
      h.id, h.half_business, h.half_key, h.state, h.destination, h.check_back, h.created_at,
        h.decided_at, c.id AS check_id, c.checks, c.unreachable, c.verdict, c.last_error,
        c.checked_at, c.next_at\
      """;

  /** Parameters: lowest number, limit. */
  private static final String UNRESOLVED =
      """
      SELECT
        :columns
      FROM outbox_half_check AS c:by_next
        JOIN outbox_half AS h ON h.id = c.id
      WHERE c.next_at IS NULL AND c.id > ?
      ORDER BY c.id
      LIMIT ?
      """;

  public Sql unresolved(long after, int limit) {
    return Sql.of(in(UNRESOLVED), after, limit);
  }

  /** Reads the list of checks, which is short, in its order. Parameters: number, age, limit. */
  private static final String UNDECIDED =
      """
      SELECT
        :columns
      FROM outbox_half_check AS c
        :join outbox_half AS h ON h.id = c.id
      WHERE c.id > ? AND h.decided_at IS NULL AND h.created_at < :earlier
      ORDER BY c.id
      LIMIT ?
      """;

  public Sql undecided(Duration olderThan, long after, int limit) {
    String join = clock == ClockDialect.MYSQL ? "STRAIGHT_JOIN" : "JOIN";
    return Sql.of(in(UNDECIDED.replace(":join", join)), after, clock.scaled(olderThan), limit);
  }

  // ---- how many each business has open

  /**
   * A page of what needs no look any more: it is decided, or on the list of checks, and too old for
   * a lower number to commit after it. Parameters: age, lowest number, limit.
   */
  private static final String SETTLED =
      """
      SELECT h.id,
        CASE WHEN h.created_at < :earlier AND (h.decided_at IS NOT NULL OR c.id IS NOT NULL)
          THEN 1 ELSE 0 END
      FROM outbox_half AS h
        LEFT JOIN outbox_half_check AS c ON c.id = h.id
      WHERE h.id > ?
      ORDER BY h.id
      LIMIT ?
      """;

  public Sql settled(Duration age, long after, int limit) {
    return Sql.of(in(SETTLED), clock.scaled(age), after, limit);
  }

  private static final String OPEN_LISTED =
      """
      SELECT h.half_business, COUNT(*)
      FROM outbox_half_check AS c
        :join outbox_half AS h ON h.id = c.id
      WHERE h.decided_at IS NULL
      GROUP BY h.half_business
      """;

  /** Counts undecided half messages that are on the list of checks, by business. */
  public Sql openListed() {
    String join = clock == ClockDialect.MYSQL ? "STRAIGHT_JOIN" : "JOIN";
    return Sql.of(in(OPEN_LISTED.replace(":join", join)));
  }

  /** Parameter: lowest number. */
  private static final String OPEN_YOUNG =
      """
      SELECT h.half_business, COUNT(*)
      FROM outbox_half AS h
      WHERE h.id > ? AND h.decided_at IS NULL
        AND NOT EXISTS (SELECT 1 FROM outbox_half_check AS c WHERE c.id = h.id)
      GROUP BY h.half_business
      """;

  /**
   * Counts the undecided half messages that are not on the list yet, above the number up to which
   * none needs to be counted.
   */
  public Sql openYoung(long after) {
    return Sql.of(in(OPEN_YOUNG), after);
  }

  /** Parameter: id. */
  private static final String FIND =
      """
      SELECT
        :columns
      FROM outbox_half AS h
        LEFT JOIN outbox_half_check AS c ON c.id = h.id
      WHERE h.half_id = ?
      """;

  public Sql find(HalfKey key) {
    return Sql.of(in(FIND), clock.bound(key.id()));
  }

  /** Parameters: id, limit. */
  private static final String ACTS =
      """
      SELECT acted_at, acted_by, step, reason, state_before, state_after
      FROM outbox_half_audit
      WHERE half_id = ?
      ORDER BY id DESC
      LIMIT ?
      """;

  public Sql acts(HalfKey key) {
    return Sql.of(in(ACTS), clock.bound(key.id()), HalfMessageDesk.ACTS_MAX);
  }

  /** Parameters: id, business, key, who, step, reason, states. */
  private static final String NOTE =
      """
      INSERT INTO outbox_half_audit (
        half_id, half_business, half_key, acted_at, acted_by, step, reason, state_before,
        state_after)
      VALUES (?, ?, ?, :now, ?, ?, ?, ?, ?)
      """;

  /** Notes an act; when it was, the database knows. */
  public Sql note(HalfKey key, OperatorDecision act) {
    return Sql.of(
        in(NOTE),
        clock.bound(key.id()),
        key.business(),
        key.key(),
        act.by(),
        act.step().name().toLowerCase(Locale.ROOT),
        act.reason(),
        HalfDialect.text(act.before()),
        HalfDialect.text(act.after()));
  }

  public static HalfStep step(String text) {
    return HalfStep.valueOf(text.toUpperCase(Locale.ROOT));
  }

  /** Asked for at once, as if for the first time. Parameter: number. */
  private static final String RESUME =
      """
      UPDATE outbox_half_check
      SET next_at = :now, checks = 0, unreachable = 0, version = version + 1
      WHERE id = ?
      """;

  public Sql resume(long number) {
    return Sql.of(in(RESUME), number);
  }

  /** Parameters: limit, how late, limit, limit. */
  private static final String BACKLOG =
      """
      SELECT
        (SELECT COUNT(*)
          FROM (SELECT 1 AS one FROM outbox_half_check AS c:by_next
            WHERE c.next_at IS NOT NULL LIMIT ?) AS asked),
        (SELECT COUNT(*)
          FROM (SELECT 1 AS one FROM outbox_half_check AS c:by_next
            WHERE c.next_at < :earlier LIMIT ?) AS overdue),
        (SELECT COUNT(*)
          FROM (SELECT 1 AS one FROM outbox_half_check AS c:by_next
            WHERE c.next_at IS NULL LIMIT ?) AS unresolved)
      """;

  public Sql backlog() {
    int limit = Backlog.EXACT_MAX + 1;
    return Sql.of(in(BACKLOG), limit, clock.scaled(HalfBacklog.OVERDUE_AFTER), limit, limit);
  }

  private String in(String text) {
    String index = clock == ClockDialect.MYSQL ? " FORCE INDEX (by_next)" : "";
    return names.in(clock.in(text.replace(":columns", COLUMNS).replace(":by_next", index)));
  }
}
