package io.angarium.jdbc.internal.write;

import io.angarium.confirmation.ConfirmationConfig;
import io.angarium.confirmation.ConfirmationDesk.Unconfirmed;
import io.angarium.intake.Position;
import io.angarium.jdbc.internal.dialect.ClockDialect;
import io.angarium.jdbc.internal.dialect.Dialect;
import io.angarium.jdbc.internal.sql.JsonRows;
import io.angarium.jdbc.internal.sql.Reason;
import io.angarium.jdbc.internal.sql.Repeated;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.jdbc.internal.sql.TableNames;
import io.angarium.store.Backlog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Every statement about messages that wait for a confirmation. They are the same on every database
 * but for the clock and the insert that passes over what is there. Thread-safe.
 */
public final class ConfirmationDialect {
  /** The most ids in one statement; more become several. */
  public static final int IDS_MAX = 500;

  private static final String MESSAGE =
      """
      message_id, destination, message_key, message_type, headers, business_type, business_key, \
      created_by, payload""";

  private final Dialect server;
  private final TableNames names;
  private final ConfirmationConfig config;
  private final ClockDialect clock;

  public ConfirmationDialect(Dialect server, ConfirmationConfig config) {
    this.server = server;
    this.names = server.names();
    this.config = config;
    this.clock = ClockDialect.of(server);
  }

  // ---- when a message was sent, in the transaction that deletes it

  /** Rows of a table by their positions, each looked up by its key. Parameter: positions. */
  private String at() {
    return switch (clock) {
      case POSTGRESQL ->
          """
          unnest(?::smallint[], ?::bigint[]) AS v (partition_no, id)
            JOIN :table AS o ON o.partition_no = v.partition_no AND o.id = v.id""";
      case MYSQL ->
          """
          JSON_TABLE(?, '$[*]' COLUMNS (
              id BIGINT PATH '$[0]', partition_no SMALLINT PATH '$[1]')) AS v
            STRAIGHT_JOIN :table AS o FORCE INDEX (PRIMARY)
              ON o.id = v.id AND o.partition_no = v.partition_no""";
      case H2 ->
          """
          (SELECT * FROM :table WHERE id = ANY (?) AND partition_no = ANY (?)) AS o""";
    };
  }

  private static List<@Nullable Object> positions(ClockDialect clock, List<Position> at) {
    List<@Nullable Object> sequences = new ArrayList<>();
    List<@Nullable Object> partitions = new ArrayList<>();
    for (Position position : at) {
      sequences.add(position.sequence());
      partitions.add(
          clock == ClockDialect.POSTGRESQL
              ? (Object) (short) position.partition()
              : (Object) position.partition());
    }
    return switch (clock) {
      case POSTGRESQL ->
          List.of(new Sql.ArrayValue("int2", partitions), new Sql.ArrayValue("int8", sequences));
      case MYSQL -> List.of(JsonRows.of(at, p -> new Object[] {p.sequence(), p.partition()}));
      case H2 ->
          List.of(
              new Sql.ArrayValue("BIGINT", sequences), new Sql.ArrayValue("SMALLINT", partitions));
    };
  }

  /** Finds which of the given messages must be confirmed. Parameters: positions, patterns. */
  private static final String DEMANDING =
      """
      SELECT o.message_id, o.partition_no, o.id
      FROM :at
      WHERE :demanding
      """;

  /**
   * Reads the ids and positions of messages that must be confirmed.
   *
   * @param table {@code outbox} or {@code outbox_parked}
   */
  public Sql demanding(String table, List<Position> sent) {
    List<@Nullable Object> parameters = new ArrayList<>(positions(clock, sent));
    config.destinations().stream().sorted().map(ConfirmationDialect::like).forEach(parameters::add);
    String conditions =
        String.join(
            " OR ",
            Collections.nCopies(config.destinations().size(), "o.destination LIKE ? ESCAPE '!'"));
    String text = DEMANDING.replace(":at", at()).replace(":table", table);
    return new Sql(names.in(text.replace(":demanding", conditions)), parameters);
  }

  /** A pattern of LIKE. */
  private static String like(String destination) {
    String escaped = destination.replace("!", "!!").replace("%", "!%").replace("_", "!_");
    return escaped.endsWith("*") ? escaped.substring(0, escaped.length() - 1) + "%" : escaped;
  }

  /** Updates the entries of messages that were sent before. Parameters: time-out, message ids. */
  private static final String SENT_AGAIN =
      """
      UPDATE outbox_unconfirmed
      SET sends = sends + 1, sent_at = :now, due_at = :later
      WHERE message_id IN ({?|, })
      """;

  public Sql sentAgain(Collection<UUID> ids) {
    return ofIds(SENT_AGAIN, List.of(timeout()), ids);
  }

