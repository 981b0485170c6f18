package io.angarium.jdbc.internal.dialect.mysql;

import static io.angarium.jdbc.internal.dialect.mysql.MySqlValues.atPositions;
import static io.angarium.jdbc.internal.dialect.mysql.MySqlValues.bounded;
import static io.angarium.jdbc.internal.dialect.mysql.MySqlValues.micros;

import io.angarium.intake.Position;
import io.angarium.jdbc.internal.dialect.DirtyReads;
import io.angarium.jdbc.internal.sql.Repeated;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.jdbc.internal.sql.Stretch;
import io.angarium.jdbc.internal.sql.TableNames;
import io.angarium.store.SequenceRange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads and deletes of outbox rows on MySQL and MariaDB. */
public final class MySqlOutboxSql implements DirtyReads {
  /**
   * Number of partitions of the table. The relay's partitions share them by their number modulo
   * this.
   */
  private static final int TABLE_PARTITIONS = 16;

  /** Among so many sequences of a backlog there is one of each partition of the table. */
  private static final int SEQUENCES_BEHIND = 1_000;

  private final TableNames names;
  private final MySqlVariant variant;

  MySqlOutboxSql(TableNames names, MySqlVariant variant) {
    this.names = names;
    this.variant = variant;
  }

  @Override
  public boolean loadsWhatItNames() {
    return true;
  }

  /**
   * Parameters: most bytes of a payload, partition, exclusive lower end, inclusive upper end,
   * limit, for each span.
   */
  private static final String READ =
      """
      {(SELECT
        partition_no, id, message_id, destination, message_key, message_type, headers,
        CASE WHEN payload_bytes <= ? THEN payload END AS payload,
        business_type, business_key, created_by, 0 AS attempts, created_at, payload_bytes
      FROM outbox FORCE INDEX (PRIMARY)
      WHERE partition_no = ? AND id > ? AND id <= ?
      ORDER BY id
      LIMIT ?)|
      UNION ALL
      }
      """;

  /**
   * Reads rows without payloads, because InnoDB loads the pages of a payload that a statement
   * names, whether the statement returns it or not. Parameters: partition, exclusive lower end,
   * inclusive upper end, limit, for each span.
   */
  private static final String READ_SIZES =
      """
      {(SELECT
        partition_no, id, message_id, destination, message_key, message_type, headers,
        NULL AS payload,
        business_type, business_key, created_by, 0 AS attempts, created_at, payload_bytes
      FROM outbox FORCE INDEX (PRIMARY)
      WHERE partition_no = ? AND id > ? AND id <= ?
      ORDER BY id
      LIMIT ?)|
      UNION ALL
      }
      """;

  @Override
  public Sql read(List<SequenceRange> spans, int limitPerSpan, int inline) {
    boolean sizes = inline == NO_PAYLOADS;
    List<@Nullable Object> parameters = new ArrayList<>(spans.size() * 5);
    for (SequenceRange span : spans) {
      if (!sizes) {
        parameters.add(inline);
      }
      parameters.addAll(List.of(span.partition(), span.after(), span.upTo(), limitPerSpan));
    }
    return new Sql(Repeated.times(names.in(sizes ? READ_SIZES : READ), spans.size()), parameters);
  }

  /**
   * One scan for all partitions: the relay's partitions share the partitions of the table.
   * Parameters: most bytes of a payload, partitions, exclusive lower end, inclusive upper end.
   */
  private static final String READ_STRETCH =
      """
      SELECT
        partition_no, id, message_id, destination, message_key, message_type, headers,
        CASE WHEN payload_bytes <= ? THEN payload END AS payload,
        business_type, business_key, created_by, 0 AS attempts, created_at, payload_bytes
      FROM outbox FORCE INDEX (PRIMARY)
      WHERE partition_no IN ({?|, }) AND id > ? AND id <= ?
      """;

  /** Parameters: partitions, exclusive lower end, inclusive upper end. */
  private static final String READ_STRETCH_SIZES =
      """
      SELECT
        partition_no, id, message_id, destination, message_key, message_type, headers,
        NULL AS payload,
        business_type, business_key, created_by, 0 AS attempts, created_at, payload_bytes
      FROM outbox FORCE INDEX (PRIMARY)
      WHERE partition_no IN ({?|, }) AND id > ? AND id <= ?
      """;

  @Override
  public Sql readStretch(Collection<Integer> partitions, long after, long upTo, int inline) {
    boolean sizes = inline == NO_PAYLOADS;
    List<@Nullable Object> padded = Repeated.padded(partitions);
    List<@Nullable Object> parameters = new ArrayList<>();
    if (!sizes) {
      parameters.add(inline);
    }
    parameters.addAll(padded);
    parameters.addAll(List.of(after, upTo));
    String text = names.in(sizes ? READ_STRETCH_SIZES : READ_STRETCH);
    return new Sql(Repeated.times(text, padded.size()), parameters);
  }

