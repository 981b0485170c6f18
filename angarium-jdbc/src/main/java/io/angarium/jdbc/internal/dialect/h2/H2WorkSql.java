package io.angarium.jdbc.internal.dialect.h2;

import static io.angarium.jdbc.internal.dialect.h2.H2Values.array;
import static io.angarium.jdbc.internal.dialect.h2.H2Values.partitionArray;

import io.angarium.intake.Position;
import io.angarium.jdbc.internal.dialect.WorkSql;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.jdbc.internal.sql.Sql.ArrayValue;
import io.angarium.jdbc.internal.sql.TableNames;
import io.angarium.store.Backlog;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;

/** Backlog and due messages on H2. */
public final class H2WorkSql implements WorkSql {
  private final TableNames names;

  H2WorkSql(TableNames names) {
    this.names = names;
  }

  /**
   * Parameters: the limit of each count, three times; schema or null, name of the sequence; for how
   * long overdue; the limit, three times.
   */
  private static final String BACKLOG =
      """
      SELECT
        (SELECT COUNT(*) FROM (SELECT 1 FROM outbox LIMIT ?) AS few),
        (SELECT COUNT(*) FROM (SELECT 1 FROM outbox_parked LIMIT ?) AS few),
        (SELECT COUNT(*) FROM (SELECT 1 FROM outbox_dead LIMIT ?) AS few),
        (SELECT COALESCE(MIN(id), 0) FROM outbox),
        (SELECT BASE_VALUE - 1
          FROM INFORMATION_SCHEMA.SEQUENCES
          WHERE SEQUENCE_SCHEMA = COALESCE(?, CURRENT_SCHEMA)
            AND UPPER(SEQUENCE_NAME) = UPPER(?)),
        COALESCE((SELECT DATEDIFF(MILLISECOND, created_at, CURRENT_TIMESTAMP(6))
          FROM outbox
          ORDER BY id
          LIMIT 1), 0),
        (SELECT COUNT(*)
          FROM (
            SELECT 1
            FROM outbox_delayed
            WHERE due_at < DATEADD(MILLISECOND, -?, CURRENT_TIMESTAMP(6))
            LIMIT ?) AS few),
        (SELECT COUNT(*) FROM (SELECT 1 FROM outbox_delayed LIMIT ?) AS few),
        (SELECT COUNT(*)
          FROM (
            SELECT 1
            FROM outbox_parked
            WHERE head = TRUE
            LIMIT ?) AS few)
      """;

  @Override
  public Sql backlog(int limit) {
    return Sql.of(
        names.in(BACKLOG),
        limit,
        limit,
        limit,
        names.schema(),
        names.prefix() + "_seq",
        Backlog.OVERDUE_AFTER.toMillis(),
        limit,
        limit,
        limit);
  }

  /** Parameter: partitions. */
  private static final String ANY_DUE =
      """
      SELECT 1
      FROM outbox_delayed
      WHERE due_at <= CURRENT_TIMESTAMP(6) AND partition_no = ANY (?)
      LIMIT 1
      """;

  @Override
  public Sql anyDue(Collection<Integer> partitions) {
    return Sql.of(names.in(ANY_DUE), partitionArray(partitions));
  }

  /**
   * Parameters: schema or null, name of the sequence, partitions, microseconds to look ahead,
   * partitions.
   */
  private static final String GLANCE =
      """
      SELECT
        (SELECT BASE_VALUE - 1
          FROM INFORMATION_SCHEMA.SEQUENCES
          WHERE SEQUENCE_SCHEMA = COALESCE(?, CURRENT_SCHEMA)
            AND UPPER(SEQUENCE_NAME) = UPPER(?)),
        EXISTS (
          SELECT 1
          FROM outbox_parked
          WHERE head = TRUE AND due_at <= CURRENT_TIMESTAMP(6) AND partition_no = ANY (?)),
        (SELECT DATEDIFF(MICROSECOND, CURRENT_TIMESTAMP(6), due_at)
          FROM outbox_delayed
          WHERE due_at <= DATEADD(MICROSECOND, ?, CURRENT_TIMESTAMP(6))
            AND partition_no = ANY (?)
          ORDER BY due_at
          LIMIT 1)
      """;

  @Override
  public Sql glance(Collection<Integer> partitions, Duration ahead) {
    return Sql.of(
        names.in(GLANCE),
        names.schema(),
        names.prefix() + "_seq",
        partitionArray(partitions),
        ahead.toNanos() / 1_000,
        partitionArray(partitions));
  }

  /** Parameters: partitions, limit. */
  private static final String LOCK_DUE =
      """
      SELECT id
      FROM outbox_delayed
      WHERE due_at <= CURRENT_TIMESTAMP(6) AND partition_no = ANY (?)
      ORDER BY due_at, id
      LIMIT ?
      FOR UPDATE
      """;

  public Sql lockDue(Collection<Integer> partitions, int limit) {
    return Sql.of(names.in(LOCK_DUE), partitionArray(partitions), limit);
  }

  /** A message counts as written when it became due. Parameter: ids. */
  private static final String COPY_DUE =
      """
      SELECT partition_no, id
      FROM FINAL TABLE (
        INSERT INTO outbox (
          created_at, partition_no, message_id, destination, message_key, message_type, headers,
          business_type, business_key, created_by, updated_by, payload)
        SELECT
          GREATEST(due_at, created_at), partition_no, message_id, destination, message_key,
          message_type, headers, business_type, business_key, created_by, updated_by, payload
        FROM outbox_delayed
        WHERE id = ANY (?)
        ORDER BY due_at, id)
      """;

  /** Parameter: ids. */
  private static final String DELETE_DUE =
      """
      DELETE FROM outbox_delayed
      WHERE id = ANY (?)
      """;

  public List<Sql> moveDue(List<Long> ids) {
    ArrayValue due = array("BIGINT", ids, id -> id);
    return List.of(Sql.of(names.in(COPY_DUE), due), Sql.of(names.in(DELETE_DUE), due));
  }

  @Override
  public List<Position> enqueueDue(Connection connection, Collection<Integer> partitions, int limit)
      throws SQLException {
    List<Sql> move = moveDue(lockDue(partitions, limit).query(connection, row -> row.getLong(1)));
    List<Position> moved =
        move.get(0).query(connection, row -> new Position(row.getInt(1), row.getLong(2)));
    move.get(1).update(connection);
    return moved;
  }
}
