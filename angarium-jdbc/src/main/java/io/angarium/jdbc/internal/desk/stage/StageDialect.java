package io.angarium.jdbc.internal.desk.stage;

import static java.time.ZoneOffset.UTC;

import io.angarium.MessageId;
import io.angarium.desk.MessageQuery.Order;
import io.angarium.desk.Stage;
import io.angarium.jdbc.internal.dialect.ClockDialect;
import io.angarium.jdbc.internal.dialect.Dialect;
import io.angarium.jdbc.internal.sql.Repeated;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.jdbc.internal.sql.TableNames;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Statements that read the rows of a stage in order, or by their ids. None of them loads a payload
 * or headers. The rows have the columns that {@link StageRows} reads. Thread-safe.
 */
public final class StageDialect {
  /** The most unconfirmed messages among which a search orders: they have no index by time. */
  public static final int UNCONFIRMED_MAX = 60_000;

  /** The most retrying messages that are read to bring them into order. */
  public static final int RETRYING_MAX = 5_000;

  /** Parts of a union that read nothing have this partition. */
  static final int NO_PARTITION = Short.MIN_VALUE;

  private final TableNames names;
  private final ClockDialect clock;
  private final boolean mySql;

  public StageDialect(Dialect server) {
    this.names = server.names();
    this.clock = ClockDialect.of(server);
    this.mySql = clock == ClockDialect.MYSQL;
  }

  /** Whether the history has an index by time that returns no rows in order. */
  boolean readsHistoryByWindows() {
    return !mySql;
  }

  /** Whether the waiting rows have an index by sequence over all partitions. */
  boolean readsWaitingBySequence() {
    return clock != ClockDialect.POSTGRESQL;
  }

  /** Whether the size of a payload is told with its row. MySQL and MariaDB would load it. */
  boolean tellsSize(Stage stage) {
    return !mySql || stage == Stage.WAITING;
  }

  // ---- columns

  private static final String ALL =
      """
      partition_no, id, message_id, destination, message_key, message_type, business_type,
        business_key, created_by, :updated_by AS updated_by, :size AS payload_bytes,\
      """;

  private static final String FEW =
      """
      partition_no, id, message_id, destination, NULL AS message_key, NULL AS message_type,
        NULL AS business_type, NULL AS business_key, NULL AS created_by, NULL AS updated_by,
        0 AS payload_bytes,\
      """;

  private static final String WAITING =
      """
       0 AS attempts, created_at,
        created_at AS stage_time, NULL AS due_time, NULL AS error_text, FALSE AS blocks\
      """;

  private static final String DELAYED =
      """
       0 AS attempts, created_at,
        due_at AS stage_time, due_at AS due_time, NULL AS error_text, FALSE AS blocks\
      """;

  private static final String PARKED =
      """
       attempts, created_at,
        CASE WHEN head = TRUE THEN COALESCE(attempted_at, created_at) ELSE created_at
          END AS stage_time,
        CASE WHEN head = TRUE THEN due_at END AS due_time, last_error AS error_text,
        CASE WHEN head = TRUE AND key_hash <> 0 THEN TRUE ELSE FALSE END AS blocks,
        head AS is_head\
      """;

  private static final String DEAD =
      """
       attempts, created_at,
        dead_since AS stage_time, NULL AS due_time, reason AS error_text, blocks_key AS blocks\
      """;

  private static final String SENT =
      """
       attempts, created_at,
        sent_at AS stage_time, NULL AS due_time, NULL AS error_text, FALSE AS blocks\
      """;

  private static final String UNCONFIRMED =
      """
       sends AS attempts, created_at,
        sent_at AS stage_time, due_at AS due_time, NULL AS error_text, FALSE AS blocks\
      """;

  private static final String DISCARDED =
      """
       attempts, created_at,
        discarded_at AS stage_time, NULL AS due_time, why AS error_text, blocks_key AS blocks\
      """;

  private String columns(Stage stage, StageColumns width) {
    String size = tellsSize(stage) ? mySql ? "payload_bytes" : "OCTET_LENGTH(payload)" : "0";
    String common = width == StageColumns.ALL ? ALL : FEW;
    return common
            .replace(":size", size)
            .replace(":updated_by", stage == Stage.UNCONFIRMED ? "NULL" : "updated_by")
        + switch (stage) {
          case WAITING -> WAITING;
          case DELAYED -> DELAYED;
          case RETRYING, HELD -> PARKED;
          case DEAD -> DEAD;
          case SENT -> SENT;
          case UNCONFIRMED -> UNCONFIRMED;
          case DISCARDED -> DISCARDED;
        };
  }

