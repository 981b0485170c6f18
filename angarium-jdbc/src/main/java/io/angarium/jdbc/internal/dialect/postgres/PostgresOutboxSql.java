package io.angarium.jdbc.internal.dialect.postgres;

import static io.angarium.jdbc.internal.dialect.postgres.PostgresValues.array;
import static io.angarium.jdbc.internal.dialect.postgres.PostgresValues.atPositions;
import static io.angarium.jdbc.internal.dialect.postgres.PostgresValues.partitionArray;

import io.angarium.intake.Position;
import io.angarium.jdbc.internal.dialect.OutboxSql;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.jdbc.internal.sql.Sql.ArrayValue;
import io.angarium.jdbc.internal.sql.TableNames;
import io.angarium.jdbc.internal.sql.TupleId;
import io.angarium.store.SequenceRange;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads and deletes of outbox rows on PostgreSQL. */
public final class PostgresOutboxSql implements OutboxSql {
  private final TableNames names;

  PostgresOutboxSql(TableNames names) {
    this.names = names;
  }

  /**
   * The length of a payload stands in the header of its value, wherever the rest is stored.
   * Parameters: most bytes of a payload, partitions, exclusive lower ends, inclusive upper ends,
   * limit per span.
   */
  private static final String READ =
      """
      SELECT
        o.partition_no, o.id, o.message_id, o.destination, o.message_key, o.message_type, o.headers,
        CASE WHEN octet_length(o.payload) <= ? THEN o.payload END AS payload,
        o.business_type, o.business_key, o.created_by, 0 AS attempts, o.created_at,
        octet_length(o.payload) AS payload_bytes, o.ctid AS place
      FROM unnest(?::smallint[], ?::bigint[], ?::bigint[]) AS s (partition_no, after_id, up_to_id)
      CROSS JOIN LATERAL (
        SELECT ctid, *
        FROM outbox
        WHERE partition_no = s.partition_no AND id > s.after_id AND id <= s.up_to_id
        ORDER BY id
        LIMIT ?) AS o
      """;

  @Override
  public Sql read(List<SequenceRange> spans, int limitPerSpan, int inline) {
    return Sql.of(
        names.in(READ),
        inline,
        array("int2", spans, s -> (short) s.partition()),
        array("int8", spans, SequenceRange::after),
        array("int8", spans, SequenceRange::upTo),
        limitPerSpan);
  }

  /**
   * In the order of the table, each page of it once: without a limit, so that no order is wanted.
   * Parameters: most bytes of a payload, partitions, exclusive lower end, inclusive upper end.
   */
  private static final String READ_STRETCH =
      """
      SELECT
        partition_no, id, message_id, destination, message_key, message_type, headers,
        CASE WHEN octet_length(payload) <= ? THEN payload END AS payload,
        business_type, business_key, created_by, 0 AS attempts, created_at,
        octet_length(payload) AS payload_bytes, ctid AS place
      FROM outbox
      WHERE partition_no = ANY (?::smallint[]) AND id > ? AND id <= ?
      """;

  @Override
  public Sql readStretch(Collection<Integer> partitions, long after, long upTo, int inline) {
    return Sql.of(names.in(READ_STRETCH), inline, partitionArray(partitions), after, upTo);
  }

  /**
   * Every row of the spans, and the snapshot of this very statement, which comes alone in a row of
   * nulls when there are none. Parameters: most bytes of a payload, partitions, exclusive lower
   * ends, inclusive upper ends, limit.
   */
  private static final String READ_ALL_LATE =
      """
      SELECT
        o.partition_no, o.id, o.message_id, o.destination, o.message_key, o.message_type, o.headers,
        CASE WHEN octet_length(o.payload) <= ? THEN o.payload END AS payload,
        o.business_type, o.business_key, o.created_by, 0 AS attempts, o.created_at,
        octet_length(o.payload) AS payload_bytes,
        now.snapshot
      FROM (SELECT pg_current_snapshot()::text AS snapshot) AS now
      LEFT JOIN LATERAL (
        SELECT r.*
        FROM unnest(?::smallint[], ?::bigint[], ?::bigint[]) AS s (partition_no, after_id, up_to_id)
        CROSS JOIN LATERAL (
          SELECT *
          FROM outbox
          WHERE partition_no = s.partition_no AND id > s.after_id AND id <= s.up_to_id
          ORDER BY id) AS r
        LIMIT ?) AS o ON true
      """;