  /**
   * One scan, as before, but in the order of the ids. Parameters: partitions, exclusive lower end,
   * inclusive upper end, limit.
   */
  private static final String POSITIONS =
      """
      SELECT partition_no, id
      FROM outbox FORCE INDEX (PRIMARY)
      WHERE partition_no IN ({?|, }) AND id > ? AND id <= ?
      ORDER BY id
      LIMIT ?
      """;

  @Override
  public Sql positions(Stretch stretch, int limit) {
    List<@Nullable Object> partitions = Repeated.padded(stretch.partitions());
    List<@Nullable Object> parameters = new ArrayList<>(partitions);
    parameters.addAll(List.of(stretch.after(), stretch.upTo(), limit));
    return new Sql(Repeated.times(names.in(POSITIONS), partitions.size()), parameters);
  }

  /** Parameters: most bytes of a payload, rows of sequence and partition. */
  private static final String READ_AT =
      """
      SELECT
        o.partition_no, o.id, o.message_id, o.destination, o.message_key, o.message_type, o.headers,
        CASE WHEN o.payload_bytes <= ? THEN o.payload END AS payload,
        o.business_type, o.business_key, o.created_by, 0 AS attempts, o.created_at,
        o.payload_bytes
      FROM JSON_TABLE(?, '$[*]' COLUMNS (
          id BIGINT PATH '$[0]', partition_no SMALLINT PATH '$[1]')) AS v
        STRAIGHT_JOIN outbox AS o FORCE INDEX (PRIMARY)
          ON o.id = v.id AND o.partition_no = v.partition_no
      """;

  @Override
  public Sql readAt(List<Position> positions, int inline) {
    return bounded(inline, atPositions(names.in(READ_AT), positions));
  }

  /**
   * Null while the table is altered: MariaDB does not open it for a session that uses other tables.
   * Parameters: schema or null, name of the table.
   */
  private static final String LAST_SEQUENCE =
      """
      SELECT CASE WHEN ENGINE IS NOT NULL THEN COALESCE(AUTO_INCREMENT, 1) - 1 END
      FROM INFORMATION_SCHEMA.TABLES
      WHERE TABLE_SCHEMA = COALESCE(?, DATABASE()) AND TABLE_NAME = ?
      """;

  /** For people, so without a parameter. */
  private static final String RAISE_SEQUENCE =
      """
      ALTER TABLE outbox AUTO_INCREMENT = :next
      """;

  @Override
  public Sql raiseSequence(long next) {
    return Sql.of(names.in(RAISE_SEQUENCE).replace(":next", Long.toString(next)));
  }

  @Override
  public Sql lastSequence() {
    return Sql.of(LAST_SEQUENCE, names.schema(), names.prefix());
  }

  /** Parameters: exclusive lower end, inclusive upper end, limit. */
  private static final String IDS =
      """
      SELECT id
      FROM outbox FORCE INDEX (PRIMARY)
      WHERE id > ? AND id <= ?
      ORDER BY id
      LIMIT ?
      """;

  @Override
  public Sql ids(long after, long upTo, int limit) {
    return Sql.of(names.in(IDS), after, upTo, limit);
  }

  /**
   * Reads the highest id. With {@code MAX(id)}, the server would search for it from the end on,
   * past every deleted row that is still in the index, and below the lower end, too. Where several
   * masters share the numbers, each leaves some out. Parameters: upper end, numbers below it, upper
   * end.
   */
  private static final String HIGHEST_ID =
      """
      SELECT MAX(id + 0)
      FROM outbox FORCE INDEX (PRIMARY)
      WHERE id > ? - ? * CAST(@@auto_increment_increment AS SIGNED) AND id <= ?
      """;

  @Override
  public Sql highestId(long told) {
    return Sql.of(names.in(HIGHEST_ID), told, AHEAD_MAX, told);
  }

  /** Parameter: rows of sequence and partition. */
  private static final String LOCK_ROWS =
      """
      SELECT o.partition_no, o.id, o.message_id
      FROM JSON_TABLE(?, '$[*]' COLUMNS (
          id BIGINT PATH '$[0]', partition_no SMALLINT PATH '$[1]')) AS v
        STRAIGHT_JOIN outbox AS o FORCE INDEX (PRIMARY)
          ON o.id = v.id AND o.partition_no = v.partition_no
      """;

  @Override
  public Sql lockFreeRows(List<Position> positions) {
    return atPositions(names.in(LOCK_ROWS + variant.forUpdate("o") + " SKIP LOCKED\n"), positions);
  }

  Sql lockRows(List<Position> positions) {
    return atPositions(names.in(LOCK_ROWS + variant.forUpdate("o") + "\n"), positions);
  }

  /** Exact ids only: a range would take unsent rows along. Parameter: rows of id, partition. */
  private static final String DELETE =
      """
      DELETE outbox
      FROM JSON_TABLE(?, '$[*]' COLUMNS (
          id BIGINT PATH '$[0]', partition_no SMALLINT PATH '$[1]')) AS v
        STRAIGHT_JOIN outbox FORCE INDEX (PRIMARY)
          ON outbox.id = v.id AND outbox.partition_no = v.partition_no
      """;