  static String table(Stage stage) {
    return switch (stage) {
      case WAITING -> "outbox";
      case DELAYED -> "outbox_delayed";
      case RETRYING, HELD -> "outbox_parked";
      case DEAD -> "outbox_dead";
      case SENT -> "outbox_sent";
      case UNCONFIRMED -> "outbox_unconfirmed";
      case DISCARDED -> "outbox_discarded";
    };
  }

  // ---- stages that are ordered by time

  /** Parameters: from, to, the place of the last row, limit. */
  private static final String OLDEST =
      """
      SELECT
        :columns
      FROM :table
      WHERE :time BETWEEN ? AND ? AND :beyond
      ORDER BY :time, :rest
      LIMIT ?
      """;

  /** Parameters: from, to, the place of the last row, limit. */
  private static final String NEWEST =
      """
      SELECT
        :columns
      FROM :table
      WHERE :time BETWEEN ? AND ? AND :beyond
      ORDER BY :time DESC, :rest
      LIMIT ?
      """;

  /** In the place of a table: the newest of those without an index by time. */
  private static final String OF_UNCONFIRMED =
      """
      (
        SELECT
          :columns
        FROM outbox_unconfirmed:in_order
        ORDER BY message_id DESC
        LIMIT :most) AS few\
      """;

  /**
   * The next rows of a stage that is ordered by time.
   *
   * @param sinceIndex whether dead letters have their index by time
   */
  Sql byTime(Stage stage, StageColumns width, Span span, int limit, boolean sinceIndex) {
    String text = span.order() == Order.OLDEST ? OLDEST : NEWEST;
    if (stage == Stage.UNCONFIRMED) {
      String table =
          OF_UNCONFIRMED
              .replace(":columns", columns(stage, width))
              .replace(":most", Integer.toString(UNCONFIRMED_MAX + 1));
      return ordered(
          text.replace(":columns", "*").replace(":table", table), "stage_time", span, limit);
    }
    String table = table(stage) + (mySql ? " FORCE INDEX (" + index(stage, sinceIndex) + ")" : "");
    return ordered(
        text.replace(":columns", columns(stage, width)).replace(":table", table),
        time(stage),
        span,
        limit);
  }

  private static String index(Stage stage, boolean sinceIndex) {
    return switch (stage) {
      case DELAYED -> "by_due";
      case DEAD -> sinceIndex ? "by_since" : "PRIMARY";
      default -> "PRIMARY";
    };
  }

  private static String time(Stage stage) {
    return switch (stage) {
      case DELAYED -> "due_at";
      case DEAD -> "dead_since";
      case SENT -> "sent_at";
      case DISCARDED -> "discarded_at";
      default -> "stage_time";
    };
  }

  /** Some rows of a span of the history, in order. Parameters: from, to, last place, two limits. */
  private static final String WINDOW_OLDEST =
      """
      SELECT *
      FROM (
        SELECT
          :columns
        FROM outbox_sent
        WHERE sent_at BETWEEN ? AND ? AND :beyond
        LIMIT ?) AS few
      ORDER BY stage_time, :rest
      """;

  /** Some rows of a span of the history, in order. Parameters: from, to, last place, limit. */
  private static final String WINDOW_NEWEST =
      """
      SELECT *
      FROM (
        SELECT
          :columns
        FROM outbox_sent
        WHERE sent_at BETWEEN ? AND ? AND :beyond
        LIMIT ?) AS few
      ORDER BY stage_time DESC, :rest
      """;

  /** Any rows of a span of the history, in order, where no index has the order. */
  Sql sentWithin(StageColumns width, Span span, int limit) {
    String text = span.order() == Order.OLDEST ? WINDOW_OLDEST : WINDOW_NEWEST;
    return ordered(text.replace(":columns", columns(Stage.SENT, width)), "sent_at", span, limit);
  }

  /** Parameter: a time. */
  private static final String ANY_SENT =
      """
      SELECT 1
      FROM outbox_sent
      WHERE sent_at <= ?
      LIMIT 1
      """;

  /** A row if anything was sent at a time or earlier. */
  Sql anySent(Instant upTo) {
    return Sql.of(in(ANY_SENT), bound(upTo));
  }

