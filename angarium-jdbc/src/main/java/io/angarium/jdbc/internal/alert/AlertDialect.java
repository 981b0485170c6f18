package io.angarium.jdbc.internal.alert;

import io.angarium.alert.Alert;
import io.angarium.alert.AlertKey;
import io.angarium.alert.AlertState;
import io.angarium.alert.AlertStore;
import io.angarium.desk.ActBy;
import io.angarium.jdbc.internal.dialect.ClockDialect;
import io.angarium.jdbc.internal.dialect.Dialect;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.jdbc.internal.sql.TableNames;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Statements of alerts and of whose turn it is to look for them. They are the same on every
 * database but for the clock. Thread-safe.
 */
public final class AlertDialect {
  private final TableNames names;
  private final ClockDialect clock;

  public AlertDialect(Dialect server) {
    this.names = server.names();
    this.clock = ClockDialect.of(server);
  }

  // ---- whose turn it is

  private static final String TURN =
      """
      SELECT token, node, CASE WHEN leased_until > :now THEN 1 ELSE 0 END, :now
      FROM outbox_alert_turn
      WHERE one = TRUE
      FOR UPDATE
      """;

  /** Reads whose turn it is, and the time; held until the transaction ends. */
  public Sql turn() {
    return Sql.of(in(TURN));
  }

  private static final String FIRST_TURN =
      """
      INSERT INTO outbox_alert_turn (one, token, node, leased_until)
      VALUES (TRUE, 0, '', :now)
      """;

  /** Adds the row that says whose turn it is, if somebody has emptied the table. */
  public Sql firstTurn() {
    return Sql.of(in(FIRST_TURN));
  }

  /** Parameters: token, node, lease. */
  private static final String TAKE_TURN =
      """
      UPDATE outbox_alert_turn
      SET token = ?, node = ?, leased_until = :later
      WHERE one = TRUE
      """;

  public Sql takeTurn(long token, String node, Duration lease) {
    return Sql.of(in(TAKE_TURN), token, node, clock.scaled(lease));
  }

  /** Parameter: node. */
  private static final String END_TURN =
      """
      UPDATE outbox_alert_turn
      SET leased_until = :now
      WHERE one = TRUE AND node = ?
      """;

  public Sql endTurn(String node) {
    return Sql.of(in(END_TURN), node);
  }

  // ---- alerts

  /** Parameter: limit. */
  private static final String ALERTS =
      """
      SELECT
        rule, subject, state, severity, alert_value, alert_text, episode, since, absent_since,
        resolved_at, taken_by, taken_at, note
      FROM outbox_alert
      ORDER BY rule, subject
      LIMIT ?
      """;

  public Sql alerts() {
    return Sql.of(in(ALERTS), AlertStore.ALERTS_MAX);
  }

  /** Parameter: limit. */
  private static final String KNOWN =
      """
      SELECT
        a.rule, a.subject, a.state, a.severity, a.alert_value, a.alert_text, a.episode, a.since,
        a.absent_since, a.resolved_at, a.taken_by, a.taken_at, a.note,
        n.channel, n.what, n.episode, n.severity, n.told_at, n.failure
      FROM (
        SELECT *
        FROM outbox_alert
        ORDER BY rule, subject
        LIMIT ?) AS a
      LEFT JOIN outbox_alert_notice AS n ON n.rule = a.rule AND n.subject = a.subject
      """;

  /** Reads alerts, once for each channel that was told something of them. */
  public Sql known() {
    return Sql.of(in(KNOWN), AlertStore.ALERTS_MAX);
  }

  private static final String KEYS =
      """
      SELECT rule, subject
      FROM outbox_alert
      """;

  /** Reads which alerts there are. */
  public Sql keys() {
    return Sql.of(in(KEYS));
  }

  /** Parameters: the parts of an alert but for who has taken it, then its key. */
  private static final String CHANGE =
      """
      UPDATE outbox_alert
      SET
        state = ?, severity = ?, alert_value = ?, alert_text = ?, episode = ?, since = ?,
        absent_since = ?, resolved_at = ?:taken
      WHERE rule = ? AND subject = ?
      """;

  /** Leaves who has taken it as it is while it is on. */
  public Sql change(Alert alert) {
    boolean on = alert.state() == AlertState.FIRING;
    String taken = on ? "" : ", taken_by = NULL, taken_at = NULL, note = NULL";
    return Sql.of(
        in(CHANGE.replace(":taken", taken)),
        name(alert.state()),
        name(alert.severity()),
        alert.value(),
        alert.text(),
        alert.episode(),
        bound(alert.since()),
        bound(alert.absentSince()),
        bound(alert.resolvedAt()),
        alert.key().rule(),
        alert.key().subject());
  }

  /** Parameters: the parts of an alert that is not taken. */
  private static final String ADD =
      """
      INSERT INTO outbox_alert (
        rule, subject, state, severity, alert_value, alert_text, episode, since, absent_since,
        resolved_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """;

  public Sql add(Alert alert) {
    return Sql.of(
        in(ADD),
        alert.key().rule(),
        alert.key().subject(),
        name(alert.state()),
        name(alert.severity()),
        alert.value(),
        alert.text(),
        alert.episode(),
        bound(alert.since()),
        bound(alert.absentSince()),
        bound(alert.resolvedAt()));
  }

  /** Parameters: rule, subject. */
  private static final String DELETE =
      """
      DELETE FROM outbox_alert
      WHERE rule = ? AND subject = ?
      """;

  public Sql delete(AlertKey key) {
    return Sql.of(in(DELETE), key.rule(), key.subject());
  }

  /** Parameters: who, why, rule, subject, who has it or nothing. */
  private static final String TAKE =
      """
      UPDATE outbox_alert
      SET taken_by = ?, taken_at = :now, note = ?
      WHERE rule = ? AND subject = ? AND state = 'firing' AND COALESCE(taken_by, '') = ?
      """;

  public Sql take(AlertKey key, @Nullable String from, ActBy by) {
    return Sql.of(
        in(TAKE),
        by.decision().by(),
        by.decision().reason(),
        key.rule(),
        key.subject(),
        from == null ? "" : from);
  }

  private String in(String text) {
    return names.in(clock.in(text));
  }

  static String name(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  private @Nullable Object bound(@Nullable Instant time) {
    return time == null ? null : bound(clock, time);
  }

  /** A time as a parameter. */
  static Object bound(ClockDialect clock, Instant time) {
    return clock == ClockDialect.MYSQL
        ? LocalDateTime.ofInstant(time, ZoneOffset.UTC)
        : time.atOffset(ZoneOffset.UTC);
  }
}
