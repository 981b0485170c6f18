package io.angarium.jdbc.internal.alert;

import io.angarium.desk.ActBy;
import io.angarium.jdbc.internal.dialect.ClockDialect;
import io.angarium.jdbc.internal.dialect.Dialect;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.jdbc.internal.sql.TableNames;
import java.time.Duration;

/** Statements of silences. Thread-safe. */
public final class SilenceDialect {
  private final TableNames names;
  private final ClockDialect clock;

  public SilenceDialect(Dialect server) {
    this.names = server.names();
    this.clock = ClockDialect.of(server);
  }

  private static final String SILENCES =
      """
      SELECT id, rule, subject, from_at, until_at, created_by, reason
      FROM outbox_silence
      WHERE until_at > :now
      ORDER BY until_at, id
      """;

  public Sql silences() {
    return Sql.of(in(SILENCES));
  }

  /** Parameters: rule, subject, length, who, why. */
  private static final String ADD_SILENCE =
      """
      INSERT INTO outbox_silence (rule, subject, from_at, until_at, created_by, reason)
      VALUES (?, ?, :now, :later, ?, ?)
      """;

  public Sql add(String rule, String subject, Duration length, ActBy by) {
    return Sql.of(
        in(ADD_SILENCE),
        rule,
        subject,
        clock.scaled(length),
        by.decision().by(),
        by.decision().reason());
  }

  /** Parameters: rule, subject, who. */
  private static final String LATEST_SILENCE =
      """
      SELECT id, rule, subject, from_at, until_at, created_by, reason
      FROM outbox_silence
      WHERE rule = ? AND subject = ? AND created_by = ?
      ORDER BY id DESC
      LIMIT 1
      """;

  public Sql latest(String rule, String subject, ActBy by) {
    return Sql.of(in(LATEST_SILENCE), rule, subject, by.decision().by());
  }

  /** Parameter: number. */
  private static final String END_SILENCE =
      """
      UPDATE outbox_silence
      SET until_at = :now
      WHERE id = ? AND until_at > :now
      """;

  public Sql end(long id) {
    return Sql.of(in(END_SILENCE), id);
  }

  /** Parameter: age. */
  private static final String DELETE_ENDED =
      """
      DELETE FROM outbox_silence
      WHERE until_at < :earlier
      """;

  public Sql deleteEnded(Duration age) {
    return Sql.of(in(DELETE_ENDED), clock.scaled(age));
  }

  private String in(String text) {
    return names.in(clock.in(text));
  }
}
