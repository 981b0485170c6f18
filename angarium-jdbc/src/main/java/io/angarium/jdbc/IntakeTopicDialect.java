package io.angarium.jdbc;

import org.jspecify.annotations.Nullable;

/** Every statement of the registry of topics. Thread-safe. */
final class IntakeTopicDialect {
  private final TableNames names;
  private final ClockDialect clock;

  /**
   * What is said of a topic.
   *
   * @param onlyMarked null for as it is, all records of a new one
   * @param enabled null for as it is, yes for a new one
   */
  record Change(
      String topic, @Nullable Boolean onlyMarked, @Nullable Boolean enabled, @Nullable String by) {
    boolean newOnlyMarked() {
      return onlyMarked != null && onlyMarked;
    }

    boolean newEnabled() {
      return enabled == null || enabled;
    }
  }

  IntakeTopicDialect(Dialect server) {
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
  Sql oldest(int limit) {
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

  /** The first page; a row by hand may have no character that another one could come after. */
  Sql first(int limit) {
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

  Sql after(String topic, int limit) {
    return Sql.of(in(AFTER), topic, limit);
  }

  /** Parameter: topic. */
  private static final String FIND =
      """
      SELECT :columns
      FROM outbox_intake_topic
      WHERE topic = ?
      """;

  Sql find(String topic) {
    return Sql.of(in(FIND), topic);
  }

  /** Parameter: limit. */
  private static final String COUNT =
      """
      SELECT COUNT(*)
      FROM (SELECT 1 AS one FROM outbox_intake_topic LIMIT ?) AS counted
      """;

  Sql count(int limit) {
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
  Sql change(Change change) {
    return Sql.of(in(CHANGE), change.onlyMarked(), change.enabled(), change.by(), change.topic());
  }

  /** Parameters: topic, only marked, enabled, who. */
  private static final String ADD =
      """
      INSERT INTO outbox_intake_topic (topic, only_marked, enabled, registered_by, created_at)
      VALUES (?, ?, ?, ?, :now)
      """;

  Sql add(Change change) {
    return Sql.of(
        in(ADD), change.topic(), change.newOnlyMarked(), change.newEnabled(), change.by());
  }

  /** Parameter: topic. */
  private static final String REMOVE =
      """
      DELETE FROM outbox_intake_topic
      WHERE topic = ?
      """;

  Sql remove(String topic) {
    return Sql.of(in(REMOVE), topic);
  }

  private String in(String text) {
    return names.in(clock.in(text.replace(":columns", COLUMNS)));
  }
}
