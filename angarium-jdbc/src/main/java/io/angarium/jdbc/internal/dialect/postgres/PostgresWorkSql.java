package io.angarium.jdbc.internal.dialect.postgres;

import static io.angarium.jdbc.internal.dialect.postgres.PostgresValues.array;
import static io.angarium.jdbc.internal.dialect.postgres.PostgresValues.partitionArray;

import io.angarium.TimeSource;
import io.angarium.intake.Position;
import io.angarium.jdbc.internal.dialect.BacklogLook;
import io.angarium.jdbc.internal.dialect.WorkSql;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.jdbc.internal.sql.TableNames;
import io.angarium.store.Backlog;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** Backlog and due messages on PostgreSQL. */
public final class PostgresWorkSql implements WorkSql {
  private final TableNames names;
  private final PostgresOutboxSql outbox;

  PostgresWorkSql(TableNames names, PostgresOutboxSql outbox) {
    this.names = names;
    this.outbox = outbox;
  }

  /**
   * Looks everywhere. The last three columns: the partitions, the lowest sequence in each or 0, and
   * whether there are rows in other partitions. Parameters: the limit of each count, three times,
   * for how long overdue, and the limit, three times.
   */
  private static final String BACKLOG =
      """
      WITH few AS (
        SELECT partition_no, id, created_at
        FROM outbox
        LIMIT ?),
      lowest AS (
        SELECT l.partition_no, first.id, first.created_at
        FROM outbox_lease AS l
        LEFT JOIN LATERAL (
          SELECT id, created_at
          FROM outbox
          WHERE partition_no = l.partition_no
          ORDER BY id
          LIMIT 1) AS first ON true),
      seen AS (
        SELECT id, created_at FROM few
        UNION ALL
        SELECT id, created_at FROM lowest)
      SELECT
        (SELECT count(*) FROM few),
        (SELECT count(*) FROM (SELECT 1 FROM outbox_parked LIMIT ?) AS few),
        (SELECT count(*) FROM (SELECT 1 FROM outbox_dead LIMIT ?) AS few),
        (SELECT coalesce(min(id), 0) FROM seen),
        (SELECT CASE WHEN is_called THEN last_value ELSE last_value - 1 END FROM outbox_id_seq),
        (SELECT coalesce(
          (extract(epoch FROM statement_timestamp() - min(created_at)) * 1000)::bigint, 0)
          FROM seen),
        (SELECT count(*)
          FROM (
            SELECT 1
            FROM outbox_delayed
            WHERE due_at < statement_timestamp() - ? * interval '1 millisecond'
            LIMIT ?) AS few),
        (SELECT count(*) FROM (SELECT 1 FROM outbox_delayed LIMIT ?) AS few),
        (SELECT count(*)
          FROM (
            SELECT 1
            FROM outbox_parked
            WHERE head
            ORDER BY due_at
            LIMIT ?) AS few),
        ARRAY (SELECT partition_no::bigint FROM lowest ORDER BY partition_no),
        ARRAY (SELECT coalesce(id, 0) FROM lowest ORDER BY partition_no),
        EXISTS (
          SELECT 1 FROM few WHERE partition_no NOT IN (SELECT partition_no FROM outbox_lease))
      """;

  @Override
  public Sql backlog(int limit) {
    return Sql.of(
        names.in(BACKLOG),
        limit,
        limit,
        limit,
        Backlog.OVERDUE_AFTER.toMillis(),
        limit,
        limit,
        limit);
  }

