package io.angarium.jdbc;

import io.angarium.half.IntakeTopic;

/** Every statement of the registry of topics. Thread-safe. */
final class IntakeTopicDialect {
  private final TableNames names;
  private final ClockDialect clock;

  IntakeTopicDialect(Dialect server) {
    this.names = server.names();
    this.clock = ClockDialect.of(server);
  }

  /** Parameter: limit. */
  private static final String ALL =
      """
      SELECT topic, only_marked, enabled, registered_by, created_at
      FROM outbox_intake_topic
      ORDER BY topic
      LIMIT ?
      """;

  Sql all(int limit) {
    return Sql.of(in(ALL), limit);
  }

  /** Parameters: only marked, enabled, who, topic. */
  private static final String CHANGE =
      """
      UPDATE outbox_intake_topic
      SET only_marked = ?, enabled = ?, registered_by = ?
      WHERE topic = ?
      """;

  Sql change(IntakeTopic topic) {
    return Sql.of(
        in(CHANGE), topic.onlyMarked(), topic.enabled(), topic.registeredBy(), topic.topic());
  }

  /** Parameters: topic, only marked, enabled, who. */
  private static final String ADD =
      """
      INSERT INTO outbox_intake_topic (topic, only_marked, enabled, registered_by, created_at)
      VALUES (?, ?, ?, ?, :now)
      """;

  Sql add(IntakeTopic topic) {
    return Sql.of(
        in(ADD), topic.topic(), topic.onlyMarked(), topic.enabled(), topic.registeredBy());
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
    return names.in(clock.in(text));
  }
}