  private Sql ordered(String text, String time, Span span, int limit) {
    boolean oldest = span.order() == Order.OLDEST;
    boolean delayed = time.equals("due_at"); // its ids are of one table, and its index has no more
    String beyond =
        clock == ClockDialect.POSTGRESQL
            ? delayed ? "(:time, id) > (?, ?)" : "(:time, id, partition_no) > (?, ?, ?)"
            : delayed
                ? "(:time > ? OR (:time = ? AND id > ?))"
                : "(:time > ? OR (:time = ? AND id > ?)"
                    + " OR (:time = ? AND id = ? AND partition_no > ?))";
    String rest = delayed ? "id:desc" : "id:desc, partition_no:desc";
    String whole =
        text.replace(":beyond", oldest ? beyond : beyond.replace('>', '<'))
            .replace(":rest", rest)
            .replace(":desc", oldest ? "" : " DESC")
            .replace(":time", time);
    List<@Nullable Object> parameters = new ArrayList<>();
    parameters.add(bound(span.from()));
    parameters.add(bound(span.to()));
    parameters.addAll(beyond(span.after(), delayed));
    parameters.add(limit);
    return new Sql(in(whole), parameters);
  }

  private List<Object> beyond(Place last, boolean delayed) {
    Object at = bound(last.at());
    if (clock == ClockDialect.POSTGRESQL) {
      return delayed
          ? List.of(at, last.sequence())
          : List.of(at, last.sequence(), last.partition());
    }
    return delayed
        ? List.of(at, at, last.sequence())
        : List.of(at, at, last.sequence(), at, last.sequence(), last.partition());
  }

  // ---- stages that are ordered by sequence

  /** Where the sequence is the key over all partitions. Parameters: sequence, limit. */
  private static final String WAITING_OLDEST =
      """
      SELECT
        :columns
      FROM outbox:in_order
      WHERE id > ?
      ORDER BY id
      LIMIT ?
      """;

  /** Where the sequence is the key over all partitions. Parameters: sequence, limit. */
  private static final String WAITING_NEWEST =
      """
      SELECT
        :columns
      FROM outbox:in_order
      WHERE id < ?
      ORDER BY id DESC
      LIMIT ?
      """;

  /** The next waiting rows of all partitions. */
  Sql waiting(StageColumns width, Order order, Place after, int limit) {
    String text = order == Order.OLDEST ? WAITING_OLDEST : WAITING_NEWEST;
    return Sql.of(
        in(text.replace(":columns", columns(Stage.WAITING, width))), after.sequence(), limit);
  }

  /** Few rows, so that they can be sorted. Parameters: sequence twice, partition, limit. */
  private static final String RETRYING_OLDEST =
      """
      SELECT *
      FROM (
        SELECT
          :columns
        FROM outbox_parked:by_due
        WHERE head = TRUE
        ORDER BY due_at
        LIMIT :most) AS few
      WHERE id > ? OR (id = ? AND partition_no > ?)
      ORDER BY id, partition_no
      LIMIT ?
      """;

  /** Few rows, so that they can be sorted. Parameters: sequence twice, partition, limit. */
  private static final String RETRYING_NEWEST =
      """
      SELECT *
      FROM (
        SELECT
          :columns
        FROM outbox_parked:by_due
        WHERE head = TRUE
        ORDER BY due_at
        LIMIT :most) AS few
      WHERE id < ? OR (id = ? AND partition_no < ?)
      ORDER BY id DESC, partition_no DESC
      LIMIT ?
      """;

  /** The next retrying rows of all partitions, if {@link #manyRetrying} finds few. */
  Sql retrying(StageColumns width, Order order, Place after, int limit) {
    String text = order == Order.OLDEST ? RETRYING_OLDEST : RETRYING_NEWEST;
    return Sql.of(
        in(
            text.replace(":columns", columns(Stage.RETRYING, width))
                .replace(":most", Integer.toString(RETRYING_MAX))),
        after.sequence(),
        after.sequence(),
        after.partition(),
        limit);
  }

  /** No parameters. */
  private static final String MANY_RETRYING =
      """
      SELECT COUNT(*)
      FROM (
        SELECT due_at
        FROM outbox_parked:by_due
        WHERE head = TRUE
        ORDER BY due_at
        LIMIT :most) AS few
      """;

  /** Counts retrying messages up to one more than {@link #RETRYING_MAX}. */
  Sql manyRetrying() {
    return Sql.of(in(MANY_RETRYING.replace(":most", Integer.toString(RETRYING_MAX + 1))));
  }

