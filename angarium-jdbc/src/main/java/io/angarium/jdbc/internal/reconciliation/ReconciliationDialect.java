package io.angarium.jdbc.internal.reconciliation;

import io.angarium.MessageId;
import io.angarium.jdbc.internal.dialect.ClockDialect;
import io.angarium.jdbc.internal.dialect.Dialect;
import io.angarium.jdbc.internal.sql.Repeated;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.jdbc.internal.sql.TableNames;
import io.angarium.reconciliation.Window;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Every statement of a reconciliation. They are the same on every database but for the clock and
 * the type of an id. The time of a message is that in its id. Thread-safe.
 */
public final class ReconciliationDialect {
  private final Dialect server;
  private final TableNames names;
  private final ClockDialect clock;

  public ReconciliationDialect(Dialect server, TableNames names) {
    this.server = server;
    this.names = names;
    this.clock = ClockDialect.of(server);
  }

  /** When the message of an id was sent into the outbox, by the clock of its application. */
  public static Instant time(MessageId id) {
    return id.time();
  }

  /** The lowest id of a version 7 UUID of that time. */
  public static UUID lowest(Instant at) {
    return new UUID((at.toEpochMilli() << 16) | 0x7000L, 0x8000_0000_0000_0000L);
  }

  /**
   * All that a transaction has produced, wherever it is by now. A message that was sent twice is in
   * the history twice. Parameters: destination, lowest id, upper end, for each table; of the
   * history also the age of the window in milliseconds or microseconds.
   */
  private static final String PRODUCED =
      """
      SELECT message_id FROM outbox_sent
      WHERE destination = ? AND message_id >= ? AND message_id < ? AND sent_at >= :earlier
      UNION
      SELECT message_id FROM outbox
      WHERE destination = ? AND message_id >= ? AND message_id < ?
      UNION
      SELECT message_id FROM outbox_delayed
      WHERE destination = ? AND message_id >= ? AND message_id < ?
      UNION
      SELECT message_id FROM outbox_parked
      WHERE destination = ? AND message_id >= ? AND message_id < ?
      UNION
      SELECT message_id FROM outbox_dead
      WHERE destination = ? AND message_id >= ? AND message_id < ?
      """;

  private static final int TABLES = 5;

  /**
   * Reads the ids of a window.
   *
   * @param age how long ago the window began, with something to spare for clocks that differ
   */
  public Sql produced(String destination, Window window, Duration age) {
    List<@Nullable Object> parameters = new ArrayList<>();
    for (int table = 0; table < TABLES; table++) {
      parameters.add(destination);
      parameters.add(bound(lowest(window.from())));
      parameters.add(bound(lowest(window.to())));
      if (table == 0) {
        parameters.add(scaled(age));
      }
    }
    return new Sql(in(PRODUCED), parameters);
  }

  /** Parameters: consumer, lowest id, upper end, for each table. */
  private static final String CONSUMED =
      """
      SELECT message_id FROM inbox
      WHERE consumer = ? AND message_id >= ? AND message_id < ?
      UNION ALL
      SELECT message_id FROM inbox_previous
      WHERE consumer = ? AND message_id >= ? AND message_id < ?
      """;

  /** On H2, where the inbox is one table. */
  private static final String CONSUMED_OF_ONE =
      """
      SELECT message_id FROM inbox
      WHERE consumer = ? AND message_id >= ? AND message_id < ?
      """;

  public Sql consumed(long consumer, Window window) {
    Object low = bound(lowest(window.from()));
    Object high = bound(lowest(window.to()));
    return server.database().equals("H2")
        ? Sql.of(in(CONSUMED_OF_ONE), consumer, low, high)
        : Sql.of(in(CONSUMED), consumer, low, high, consumer, low, high);
  }

  /** The most ids in one statement; more become several. */
  public static final int IDS_MAX = 500;

  /** Parameters: age of the oldest of the messages, message ids. */
  private static final String HELD =
      """
      SELECT message_id, partition_no, id
      FROM outbox_sent
      WHERE sent_at >= :earlier AND message_id IN ({?|, })
      FOR UPDATE
      """;