  /**
   * Reads late rows like {@link #READ_ALL_LATE}, but only rows that the old snapshot could not see.
   * That snapshot is the last parameter but one.
   */
  private static final String READ_LATE =
      """
      SELECT
        o.partition_no, o.id, o.message_id, o.destination, o.message_key, o.message_type, o.headers,
        CASE WHEN octet_length(o.payload) <= ? THEN o.payload END AS payload,
        o.business_type, o.business_key, o.created_by, 0 AS attempts, o.created_at,
        octet_length(o.payload) AS payload_bytes,
        now.snapshot
      FROM (SELECT pg_current_snapshot()::text AS snapshot) AS now
      LEFT JOIN LATERAL (
        SELECT r.*
        FROM unnest(?::smallint[], ?::bigint[], ?::bigint[]) AS s (partition_no, after_id, up_to_id)
        CROSS JOIN LATERAL (
          SELECT *
          FROM outbox
          WHERE partition_no = s.partition_no AND id > s.after_id AND id <= s.up_to_id
            AND NOT pg_visible_in_snapshot(xid, ?::pg_snapshot)
          ORDER BY id) AS r
        LIMIT ?) AS o ON true
      """;

  public Sql readLate(List<SequenceRange> spans, @Nullable String since, int limit, int inline) {
    ArrayValue partitions = array("int2", spans, s -> (short) s.partition());
    ArrayValue after = array("int8", spans, SequenceRange::after);
    ArrayValue upTo = array("int8", spans, SequenceRange::upTo);
    return since == null
        ? Sql.of(names.in(READ_ALL_LATE), inline, partitions, after, upTo, limit)
        : Sql.of(names.in(READ_LATE), inline, partitions, after, upTo, since, limit);
  }

  /** Parameters: most bytes of a payload, partitions, ids. */
  private static final String READ_AT =
      """
      SELECT
        o.partition_no, o.id, o.message_id, o.destination, o.message_key, o.message_type, o.headers,
        CASE WHEN octet_length(o.payload) <= ? THEN o.payload END AS payload,
        o.business_type, o.business_key, o.created_by, 0 AS attempts, o.created_at,
        octet_length(o.payload) AS payload_bytes
      FROM unnest(?::smallint[], ?::bigint[]) AS v (partition_no, id)
      JOIN outbox AS o ON o.partition_no = v.partition_no AND o.id = v.id
      """;

  @Override
  public Sql readAt(List<Position> positions, int inline) {
    return atPositions(names.in(READ_AT), positions, inline);
  }

  private static final String LAST_SEQUENCE =
      """
      SELECT CASE WHEN is_called THEN last_value ELSE last_value - 1 END
      FROM outbox_id_seq
      """;

  /** For people, so without a parameter. */
  private static final String RAISE_SEQUENCE =
      """
      SELECT setval('outbox_id_seq', :last)
      """;

  @Override
  public Sql raiseSequence(long next) {
    return Sql.of(names.in(RAISE_SEQUENCE).replace(":last", Long.toString(next - 1)));
  }

  @Override
  public Sql lastSequence() {
    return Sql.of(names.in(LAST_SEQUENCE));
  }

  /** What runs now. */
  public Sql snapshot() {
    return Sql.of("SELECT pg_current_snapshot()::text");
  }

  /**
   * Reads the barrier after the last sequence was read. A transaction that took a sequence up to
   * that one has a lower number than this transaction. {@code pg_snapshot_xmax} would not do: it is
   * only the latest one that has ended.
   */
  public Sql barrier() {
    return Sql.of("SELECT pg_current_xact_id()::text");
  }

  /** Parameter: the barrier. */
  public Sql settled(String barrier) {
    return Sql.of(
        """
        SELECT pg_snapshot_xmin(pg_current_snapshot()) > ?::xid8
        """,
        barrier);
  }