  /** No parameters. */
  private static final String MANY_UNCONFIRMED =
      """
      SELECT COUNT(*)
      FROM (SELECT message_id FROM outbox_unconfirmed:in_order LIMIT :most) AS few
      """;

  /** Counts unconfirmed messages up to one more than {@link #UNCONFIRMED_MAX}. */
  Sql manyUnconfirmed() {
    return Sql.of(in(MANY_UNCONFIRMED.replace(":most", Integer.toString(UNCONFIRMED_MAX + 1))));
  }

  // ---- rows of several partitions, which have the key together with the sequence

  /** Parameters: partitions, sequences, limit. */
  private static final String LANES_OLDEST_POSTGRES =
      """
      SELECT o.*
      FROM unnest(?::smallint[], ?::bigint[]) AS v (partition_no, after_id)
      CROSS JOIN LATERAL (
        SELECT
          :columns
        FROM :table
        WHERE partition_no = v.partition_no AND id > v.after_id
        ORDER BY id
        LIMIT ?) AS o
      """;

  /** Parameters: partitions, sequences, limit. */
  private static final String LANES_NEWEST_POSTGRES =
      """
      SELECT o.*
      FROM unnest(?::smallint[], ?::bigint[]) AS v (partition_no, before_id)
      CROSS JOIN LATERAL (
        SELECT
          :columns
        FROM :table
        WHERE partition_no = v.partition_no AND id < v.before_id
        ORDER BY id DESC
        LIMIT ?) AS o
      """;

  /** Parameters: partition, sequence, limit, for each partition. */
  private static final String LANES_OLDEST =
      """
      {(
        SELECT
          :columns
        FROM :table:in_order
        WHERE partition_no = ? AND id > ?
        ORDER BY partition_no, id
        LIMIT ?)|
      UNION ALL
      }
      """;

  /** Parameters: partition, sequence, limit, for each partition. */
  private static final String LANES_NEWEST =
      """
      {(
        SELECT
          :columns
        FROM :table:in_order
        WHERE partition_no = ? AND id < ?
        ORDER BY partition_no DESC, id DESC
        LIMIT ?)|
      UNION ALL
      }
      """;

  /**
   * The next rows of each partition.
   *
   * @param lanes partitions and the sequence of the last row that was read of each
   */
  Sql lanes(Stage stage, StageColumns width, Order order, List<Place> lanes, int limit) {
    boolean oldest = order == Order.OLDEST;
    if (clock == ClockDialect.POSTGRESQL) {
      return Sql.of(
          in(
              (oldest ? LANES_OLDEST_POSTGRES : LANES_NEWEST_POSTGRES)
                  .replace(":columns", columns(stage, width))
                  .replace(":table", table(stage))),
          new Sql.ArrayValue(
              "int2", lanes.stream().<Object>map(p -> (short) p.partition()).toList()),
          new Sql.ArrayValue("int8", lanes.stream().<Object>map(Place::sequence).toList()),
          limit);
    }
    List<@Nullable Object> parameters = new ArrayList<>();
    for (Place lane : lanes) {
      parameters.addAll(List.of(lane.partition(), lane.sequence(), limit));
    }
    int times = Integer.highestOneBit(Math.max(1, lanes.size() * 2 - 1)); // so that texts are few
    for (int i = lanes.size(); i < times; i++) {
      parameters.addAll(List.of(NO_PARTITION, 0L, limit));
    }
    String text =
        (oldest ? LANES_OLDEST : LANES_NEWEST)
            .replace(":columns", columns(stage, width))
            .replace(":table", table(stage));
    return new Sql(Repeated.times(in(text), times), parameters);
  }

  /** The partitions that have rows, without a look at other rows than the first of each. */
  private static final String PARTITIONS_POSTGRES =
      """
      WITH RECURSIVE found (partition_no) AS (
        (SELECT partition_no
        FROM :table
        ORDER BY partition_no, id
        LIMIT 1)
        UNION ALL
        SELECT (
          SELECT o.partition_no
          FROM :table AS o
          WHERE o.partition_no > f.partition_no
          ORDER BY o.partition_no, o.id
          LIMIT 1)
        FROM found AS f
        WHERE f.partition_no IS NOT NULL)
      SELECT partition_no
      FROM found
      WHERE partition_no IS NOT NULL
      """;

  /** No other partitions have parked rows. */
  private static final String PARTITIONS =
      """
      SELECT partition_no
      FROM outbox_lease
      """;