  /** The rows of the history that hold messages, held until the transaction ends. */
  public Sql held(List<UUID> ids, Duration age) {
    return ofIds(HELD, List.of(scaled(age)), ids, 1);
  }

  /** Parameters: message ids, for each table. */
  private static final String UNSENT =
      """
      SELECT message_id FROM outbox WHERE message_id IN ({?|, })
      UNION
      SELECT message_id FROM outbox_delayed WHERE message_id IN ({?|, })
      UNION
      SELECT message_id FROM outbox_parked WHERE message_id IN ({?|, })
      UNION
      SELECT message_id FROM outbox_dead WHERE message_id IN ({?|, })
      """;

  /** Finds which of the given messages wait to be sent, or are dead letters. */
  public Sql unsent(List<UUID> ids) {
    return ofIds(UNSENT, List.of(), ids, TABLES - 1);
  }

  private Sql ofIds(String text, List<Long> before, List<UUID> ids, int times) {
    List<@Nullable Object> bound = Repeated.padded(ids.stream().map(this::bound).toList());
    List<@Nullable Object> parameters = new ArrayList<>(before);
    Collections.nCopies(times, bound).forEach(parameters::addAll);
    return new Sql(Repeated.times(in(text), bound.size()), parameters);
  }

  /** Parameters: who, age of the message, partition, id. */
  private static final String SEND_AGAIN =
      """
      INSERT INTO outbox (
        created_at, updated_by, partition_no, message_id, destination, message_key, message_type,
        headers, business_type, business_key, created_by, payload)
      SELECT
        :now, ?, partition_no, message_id, destination, message_key, message_type, headers,
        business_type, business_key, created_by, payload
      FROM outbox_sent
      WHERE sent_at >= :earlier AND partition_no = ? AND id IN ({?|, })
      ORDER BY id
      """;

  /** Copies rows of the history, all of one partition, into the outbox. */
  public Sql sendAgain(int partition, Collection<Long> rows, String by, Duration age) {
    List<@Nullable Object> parameters = new ArrayList<>(List.of(by, scaled(age), partition));
    List<@Nullable Object> padded = Repeated.padded(rows);
    parameters.addAll(padded);
    return new Sql(Repeated.times(in(SEND_AGAIN), padded.size()), parameters);
  }

  // ---- turns of tasks

  /** Parameters: lease, task. */
  private static final String BEGIN =
      """
      UPDATE outbox_task
      SET token = token + 1, leased_until = :later
      WHERE task = ? AND leased_until <= :now
      """;

  public Sql begin(String task, Duration lease) {
    return Sql.of(in(BEGIN), scaled(lease), task);
  }

  /** Parameters: task, lease. */
  private static final String FIRST =
      """
      INSERT INTO outbox_task (task, token, leased_until)
      VALUES (?, 1, :later)
      """;

  public Sql first(String task, Duration lease) {
    return Sql.of(in(FIRST), task, scaled(lease));
  }

  /** Parameter: task. */
  private static final String DONE =
      """
      SELECT token, done_until
      FROM outbox_task
      WHERE task = ?
      """;

  public Sql done(String task) {
    return Sql.of(in(DONE), task);
  }

  /** Parameters: done until, lease, task, token. */
  private static final String PROCEED =
      """
      UPDATE outbox_task
      SET done_until = ?, leased_until = :later
      WHERE task = ? AND token = ?
      """;

  public Sql proceed(String task, long token, long doneUntil, Duration lease) {
    return Sql.of(in(PROCEED), doneUntil, scaled(lease), task, token);
  }

  /** Parameters: task, token. */
  private static final String END =
      """
      UPDATE outbox_task
      SET leased_until = :now
      WHERE task = ? AND token = ?
      """;

  public Sql end(String task, long token) {
    return Sql.of(in(END), task, token);
  }

  private String in(String text) {
    return names.in(clock.in(text));
  }

  private Object bound(UUID id) {
    return clock.bound(id);
  }

  private long scaled(Duration duration) {
    return clock.scaled(duration);
  }
}