  /**
   * Counts like {@link #BACKLOG}, but only above sequences up to which every row is gone.
   * Parameters: partitions, sequences, the limit of each count, four times, for how long overdue,
   * and the limit, three times.
   */
  private static final String BACKLOG_ABOVE =
      """
      WITH above AS (
        SELECT partition_no, after_id
        FROM unnest(?::smallint[], ?::bigint[]) AS a (partition_no, after_id)),
      lowest AS (
        SELECT a.partition_no, first.id, first.created_at
        FROM above AS a
        LEFT JOIN LATERAL (
          SELECT id, created_at
          FROM outbox
          WHERE partition_no = a.partition_no AND id > a.after_id
          ORDER BY id
          LIMIT 1) AS first ON true)
      SELECT
        (SELECT count(*)
          FROM (
            SELECT 1
            FROM above AS a
            CROSS JOIN LATERAL (
              SELECT id
              FROM outbox
              WHERE partition_no = a.partition_no AND id > a.after_id
              ORDER BY id
              LIMIT ?) AS o
            LIMIT ?) AS few),
        (SELECT count(*) FROM (SELECT 1 FROM outbox_parked LIMIT ?) AS few),
        (SELECT count(*) FROM (SELECT 1 FROM outbox_dead LIMIT ?) AS few),
        (SELECT coalesce(min(id), 0) FROM lowest),
        (SELECT CASE WHEN is_called THEN last_value ELSE last_value - 1 END FROM outbox_id_seq),
        (SELECT coalesce(
          (extract(epoch FROM statement_timestamp() - min(created_at)) * 1000)::bigint, 0)
          FROM lowest),
        (SELECT count(*)
          FROM (
            SELECT 1
            FROM outbox_delayed
            WHERE due_at < statement_timestamp() - ? * interval '1 millisecond'
            LIMIT ?) AS few),
        (SELECT count(*) FROM (SELECT 1 FROM outbox_delayed LIMIT ?) AS few),
        (SELECT count(*)
          FROM (
            SELECT 1
            FROM outbox_parked
            WHERE head
            ORDER BY due_at
            LIMIT ?) AS few),
        ARRAY (SELECT partition_no::bigint FROM lowest ORDER BY partition_no),
        ARRAY (SELECT coalesce(id, 0) FROM lowest ORDER BY partition_no),
        false
      """;

  /**
   * The row of {@link #backlog} without the rows below some sequences.
   *
   * @param gone sequences by partition, not empty
   */
  public Sql backlogAbove(Map<Integer, Long> gone, int limit) {
    return Sql.of(
        names.in(BACKLOG_ABOVE),
        array("int2", gone.keySet(), Integer::shortValue),
        array("int8", gone.values(), sequence -> sequence),
        limit,
        limit,
        limit,
        limit,
        Backlog.OVERDUE_AFTER.toMillis(),
        limit,
        limit,
        limit);
  }

  @Override
  public BacklogLook backlogLook(TimeSource time) {
    return new PostgresBacklogLook(this, outbox, time);
  }

  /** Parameter: partitions. */
  private static final String ANY_DUE =
      """
      SELECT 1
      FROM outbox_delayed
      WHERE due_at <= statement_timestamp() AND partition_no = ANY (?::smallint[])
      LIMIT 1
      """;

  @Override
  public Sql anyDue(Collection<Integer> partitions) {
    return Sql.of(names.in(ANY_DUE), partitionArray(partitions));
  }

  /** Parameters: partitions, microseconds to look ahead, partitions. */
  private static final String GLANCE =
      """
      SELECT
        (SELECT CASE WHEN is_called THEN last_value ELSE last_value - 1 END FROM outbox_id_seq),
        EXISTS (
          SELECT 1
          FROM outbox_parked
          WHERE head AND due_at <= statement_timestamp() AND partition_no = ANY (?::smallint[])),
        (SELECT ceil(extract(epoch FROM due_at - statement_timestamp()) * 1000000)::bigint
          FROM outbox_delayed
          WHERE due_at <= statement_timestamp() + ?::bigint * interval '1 microsecond'
            AND partition_no = ANY (?::smallint[])
          ORDER BY due_at
          LIMIT 1)
      """;

  @Override
  public Sql glance(Collection<Integer> partitions, Duration ahead) {
    return Sql.of(
        names.in(GLANCE),
        partitionArray(partitions),
        ahead.toNanos() / 1_000,
        partitionArray(partitions));
  }

  /** A message counts as written when it became due. Parameters: partitions, limit. */
  private static final String ENQUEUE_DUE =
      """
      WITH due AS (
        SELECT id
        FROM outbox_delayed
        WHERE due_at <= statement_timestamp() AND partition_no = ANY (?::smallint[])
        ORDER BY due_at, id
        LIMIT ?),
      gone AS (
        DELETE FROM outbox_delayed AS d
        USING due
        WHERE d.id = due.id
        RETURNING d.*)
      INSERT INTO outbox (
        created_at, partition_no, message_id, destination, message_key, message_type, headers,
        business_type, business_key, created_by, updated_by, payload)
      SELECT
        greatest(due_at, created_at), partition_no, message_id, destination, message_key,
        message_type, headers, business_type, business_key, created_by, updated_by, payload
      FROM gone
      ORDER BY due_at, id
      RETURNING partition_no, id
      """;

  public Sql enqueueDue(Collection<Integer> partitions, int limit) {
    return Sql.of(names.in(ENQUEUE_DUE), partitionArray(partitions), limit);
  }

  @Override
  public List<Position> enqueueDue(Connection connection, Collection<Integer> partitions, int limit)
      throws SQLException {
    return enqueueDue(partitions, limit)
        .query(connection, row -> new Position(row.getInt(1), row.getLong(2)));
  }
}
