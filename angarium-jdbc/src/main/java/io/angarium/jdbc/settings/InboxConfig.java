package io.angarium.jdbc.settings;

import io.angarium.ConfigFaults;
import io.angarium.inbox.WhenBusy;
import io.angarium.internal.DurationText;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How an inbox uses a database. Immutable.
 *
 * @param schema the database schema (on MySQL and MariaDB: the database) that holds the tables,
 *     1..63 letters, digits and underscores, not beginning with a digit; null for the connection's
 *     own
 * @param tables what the table names begin with, 1..40 lower-case letters, digits and underscores,
 *     beginning with a letter; default {@code inbox}
 * @param schemaMode what is done about the tables when the inbox is opened; default validate
 * @param retention how long a processed message is remembered at least, 1 min..10 years; at most
 *     twice as long; must be longer than {@code replayWindow}; default 14 days
 * @param replayWindow the oldest message that can still be delivered again, e.g. how long the
 *     broker keeps messages; default 7 days, Kafka's own default
 * @param whenBusy what happens while another delivery of a message is being processed; default wait
 * @param waitMax the longest wait for another delivery, 1 s..1 h; default 5 s. After it {@link
 *     io.angarium.inbox.ConcurrentDeliveryException}, as with {@code tell}. A shorter lock time-out
 *     of the connection counts. MySQL and MariaDB round up to seconds
 * @param acceptedTriggers names of row triggers on PostgreSQL that run before a row is inserted,
 *     changed or deleted and never return null, which would swallow the row; default none
 */
public record InboxConfig(
    @Nullable String schema,
    String tables,
    SchemaMode schemaMode,
    Duration retention,
    Duration replayWindow,
    WhenBusy whenBusy,
    Duration waitMax,
    Set<String> acceptedTriggers) {
  private static final Duration RETENTION_MIN = Duration.ofMinutes(1);
  private static final Duration RETENTION_MAX = Duration.ofDays(3650);
  private static final Duration WAIT_LIMIT_MIN = Duration.ofSeconds(1);
  private static final Duration WAIT_LIMIT_MAX = Duration.ofHours(1);

  /** Tables {@code inbox…} in the connection's schema, validated; 14 days. */
  public static final InboxConfig DEFAULTS =
      new InboxConfig(
          null,
          "inbox",
          SchemaMode.VALIDATE,
          Duration.ofDays(14),
          Duration.ofDays(7),
          WhenBusy.WAIT,
          Duration.ofSeconds(5),
          Set.of());

  /** Checks the parts. */
  public InboxConfig {
    acceptedTriggers = Set.copyOf(acceptedTriggers);
    new ConfigFaults()
        .require(
            schema == null || schema.matches("[A-Za-z_][A-Za-z0-9_]{0,62}"),
            "inbox.schema",
            schema,
            "1..63 letters, digits and underscores, not beginning with a digit")
        .require(
            tables.matches("[a-z][a-z0-9_]{0,39}"),
            "inbox.tables",
            tables,
            "1..40 lower-case letters, digits and underscores, beginning with a letter")
        .range("inbox.retention", retention, RETENTION_MIN, RETENTION_MAX)
        .range("inbox.replay-window", replayWindow, Duration.ZERO, RETENTION_MAX)
        .range("inbox.wait-max", waitMax, WAIT_LIMIT_MIN, WAIT_LIMIT_MAX)
        .require(
            retention.compareTo(replayWindow) > 0,
            "inbox.retention",
            retention,
            "longer than inbox.replay-window, "
                + DurationText.of(replayWindow)
                + ": a message that comes again later than it is remembered is processed twice")
        .throwIfAny();
  }

  /** A copy with another schema. */
  public InboxConfig schema(@Nullable String schema) {
    return new InboxConfig(
        schema, tables, schemaMode, retention, replayWindow, whenBusy, waitMax, acceptedTriggers);
  }

  /** A copy with another beginning of the table names. */
  public InboxConfig tables(String tables) {
    return new InboxConfig(
        schema, tables, schemaMode, retention, replayWindow, whenBusy, waitMax, acceptedTriggers);
  }

  /** A copy with another treatment of the tables at the start. */
  public InboxConfig schemaMode(SchemaMode schemaMode) {
    return new InboxConfig(
        schema, tables, schemaMode, retention, replayWindow, whenBusy, waitMax, acceptedTriggers);
  }

  /**
   * A copy that remembers for another time.
   *
   * @param replayWindow shorter than {@code retention}
   */
  public InboxConfig retention(Duration retention, Duration replayWindow) {
    return new InboxConfig(
        schema, tables, schemaMode, retention, replayWindow, whenBusy, waitMax, acceptedTriggers);
  }

  /** A copy that does something else while another delivery is being processed. */
  public InboxConfig whenBusy(WhenBusy whenBusy) {
    return new InboxConfig(
        schema, tables, schemaMode, retention, replayWindow, whenBusy, waitMax, acceptedTriggers);
  }

  /** A copy that waits for another delivery for another time. */
  public InboxConfig waitMax(Duration waitMax) {
    return new InboxConfig(
        schema, tables, schemaMode, retention, replayWindow, whenBusy, waitMax, acceptedTriggers);
  }

  /** A copy that accepts row triggers by their names. */
  public InboxConfig acceptedTriggers(String... acceptedTriggers) {
    return new InboxConfig(
        schema,
        tables,
        schemaMode,
        retention,
        replayWindow,
        whenBusy,
        waitMax,
        Set.of(acceptedTriggers));
  }
}