  /**
   * Adds entries for the other messages, unless their receipt was faster. Parameters: time-out,
   * positions.
   */
  private static final String SENT =
      """
      INSERT INTO outbox_unconfirmed (
        due_at, sent_at, sends, partition_no, id, created_at, :message)
      SELECT
        :later, :now, 1, o.partition_no, o.id, o.created_at, o.message_id, o.destination,
        o.message_key, o.message_type, o.headers, o.business_type, o.business_key, o.created_by,
        o.payload
      FROM :at
      WHERE NOT EXISTS (
          SELECT 1 FROM outbox_unconfirmed AS u WHERE u.message_id = o.message_id)
        AND NOT EXISTS (
          SELECT 1 FROM outbox_receipt AS r WHERE r.message_id = o.message_id)
      """;

  /**
   * Keeps messages that were sent.
   *
   * @param table as in {@link #demanding}
   * @param sent those that must be confirmed
   */
  public Sql sent(String table, List<Position> sent) {
    List<@Nullable Object> parameters = new ArrayList<>();
    parameters.add(timeout());
    parameters.addAll(positions(clock, sent));
    return new Sql(in(SENT.replace(":at", at()).replace(":table", table)), parameters);
  }

  // ---- receipts

  /** What waits for a receipt, held until the transaction ends. Parameter: message ids. */
  private static final String WAITING =
      """
      SELECT message_id, CASE WHEN due_at IS NULL THEN 1 ELSE 0 END
      FROM outbox_unconfirmed
      WHERE message_id IN ({?|, })
      ORDER BY message_id
      FOR UPDATE
      """;

  public Sql waiting(Collection<UUID> ids) {
    return ofIds(WAITING, List.of(), ids);
  }

  /** Parameter: message ids. */
  private static final String FORGET =
      """
      DELETE FROM outbox_unconfirmed
      WHERE message_id IN ({?|, })
      """;

  public Sql forget(Collection<UUID> ids) {
    return ofIds(FORGET, List.of(), ids);
  }

  private static final String ADD_RECEIPTS_POSTGRES =
      """
      INSERT INTO outbox_receipt (message_id, received_at)
      VALUES {(?, :now)|, }
      ON CONFLICT DO NOTHING
      """;

  private static final String ADD_RECEIPTS_MYSQL =
      """
      INSERT IGNORE INTO outbox_receipt (message_id, received_at)
      VALUES {(?, :now)|, }
      """;

  private static final String ADD_RECEIPTS_H2 =
      """
      MERGE INTO outbox_receipt (message_id, received_at)
      KEY (message_id)
      VALUES {(?, :now)|, }
      """;

  private String addingReceipts() {
    return switch (server.database()) {
      case "PostgreSQL" -> ADD_RECEIPTS_POSTGRES;
      case "H2" -> ADD_RECEIPTS_H2;
      default -> ADD_RECEIPTS_MYSQL;
    };
  }

  public Sql addReceipts(Collection<UUID> ids) {
    return ofIds(addingReceipts(), List.of(), ids);
  }

  /** Parameter: message ids. */
  private static final String RECEIPTS =
      """
      SELECT message_id
      FROM outbox_receipt
      WHERE message_id IN ({?|, })
      """;

  public Sql receipts(Collection<UUID> ids) {
    return ofIds(RECEIPTS, List.of(), ids);
  }

  /** Parameters: age, limit. */
  private static final String OLD_RECEIPTS =
      """
      SELECT message_id
      FROM outbox_receipt
      WHERE received_at < :earlier
      LIMIT ?
      """;

  public Sql oldReceipts(int besides) {
    return Sql.of(in(OLD_RECEIPTS), scaled(config.receiptsKept()), IDS_MAX + besides);
  }

  /** Parameter: message ids. */
  private static final String FORGET_RECEIPTS =
      """
      DELETE FROM outbox_receipt
      WHERE message_id IN ({?|, })
      """;

  public Sql forgetReceipts(Collection<UUID> ids) {
    return ofIds(FORGET_RECEIPTS, List.of(), ids);
  }

  /**
   * What waits in the outbox to be sent again is noted anew when it was. Parameters: age, limit.
   */
  private static final String OLD_RESENT =
      """
      SELECT message_id
      FROM outbox_unconfirmed
      WHERE due_at IS NULL AND sent_at < :earlier
      LIMIT ?
      """;

  public Sql oldResent(int besides) {
    return Sql.of(in(OLD_RESENT), scaled(config.receiptsKept()), IDS_MAX + besides);
  }

