package io.angarium.jdbc.internal.dialect.mysql;

import static io.angarium.jdbc.internal.dialect.mysql.MySqlValues.micros;
import static io.angarium.jdbc.internal.dialect.mysql.MySqlValues.uuid;

import io.angarium.TimeSource;
import io.angarium.intake.Position;
import io.angarium.jdbc.internal.dialect.BacklogLook;
import io.angarium.jdbc.internal.dialect.GlanceLook;
import io.angarium.jdbc.internal.dialect.WorkSql;
import io.angarium.jdbc.internal.sql.JsonRows;
import io.angarium.jdbc.internal.sql.Repeated;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.jdbc.internal.sql.TableNames;
import io.angarium.store.Backlog;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/** Backlog and due messages on MySQL and MariaDB. */
public final class MySqlWorkSql implements WorkSql {
  private final TableNames names;

  MySqlWorkSql(TableNames names) {
    this.names = names;
  }

  /**
   * What is counted has a column that is in no key: without one MySQL walks the whole index.
   * Parameters: a sequence up to which every row is gone, or 0, and the limit of the count; the
   * limit of each other count, twice; the sequence. Then schema or null, name of the table, the
   * sequence, for how long overdue, and the limit, three times.
   */
  private static final String BACKLOG =
      """
      SELECT
        (SELECT COUNT(*)
          FROM (
            SELECT created_at
            FROM outbox FORCE INDEX (PRIMARY)
            WHERE id > ?
            ORDER BY id
            LIMIT ?) AS few),
        (SELECT COUNT(*) FROM (SELECT 1 FROM outbox_parked LIMIT ?) AS few),
        (SELECT COUNT(*) FROM (SELECT 1 FROM outbox_dead LIMIT ?) AS few),
        (SELECT COALESCE(MIN(id), 0) FROM outbox FORCE INDEX (PRIMARY) WHERE id > ?),
        (SELECT CASE WHEN ENGINE IS NOT NULL THEN COALESCE(AUTO_INCREMENT, 1) - 1 END
          FROM INFORMATION_SCHEMA.TABLES
          WHERE TABLE_SCHEMA = COALESCE(?, DATABASE()) AND TABLE_NAME = ?),
        COALESCE((SELECT TIMESTAMPDIFF(MICROSECOND, created_at, UTC_TIMESTAMP(6)) DIV 1000
          FROM outbox FORCE INDEX (PRIMARY)
          WHERE id > ?
          ORDER BY id
          LIMIT 1), 0),
        (SELECT COUNT(*)
          FROM (
            SELECT 1
            FROM outbox_delayed FORCE INDEX (by_due)
            WHERE due_at < UTC_TIMESTAMP(6) - INTERVAL ? MICROSECOND
            LIMIT ?) AS few),
        (SELECT COUNT(*) FROM (SELECT 1 FROM outbox_delayed LIMIT ?) AS few),
        (SELECT COUNT(*)
          FROM (
            SELECT due_at
            FROM outbox_parked FORCE INDEX (by_due)
            WHERE head = TRUE
            ORDER BY due_at
            LIMIT ?) AS few)
      """;

  @Override
  public Sql backlog(int limit) {
    return backlogAbove(0, limit);
  }

  Sql backlogAbove(long gone, int limit) {
    return Sql.of(
        names.in(BACKLOG),
        gone,
        limit,
        limit,
        limit,
        gone,
        names.schema(),
        names.prefix(),
        gone,
        micros(Backlog.OVERDUE_AFTER),
        limit,
        limit,
        limit);
  }

  @Override
  public BacklogLook backlogLook(TimeSource time) {
    return new MySqlBacklogLook(this, time);
  }

  /** Parameter: partitions. */
  private static final String ANY_DUE =
      """
      SELECT 1
      FROM outbox_delayed FORCE INDEX (by_due)
      WHERE due_at <= UTC_TIMESTAMP(6) AND partition_no IN ({?|, })
      LIMIT 1
      """;

  @Override
  public Sql anyDue(Collection<Integer> partitions) {
    return inPartitions(ANY_DUE, partitions);
  }

  /**
   * Attempts are never negative, but in no key: without such a column MySQL walks the whole index.
   * Parameters: schema or null, name of the table, partitions, microseconds to look ahead,
   * partitions.
   */
  private static final String GLANCE =
      """
      SELECT
        (SELECT CASE WHEN ENGINE IS NOT NULL THEN COALESCE(AUTO_INCREMENT, 1) - 1 END
          FROM INFORMATION_SCHEMA.TABLES
          WHERE TABLE_SCHEMA = COALESCE(?, DATABASE()) AND TABLE_NAME = ?),
        FALSE,
        NULL
      UNION ALL
      (SELECT 0, attempts >= 0, NULL
      FROM outbox_parked FORCE INDEX (by_due)
      WHERE head = TRUE AND due_at <= UTC_TIMESTAMP(6) AND partition_no IN ({?|, })
      LIMIT 1)
      UNION ALL
      (SELECT 0, FALSE, TIMESTAMPDIFF(MICROSECOND, UTC_TIMESTAMP(6), due_at)
      FROM outbox_delayed FORCE INDEX (by_due)
      WHERE due_at <= UTC_TIMESTAMP(6) + INTERVAL ? MICROSECOND AND partition_no IN ({?|, })
      ORDER BY due_at
      LIMIT 1)
      """;

