package io.angarium.jdbc.internal.half;

import io.angarium.jdbc.internal.dialect.ClockDialect;
import io.angarium.jdbc.internal.dialect.Dialect;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.jdbc.internal.sql.TableNames;
import org.jspecify.annotations.Nullable;

/** Every statement of the registry of topics. Thread-safe. */
public final class IntakeTopicDialect {
  private final TableNames names;
  private final ClockDialect clock;

  /**
   * What is said of a topic.
   *
   * @param onlyMarked null for as it is, all records of a new one
   * @param enabled null for as it is, yes for a new one
   */
  public record Change(
      String topic, @Nullable Boolean onlyMarked, @Nullable Boolean enabled, @Nullable String by) {
    public boolean newOnlyMarked() {
      return onlyMarked != null && onlyMarked;
    }

    public boolean newEnabled() {
      return enabled == null || enabled;
    }
  }

  public IntakeTopicDialect(Dialect server) {
    this.names = server.names();
    this.clock = ClockDialect.of(server);
  }

  private static final String COLUMNS = "topic, only_marked, enabled, registered_by, created_at";

  /** Parameter: limit. */
  private static final String OLDEST =
      """
      SELECT :columns
      FROM outbox_intake_topic
      ORDER BY created_at, topic
      LIMIT ?
      """;

  /** So that a row too many stops none that was read before it. */
  public Sql oldest(int limit) {
    return Sql.of(in(OLDEST), limit);
  }

  /** Parameter: limit. */
  private static final String FIRST =
      """
      SELECT :columns
      FROM outbox_intake_topic
      ORDER BY topic
      LIMIT ?
      """;

  /**
   * Reads the first page. A row that somebody writes manually may have an empty name, and no name
   * comes before that.
   */
  public Sql first(int limit) {
    return Sql.of(in(FIRST), limit);
  }

  /** Parameters: topic, limit. */
  private static final String AFTER =
      """
      SELECT :columns
      FROM outbox_intake_topic
      WHERE topic > ?
      ORDER BY topic
      LIMIT ?
      """;

  public Sql after(String topic, int limit) {
    return Sql.of(in(AFTER), topic, limit);
  }

  /** Parameter: topic. */
  private static final String FIND =
      """
      SELECT :columns
      FROM outbox_intake_topic
      WHERE topic = ?
      """;

  public Sql find(String topic) {
    return Sql.of(in(FIND), topic);
  }

  /** Parameter: limit. */
  private static final String COUNT =
      """
      SELECT COUNT(*)
      FROM (SELECT 1 AS one FROM outbox_intake_topic LIMIT ?) AS counted
      """;

  public Sql count(int limit) {
    return Sql.of(in(COUNT), limit);
  }

  /** Parameters: only marked or null, enabled or null, who, topic. */
  private static final String CHANGE =
      """
      UPDATE outbox_intake_topic
      SET only_marked = COALESCE(?, only_marked), enabled = COALESCE(?, enabled),
        registered_by = ?
      WHERE topic = ?
      """;

  /** One statement, so that of two callers at once each keeps what the other one has said. */
  public Sql change(Change change) {
    return Sql.of(in(CHANGE), change.onlyMarked(), change.enabled(), change.by(), change.topic());
  }

  /** Parameters: topic, only marked, enabled, who. */
  private static final String ADD =
      """
      INSERT INTO outbox_intake_topic (topic, only_marked, enabled, registered_by, created_at)
      VALUES (?, ?, ?, ?, :now)
      """;

  public Sql add(Change change) {
    return Sql.of(
        in(ADD), change.topic(), change.newOnlyMarked(), change.newEnabled(), change.by());
  }

  /** Parameter: topic. */
  private static final String REMOVE =
      """
      DELETE FROM outbox_intake_topic
      WHERE topic = ?
      """;

  public Sql remove(String topic) {
    return Sql.of(in(REMOVE), topic);
  }

  private String in(String text) {
    return names.in(clock.in(text.replace(":columns", COLUMNS)));
  }
}