  /** Parameter: rows of sequence and partition. */
  private static final String COPY_TO_HISTORY =
      """
      INSERT INTO outbox_sent (
        sent_at, attempts, partition_no, id, created_at, message_id, destination, message_key,
        message_type, headers, business_type, business_key, created_by, updated_by, payload)
      SELECT
        UTC_TIMESTAMP(6), 0, o.partition_no, o.id, o.created_at, o.message_id, o.destination,
        o.message_key, o.message_type, o.headers, o.business_type, o.business_key, o.created_by,
        o.updated_by, o.payload
      FROM JSON_TABLE(?, '$[*]' COLUMNS (
          id BIGINT PATH '$[0]', partition_no SMALLINT PATH '$[1]')) AS v
        STRAIGHT_JOIN outbox AS o FORCE INDEX (PRIMARY)
          ON o.id = v.id AND o.partition_no = v.partition_no
      """;

  Sql delete(List<Position> positions) {
    return atPositions(names.in(DELETE), positions);
  }

  @Override
  public List<Sql> delete(List<Position> positions, boolean history) {
    Sql delete = delete(positions);
    return history
        ? List.of(lockRows(positions), atPositions(names.in(COPY_TO_HISTORY), positions), delete)
        : List.of(delete);
  }

  /**
   * The index is named so that statistics of an empty table cannot make it a full scan. Sequence
   * and partition of a row are made one number, so that only those named match, and the optimizer
   * does not look up each sequence in each partition of the table. Parameters: partitions, lowest
   * sequence, exclusive upper end, lowest sequence again, numbers of the rows.
   */
  private static final String DELETE_BY_SCAN =
      """
      DELETE outbox
      FROM outbox FORCE INDEX (PRIMARY)
      WHERE outbox.partition_no IN ({?|, }) AND outbox.id >= ? AND outbox.id < ?
        AND (outbox.id - ?) * 65536 + outbox.partition_no IN (%s)
      """;

  /**
   * In each partition of the table, the server also locks the row behind the last one it takes,
   * which may not be committed yet. So the scan takes only rows with another row of their table
   * partition behind them. That row is one of the given rows, or in all likelihood a decided one.
   *
   * <p>A scan that waited could deadlock. It goes through the partitions of the table side by side
   * and holds the next row in each of them, no matter which transaction it belongs to.
   */
  @Override
  public @Nullable Scan deleteByScan(List<Position> ascending, long decided) {
    if (variant.insteadOfWaiting().isEmpty()) {
      return null;
    }
    long end = scanEnd(ascending, decided);
    Map<Boolean, List<Position>> scanned =
        ascending.stream().collect(Collectors.partitioningBy(p -> p.sequence() < end));
    List<Position> taken = scanned.getOrDefault(true, List.of());
    return 2 * taken.size() < ascending.size()
        ? null
        : new Scan(scan(taken, end), scanned.getOrDefault(false, List.of()));
  }

  /** The sequence that a scan does not take any more. */
  private static long scanEnd(List<Position> ascending, long decided) {
    long behind = ascending.get(ascending.size() - 1).sequence() + 1;
    if (decided - behind >= SEQUENCES_BEHIND) {
      return behind;
    }
    Map<Integer, Long> last = new HashMap<>();
    ascending.forEach(position -> last.put(tablePartition(position), position.sequence()));
    return Collections.min(last.values());
  }

  private Sql scan(List<Position> taken, long end) {
    long first = taken.get(0).sequence();
    List<@Nullable Object> partitions =
        Repeated.padded(taken.stream().map(Position::partition).distinct().toList());
    List<@Nullable Object> rows =
        Repeated.padded(
            taken.stream().map(p -> (p.sequence() - first) * 65_536 + p.partition()).toList());
    List<@Nullable Object> parameters = new ArrayList<>(partitions);
    parameters.addAll(List.of(first, end, first));
    parameters.addAll(rows);
    String marks = String.join(", ", Collections.nCopies(rows.size(), "?"));
    String text = variant.insteadOfWaiting() + names.in(DELETE_BY_SCAN);
    return new Sql(String.format(Repeated.times(text, partitions.size()), marks), parameters);
  }

  private static int tablePartition(Position position) {
    return Math.abs(position.partition() % TABLE_PARTITIONS);
  }

  /** In order of the primary key. Parameters: age in microseconds, limit. */
  private static final String TRIM_SENT =
      """
      DELETE FROM outbox_sent
      WHERE sent_at < UTC_TIMESTAMP(6) - INTERVAL ? MICROSECOND
      ORDER BY sent_at, id, partition_no
      LIMIT ?
      """;

  @Override
  public Sql trimSent(Duration age, int limit) {
    return Sql.of(names.in(TRIM_SENT), micros(age), limit);
  }
}