  /**
   * Exact positions only: a range would take unsent rows along. In the order of places, as {@link
   * #DELETE_IN_PLACE}: two nodes that delete the same rows must not block each other. Parameters:
   * partitions, ids.
   */
  private static final String DELETE =
      """
      DELETE FROM outbox
      WHERE ctid = ANY (ARRAY(
        SELECT o.ctid
        FROM unnest(?::smallint[], ?::bigint[]) AS d (partition_no, id)
        JOIN outbox AS o ON o.partition_no = d.partition_no AND o.id = d.id))
      """;

  /** Parameters: partitions, ids. */
  private static final String DELETE_TO_HISTORY =
      """
      WITH gone AS (
        DELETE FROM outbox
        WHERE ctid = ANY (ARRAY(
          SELECT o.ctid
          FROM unnest(?::smallint[], ?::bigint[]) AS d (partition_no, id)
          JOIN outbox AS o ON o.partition_no = d.partition_no AND o.id = d.id))
        RETURNING *)
      INSERT INTO outbox_sent (
        partition_no, id, attempts, created_at, message_id, destination, message_key, message_type,
        headers, business_type, business_key, created_by, updated_by, payload)
      SELECT
        partition_no, id, 0, created_at, message_id, destination, message_key, message_type,
        headers, business_type, business_key, created_by, updated_by, payload
      FROM gone
      """;

  /** Parameters: partitions, ids. */
  private static final String LOCK_ROWS =
      """
      SELECT o.partition_no, o.id, o.message_id
      FROM unnest(?::smallint[], ?::bigint[]) AS d (partition_no, id)
      JOIN outbox AS o ON o.partition_no = d.partition_no AND o.id = d.id
      ORDER BY o.ctid
      FOR UPDATE OF o SKIP LOCKED
      """;

  @Override
  public Sql lockFreeRows(List<Position> positions) {
    return atPositions(names.in(LOCK_ROWS), positions);
  }

  @Override
  public List<Sql> delete(List<Position> positions, boolean history) {
    return List.of(atPositions(names.in(history ? DELETE_TO_HISTORY : DELETE), positions));
  }

  /**
   * Rows by their physical place: no index is asked. Another row may have come to a place
   * meanwhile, so the id is compared, in a form that is no join: a table without statistics would
   * get a nested loop. Parameters: places, ids.
   */
  private static final String DELETE_IN_PLACE =
      """
      DELETE FROM outbox
      WHERE ctid = ANY (?::tid[]) AND (id IN (SELECT unnest(?::bigint[]))) IS TRUE
      """;

  /** Parameters: places, ids. */
  private static final String DELETE_IN_PLACE_TO_HISTORY =
      """
      WITH gone AS (
        DELETE FROM outbox
        WHERE ctid = ANY (?::tid[]) AND (id IN (SELECT unnest(?::bigint[]))) IS TRUE
        RETURNING *)
      INSERT INTO outbox_sent (
        partition_no, id, attempts, created_at, message_id, destination, message_key, message_type,
        headers, business_type, business_key, created_by, updated_by, payload)
      SELECT
        partition_no, id, 0, created_at, message_id, destination, message_key, message_type,
        headers, business_type, business_key, created_by, updated_by, payload
      FROM gone
      """;

  @Override
  public long place(ResultSet row, int column) throws SQLException {
    return TupleId.parse(row.getString(column));
  }

  @Override
  public Sql deleteInPlace(List<Position> positions, boolean history) {
    return Sql.of(
        names.in(history ? DELETE_IN_PLACE_TO_HISTORY : DELETE_IN_PLACE),
        TupleId.array(positions),
        array("int8", positions, Position::sequence));
  }

  /**
   * The rows lie in the order of time, so the oldest come first. Parameters: age in milliseconds,
   * limit.
   */
  private static final String TRIM_SENT =
      """
      DELETE FROM outbox_sent_default
      WHERE ctid = ANY (ARRAY (
        SELECT ctid
        FROM outbox_sent_default
        WHERE sent_at < statement_timestamp() - ? * interval '1 millisecond'
        LIMIT ?))
      """;

  @Override
  public Sql trimSent(Duration age, int limit) {
    return Sql.of(names.in(TRIM_SENT), age.toMillis(), limit);
  }
}