  @Override
  public Sql glance(Collection<Integer> partitions, Duration ahead) {
    List<@Nullable Object> padded = Repeated.padded(partitions);
    List<@Nullable Object> parameters = new ArrayList<>();
    parameters.add(names.schema());
    parameters.add(names.prefix());
    parameters.addAll(padded);
    parameters.add(ahead.toNanos() / 1_000);
    parameters.addAll(padded);
    return new Sql(Repeated.times(names.in(GLANCE), padded.size()), parameters);
  }

  @Override
  public GlanceLook glanceLook(TimeSource time, LongUnaryOperator reached) {
    return new MySqlGlanceLook(this, time, reached);
  }

  /**
   * The lowest of an index is known when the statement is planned, which costs less than any search
   * for rows. Parameters: a sequence, microseconds to look ahead.
   */
  private static final String ANYTHING =
      """
      SELECT
        (SELECT MIN(id) FROM outbox WHERE id > ?) IS NOT NULL
        OR COALESCE(
          (SELECT MIN(due_at) FROM outbox_parked WHERE head = TRUE) <= UTC_TIMESTAMP(6), FALSE)
        OR COALESCE(
          (SELECT MIN(due_at) FROM outbox_delayed)
            <= UTC_TIMESTAMP(6) + INTERVAL ? MICROSECOND, FALSE)
      """;

  /** One row: whether there is a row above a sequence, or anything due in any partition. */
  public Sql anything(long lastSequence, Duration ahead) {
    return Sql.of(names.in(ANYTHING), lastSequence, ahead.toNanos() / 1_000);
  }

  /**
   * Only the owner of a partition moves its rows: nothing to lock. Parameters: partitions, limit.
   */
  private static final String DUE =
      """
      SELECT id, message_id
      FROM outbox_delayed FORCE INDEX (by_due)
      WHERE due_at <= UTC_TIMESTAMP(6) AND partition_no IN ({?|, })
      ORDER BY due_at, id
      LIMIT ?
      """;

  public Sql due(Collection<Integer> partitions, int limit) {
    List<@Nullable Object> parameters = new ArrayList<>(Repeated.padded(partitions));
    int size = parameters.size();
    parameters.add(limit);
    return new Sql(Repeated.times(names.in(DUE), size), parameters);
  }

  /** A message counts as written when it became due. Parameter: rows of ids, in order. */
  private static final String COPY_DUE =
      """
      INSERT INTO outbox (
        created_at, partition_no, message_id, destination, message_key, message_type, headers,
        business_type, business_key, created_by, updated_by, payload)
      SELECT
        GREATEST(o.due_at, o.created_at), o.partition_no, o.message_id, o.destination,
        o.message_key, o.message_type, o.headers, o.business_type, o.business_key, o.created_by,
        o.updated_by, o.payload
      FROM JSON_TABLE(?, '$[*]' COLUMNS (n FOR ORDINALITY, id BIGINT PATH '$[0]')) AS v
        STRAIGHT_JOIN outbox_delayed AS o FORCE INDEX (PRIMARY) ON o.id = v.id
      ORDER BY v.n
      """;

  /** Parameter: rows of ids. */
  private static final String DELETE_DUE =
      """
      DELETE outbox_delayed
      FROM JSON_TABLE(?, '$[*]' COLUMNS (id BIGINT PATH '$[0]')) AS v
        STRAIGHT_JOIN outbox_delayed FORCE INDEX (PRIMARY) ON outbox_delayed.id = v.id
      """;

  public List<Sql> moveDue(List<Long> ids) {
    String rows = JsonRows.of(ids, id -> new Object[] {id});
    return List.of(Sql.of(names.in(COPY_DUE), rows), Sql.of(names.in(DELETE_DUE), rows));
  }

  @Override
  public List<Position> enqueueDue(Connection connection, Collection<Integer> partitions, int limit)
      throws SQLException {
    Map<Long, UUID> due = new LinkedHashMap<>();
    due(partitions, limit).forEach(connection, row -> due.put(row.getLong(1), uuid(row, 2)));
    if (due.isEmpty()) {
      return List.of();
    }
    List<Sql> move = moveDue(List.copyOf(due.keySet()));
    Set<UUID> ids = Set.copyOf(due.values());
    List<Position> moved = new ArrayList<>(due.size());
    copied(partitions, firstCopied(move.get(0), connection))
        .forEach(
            connection,
            row -> {
              if (ids.contains(uuid(row, 3))) {
                moved.add(new Position(row.getInt(1), row.getLong(2)));
              }
            });
    move.get(1).update(connection);
    return moved;
  }

  private static long firstCopied(Sql copy, Connection connection) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(copy.text(), Statement.RETURN_GENERATED_KEYS)) {
      copy.bind(statement);
      statement.executeUpdate();
      try (ResultSet keys = statement.getGeneratedKeys()) {
        return keys.next() ? keys.getLong(1) : Long.MAX_VALUE;
      }
    }
  }

  /** The copied rows have ids from the first one on, with ids of other transactions among them. */
  private static final String COPIED =
      """
      SELECT partition_no, id, message_id
      FROM outbox
      WHERE partition_no IN ({?|, }) AND id >= ?
      """;

  /** Rows of the partitions from an id on. */
  public Sql copied(Collection<Integer> partitions, long first) {
    List<@Nullable Object> parameters = new ArrayList<>(Repeated.padded(partitions));
    int size = parameters.size();
    parameters.add(first);
    return new Sql(Repeated.times(names.in(COPIED), size), parameters);
  }

  private Sql inPartitions(String text, Collection<Integer> partitions) {
    List<@Nullable Object> padded = Repeated.padded(partitions);
    return new Sql(Repeated.times(names.in(text), padded.size()), padded);
  }
}
