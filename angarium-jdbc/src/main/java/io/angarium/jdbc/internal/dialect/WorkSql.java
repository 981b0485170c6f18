package io.angarium.jdbc.internal.dialect;

import io.angarium.TimeSource;
import io.angarium.intake.Position;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.store.Backlog;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.function.LongUnaryOperator;

/** What a relay has to do: the backlog, and delayed messages that are due. Thread-safe. */
public interface WorkSql {
  /**
   * One row: messages counted up to a limit, parked and delayed ones, dead ones, the lowest
   * sequence seen, the last sequence, the oldest age in milliseconds.
   */
  Sql backlog(int limit);

  /** How a store of this database measures its backlog. */
  default BacklogLook backlogLook(TimeSource time) {
    Sql sql = backlog(Backlog.EXACT_MAX + 1);
    return connection -> sql.query(connection, BacklogLook::backlog).get(0);
  }

  /** A row if any delayed message of these partitions is due. */
  Sql anyDue(Collection<Integer> partitions);

  /**
   * Rows of a number, a flag and microseconds: the highest number is the last sequence, any flag
   * tells that a parked message of these partitions is due, and the microseconds when the first
   * delayed one is; null if it is not due within the time to look ahead.
   */
  Sql glance(Collection<Integer> partitions, Duration ahead);

  /**
   * How a store of this database answers the question of an idle relay.
   *
   * @param reached see {@code Horizon.reached}
   */
  default GlanceLook glanceLook(TimeSource time, LongUnaryOperator reached) {
    return (connection, partitions, ahead) ->
        GlanceLook.ask(connection, glance(partitions, ahead), reached);
  }

  /** Moves due delayed messages into the outbox, and tells their positions there. */
  List<Position> enqueueDue(Connection connection, Collection<Integer> partitions, int limit)
      throws SQLException;
}