  /** Unless they were sent meanwhile. Parameter: message ids. */
  private static final String FORGET_RESENT =
      """
      DELETE FROM outbox_unconfirmed
      WHERE due_at IS NULL AND message_id IN ({?|, })
      """;

  public Sql forgetResent(Collection<UUID> ids) {
    return ofIds(FORGET_RESENT, List.of(), ids);
  }

  // ---- what is overdue

  /** Parameter: limit. */
  private static final String OVERDUE =
      """
      SELECT message_id, sends, destination, message_key
      FROM outbox_unconfirmed
      WHERE due_at <= :now
      ORDER BY due_at
      LIMIT ?
      FOR UPDATE SKIP LOCKED
      """;

  /**
   * Reads what is overdue.
   *
   * @param besides more rows than {@link #IDS_MAX}
   */
  public Sql overdue(int besides) {
    return Sql.of(in(OVERDUE), IDS_MAX + besides);
  }

  /** Parameter: message ids. */
  private static final String RESEND =
      """
      INSERT INTO outbox (created_at, updated_by, partition_no, :message)
      SELECT :now, 'confirmation', partition_no, :message
      FROM outbox_unconfirmed
      WHERE message_id IN ({?|, })
      ORDER BY id
      """;

  public Sql resend(Collection<UUID> ids) {
    return ofIds(RESEND, List.of(), ids);
  }

  /** Parameter: message ids. */
  private static final String RESENT =
      """
      UPDATE outbox_unconfirmed
      SET due_at = NULL, sent_at = :now
      WHERE message_id IN ({?|, })
      """;

  public Sql resent(Collection<UUID> ids) {
    return ofIds(RESENT, List.of(), ids);
  }

  /** Parameters: key hash, reason, message id. */
  private static final String BURY =
      """
      INSERT INTO outbox_dead (
        id, partition_no, key_hash, blocks_key, attempts, reason, dead_since, created_at, :message)
      SELECT
        id, partition_no, CAST(? AS :integer64), FALSE, sends, ?, :now, created_at, :message
      FROM outbox_unconfirmed
      WHERE message_id = ?
      """;

  public Sql bury(UUID id, long keyHash, String reason) {
    return Sql.of(in(BURY), keyHash, Reason.cut(reason), bound(id));
  }

  /** Parameter: limit. */
  private static final String COUNT =
      """
      SELECT COUNT(*)
      FROM (SELECT 1 FROM outbox_unconfirmed LIMIT ?) AS u
      """;

  public Sql count() {
    return Sql.of(names.in(COUNT), Backlog.EXACT_MAX + 1);
  }

  /** Parameters: how long overdue, limit. */
  private static final String BY_DESTINATION =
      """
      SELECT
        destination, COUNT(*), MIN(sent_at),
        SUM(CASE WHEN sends > 1 OR due_at IS NULL THEN 1 ELSE 0 END),
        SUM(CASE WHEN due_at IS NULL THEN 1 ELSE 0 END), MAX(sends), MIN(due_at),
        SUM(CASE WHEN due_at < :earlier THEN 1 ELSE 0 END)
      FROM (SELECT destination, sent_at, sends, due_at FROM outbox_unconfirmed LIMIT ?) AS u
      GROUP BY destination
      ORDER BY 2 DESC, 1
      """;

  /** Counts what waits for a receipt by destination, so many rows at most. */
  public Sql byDestination(int limit) {
    return Sql.of(in(BY_DESTINATION), scaled(Backlog.OVERDUE_AFTER), limit);
  }

  /** Reads a row of {@link #byDestination}. */
  public Sql.RowReader<Unconfirmed> unconfirmed() {
    return row ->
        new Unconfirmed(
            row.getString(1),
            row.getLong(2),
            server.instant(row, 3),
            row.getLong(4),
            row.getLong(5),
            row.getInt(6),
            row.getObject(7) == null ? null : server.instant(row, 7),
            row.getLong(8));
  }

  private Sql ofIds(String text, List<@Nullable Object> before, Collection<UUID> ids) {
    List<@Nullable Object> bound = Repeated.padded(ids.stream().map(this::bound).toList());
    List<@Nullable Object> parameters = new ArrayList<>(before);
    parameters.addAll(bound);
    return new Sql(Repeated.times(in(text), bound.size()), parameters);
  }

  private String in(String text) {
    return names.in(
        clock.in(text).replace(":integer64", clock.bigint()).replace(":message", MESSAGE));
  }

  private long timeout() {
    return scaled(config.timeout());
  }

  private long scaled(Duration duration) {
    return clock.scaled(duration);
  }

  private Object bound(UUID id) {
    return clock.bound(id);
  }

  /** Reads a message id. */
  public Sql.RowReader<UUID> id() {
    return row -> server.uuid(row, 1);
  }
}