  /** The partitions that may have rows of a stage. */
  Sql partitions(Stage stage) {
    return Sql.of(
        in(
            clock == ClockDialect.POSTGRESQL
                ? PARTITIONS_POSTGRES.replace(":table", table(stage))
                : PARTITIONS));
  }

  // ---- by message id

  /** Parameters: message ids. */
  private static final String OF =
      """
      SELECT
        :columns
      FROM :table:by_message
      WHERE message_id IN ({?|, })
      """;

  /** The rows of these ids in a stage that has an index for them. */
  public Sql of(Stage stage, Collection<MessageId> ids) {
    List<@Nullable Object> padded =
        Repeated.padded(ids.stream().distinct().map(id -> clock.bound(id.value())).toList());
    String index = stage == Stage.UNCONFIRMED ? "PRIMARY" : "by_message";
    String text =
        OF.replace(":columns", columns(stage, StageColumns.ALL))
            .replace(":table", table(stage))
            .replace(":by_message", mySql ? " FORCE INDEX (" + index + ")" : "");
    return new Sql(Repeated.times(in(text), padded.size()), padded);
  }

  /** Parameters: from, to, message id. */
  private static final String SENT_OF =
      """
      SELECT
        :columns
      FROM outbox_sent:in_order
      WHERE sent_at >= ? AND sent_at < ? AND message_id = ?
      LIMIT 10
      """;

  /** The rows of an id in a span of the history. */
  public Sql sentOf(MessageId id, Instant from, Instant to) {
    return Sql.of(
        in(SENT_OF.replace(":columns", columns(Stage.SENT, StageColumns.ALL))),
        bound(from),
        bound(to),
        clock.bound(id.value()));
  }

  /** Parameters: partition, key hash, limit. */
  private static final String OF_KEY =
      """
      SELECT
        :columns
      FROM :table:by_key
      WHERE partition_no = ? AND key_hash = ?
      ORDER BY partition_no, key_hash, id
      LIMIT ?
      """;

  /** Parameters: partition, key hash, limit. */
  private static final String OF_KEY_WITH =
      """
      SELECT
        :columns
      FROM :table:by_key
      WHERE partition_no = ? AND key_hash = ? AND :flag = :value
      ORDER BY partition_no, key_hash, :flag, id
      LIMIT ?
      """;

  /** The dead letters of a key, each statement by sequence. */
  public List<Sql> deadOfKey(int partition, long keyHash, int limit) {
    return clock == ClockDialect.POSTGRESQL
        ? List.of(
            Sql.of(
                in(
                    OF_KEY
                        .replace(":columns", columns(Stage.DEAD, StageColumns.ALL))
                        .replace(":table", table(Stage.DEAD))),
                partition,
                keyHash,
                limit))
        : List.of(
            ofKey(Stage.DEAD, "blocks_key", "TRUE", partition, keyHash, limit),
            ofKey(Stage.DEAD, "blocks_key", "FALSE", partition, keyHash, limit));
  }

  /** The parked rows of a key, each statement by sequence. */
  public List<Sql> parkedOfKey(int partition, long keyHash, int limit) {
    return List.of(
        ofKey(Stage.RETRYING, "head", "TRUE", partition, keyHash, limit),
        ofKey(Stage.HELD, "head", "FALSE", partition, keyHash, limit));
  }

  private Sql ofKey(
      Stage stage, String flag, String value, int partition, long keyHash, int limit) {
    String text =
        OF_KEY_WITH
            .replace(":columns", columns(stage, StageColumns.ALL))
            .replace(":table", table(stage))
            .replace(":flag", flag)
            .replace(":value", value);
    return Sql.of(in(text), partition, keyHash, limit);
  }

  private String in(String text) {
    return names.in(
        clock.in(
            text.replace(":in_order", mySql ? " FORCE INDEX (PRIMARY)" : "")
                .replace(":by_due", mySql ? " FORCE INDEX (by_due)" : "")
                .replace(":by_key", mySql ? " FORCE INDEX (by_key)" : "")));
  }

  /** A time as a parameter, within what every database can store. */
  Object bound(Instant at) {
    Instant stored = at.isBefore(Place.EARLIEST) ? Place.EARLIEST : at;
    stored = stored.isAfter(Place.LATEST) ? Place.LATEST : stored;
    return mySql ? LocalDateTime.ofInstant(stored, UTC) : stored.atOffset(UTC);
  }
}
