package io.angarium.jdbc.internal.alert;

import io.angarium.alert.AlertKey;
import io.angarium.alert.Told;
import io.angarium.jdbc.internal.dialect.ClockDialect;
import io.angarium.jdbc.internal.dialect.Dialect;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.jdbc.internal.sql.TableNames;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Statements of what channels were told of alerts. Thread-safe. */
public final class NoticeDialect {
  private final TableNames names;
  private final ClockDialect clock;

  public NoticeDialect(Dialect server) {
    this.names = server.names();
    this.clock = ClockDialect.of(server);
  }

  private static final String TOLD =
      """
      SELECT rule, subject, channel, what, episode, severity, told_at, failure
      FROM outbox_alert_notice
      ORDER BY rule, subject, channel
      """;

  public Sql told() {
    return Sql.of(in(TOLD));
  }

  private static final String NOTICE_KEYS =
      """
      SELECT rule, subject, channel
      FROM outbox_alert_notice
      """;

  /** Reads which notices there are. */
  public Sql keys() {
    return Sql.of(in(NOTICE_KEYS));
  }

  /** Parameters: what, episode, severity, time unless it is now, failure, the key. */
  private static final String CHANGE_NOTICE =
      """
      UPDATE outbox_alert_notice
      SET what = ?, episode = ?, severity = ?, told_at = :time, failure = ?
      WHERE rule = ? AND subject = ? AND channel = ?
      """;

  /** Parameters: the same. */
  private static final String ADD_NOTICE =
      """
      INSERT INTO outbox_alert_notice (
        what, episode, severity, told_at, failure, rule, subject, channel)
      VALUES (?, ?, ?, :time, ?, ?, ?, ?)
      """;

  /** What was told is told now; what could not be keeps the time of what was told before. */
  public Sql change(Told told) {
    return notice(CHANGE_NOTICE, told);
  }

  public Sql add(Told told) {
    return notice(ADD_NOTICE, told);
  }

  private Sql notice(String text, Told told) {
    List<@Nullable Object> parameters = new ArrayList<>();
    parameters.add(AlertDialect.name(told.what()));
    parameters.add(told.episode());
    parameters.add(AlertDialect.name(told.severity()));
    if (told.failure() != null) {
      parameters.add(AlertDialect.bound(clock, told.at()));
    }
    parameters.add(told.failure());
    parameters.add(told.key().rule());
    parameters.add(told.key().subject());
    parameters.add(told.channel());
    return new Sql(in(text.replace(":time", told.failure() == null ? ":now" : "?")), parameters);
  }

  /** Parameters: rule, subject. */
  private static final String DELETE_NOTICES =
      """
      DELETE FROM outbox_alert_notice
      WHERE rule = ? AND subject = ?
      """;

  public Sql delete(AlertKey key) {
    return Sql.of(in(DELETE_NOTICES), key.rule(), key.subject());
  }

  private String in(String text) {
    return names.in(clock.in(text));
  }
}
