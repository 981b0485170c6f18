package io.angarium.jdbc.internal.dialect.h2;

import static io.angarium.jdbc.internal.dialect.h2.H2Values.atPositions;
import static io.angarium.jdbc.internal.dialect.h2.H2Values.bounded;

import io.angarium.intake.Position;
import io.angarium.jdbc.internal.dialect.DirtyReads;
import io.angarium.jdbc.internal.sql.Repeated;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.jdbc.internal.sql.Stretch;
import io.angarium.jdbc.internal.sql.TableNames;
import io.angarium.store.SequenceRange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads and deletes of outbox rows on H2. */
public final class H2OutboxSql implements DirtyReads {
  private final TableNames names;

  H2OutboxSql(TableNames names) {
    this.names = names;
  }

  /**
   * Parameters: most bytes of a payload, partition, exclusive lower end, inclusive upper end,
   * limit, for each span.
   */
  private static final String READ =
      """
      {(SELECT
        partition_no, id, message_id, destination, message_key, message_type, headers,
        CASE WHEN OCTET_LENGTH(payload) <= ? THEN payload END AS payload,
        business_type, business_key, created_by, 0 AS attempts, created_at,
        OCTET_LENGTH(payload) AS payload_bytes
      FROM outbox
      WHERE partition_no = ? AND id > ? AND id <= ?
      ORDER BY partition_no, id
      LIMIT ?)|
      UNION ALL
      }
      """;

  @Override
  public Sql read(List<SequenceRange> spans, int limitPerSpan, int inline) {
    List<@Nullable Object> parameters = new ArrayList<>(spans.size() * 5);
    for (SequenceRange span : spans) {
      parameters.addAll(List.of(inline, span.partition(), span.after(), span.upTo(), limitPerSpan));
    }
    return new Sql(Repeated.times(names.in(READ), spans.size()), parameters);
  }

  /** Parameters: schema or null, name of the sequence. */
  private static final String LAST_SEQUENCE =
      """
      SELECT BASE_VALUE - 1
      FROM INFORMATION_SCHEMA.SEQUENCES
      WHERE SEQUENCE_SCHEMA = COALESCE(?, CURRENT_SCHEMA)
        AND UPPER(SEQUENCE_NAME) = UPPER(?)
      """;

  /** For people, so without a parameter. */
  private static final String RAISE_SEQUENCE =
      """
      ALTER SEQUENCE outbox_seq RESTART WITH :next
      """;

  @Override
  public Sql raiseSequence(long next) {
    return Sql.of(names.in(RAISE_SEQUENCE).replace(":next", Long.toString(next)));
  }

  @Override
  public Sql lastSequence() {
    return Sql.of(LAST_SEQUENCE, names.schema(), names.prefix() + "_seq");
  }

  /** Parameters: exclusive lower end, inclusive upper end, limit. */
  private static final String IDS =
      """
      SELECT id
      FROM outbox
      WHERE id > ? AND id <= ?
      ORDER BY id
      LIMIT ?
      """;

  @Override
  public Sql ids(long after, long upTo, int limit) {
    return Sql.of(names.in(IDS), after, upTo, limit);
  }

  /** Parameters: exclusive lower end, inclusive upper end. */
  private static final String HIGHEST_ID =
      """
      SELECT MAX(id)
      FROM outbox
      WHERE id > ? AND id <= ?
      """;

  @Override
  public Sql highestId(long told) {
    return Sql.of(names.in(HIGHEST_ID), told - AHEAD_MAX, told);
  }

  /**
   * Reads positions of all partitions. Parameters: exclusive lower end, inclusive upper end, limit.
   */
  private static final String POSITIONS =
      """
      SELECT partition_no, id
      FROM outbox
      WHERE id > ? AND id <= ?
      ORDER BY id
      LIMIT ?
      """;

  /** Parameters: partition, exclusive lower end, inclusive upper end, limit. */
  private static final String POSITIONS_OF_ONE =
      """
      SELECT partition_no, id
      FROM outbox
      WHERE partition_no = ? AND id > ? AND id <= ?
      ORDER BY partition_no, id
      LIMIT ?
      """;

  @Override
  public Sql positions(Stretch stretch, int limit) {
    if (stretch.spans().size() == 1) {
      int partition = stretch.spans().get(0).partition();
      return Sql.of(names.in(POSITIONS_OF_ONE), partition, stretch.after(), stretch.upTo(), limit);
    }
    return Sql.of(names.in(POSITIONS), stretch.after(), stretch.upTo(), limit);
  }

  /** Parameters: most bytes of a payload, ids, partitions. */
  private static final String READ_AT =
      """
      SELECT
        partition_no, id, message_id, destination, message_key, message_type, headers,
        CASE WHEN OCTET_LENGTH(payload) <= ? THEN payload END AS payload,
        business_type, business_key, created_by, 0 AS attempts, created_at,
        OCTET_LENGTH(payload) AS payload_bytes
      FROM outbox
      WHERE id = ANY (?) AND partition_no = ANY (?)
      ORDER BY partition_no, id
      """;

  @Override
  public Sql readAt(List<Position> positions, int inline) {
    return bounded(inline, atPositions(names.in(READ_AT), positions));
  }

  /** Parameters: ids, partitions. */
  private static final String LOCK_ROWS =
      """
      SELECT partition_no, id, message_id
      FROM outbox
      WHERE id = ANY (?) AND partition_no = ANY (?)
      ORDER BY id
      FOR UPDATE
      """;

  @Override
  public Sql lockFreeRows(List<Position> positions) {
    return atPositions(names.in(LOCK_ROWS.stripTrailing() + " SKIP LOCKED\n"), positions);
  }

  Sql lockRows(List<Position> positions) {
    return atPositions(names.in(LOCK_ROWS), positions);
  }

  /** Exact ids only: a range would take unsent rows along. Parameters: ids, partitions. */
  private static final String DELETE =
      """
      DELETE FROM outbox
      WHERE id = ANY (?) AND partition_no = ANY (?)
      """;

  /** Parameters: ids, partitions. */
  private static final String COPY_TO_HISTORY =
      """
      INSERT INTO outbox_sent (
        partition_no, id, attempts, created_at, message_id, destination, message_key, message_type,
        headers, business_type, business_key, created_by, updated_by, payload)
      SELECT
        partition_no, id, 0, created_at, message_id, destination, message_key, message_type,
        headers, business_type, business_key, created_by, updated_by, payload
      FROM outbox
      WHERE id = ANY (?) AND partition_no = ANY (?)
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

  /** Parameters: age in milliseconds, limit. */
  private static final String TRIM_SENT =
      """
      DELETE FROM outbox_sent
      WHERE sent_at < DATEADD(MILLISECOND, -?, CURRENT_TIMESTAMP(6))
      FETCH FIRST ? ROWS ONLY
      """;

  @Override
  public Sql trimSent(Duration age, int limit) {
    return Sql.of(names.in(TRIM_SENT), age.toMillis(), limit);
  }
}
