package io.angarium.jdbc.internal.dialect;

import io.angarium.intake.Position;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.jdbc.internal.sql.Stretch;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** What a database without readable snapshots offers instead. */
public interface DirtyReads extends OutboxSql {
  /** The ids of rows above {@code after} up to {@code upTo}, ascending, at most {@code limit}. */
  Sql ids(long after, long upTo, int limit);

  /**
   * Numbers that a statement may be ahead of its rows: it doubles them, and ours have 1 000 rows,
   * but for a requeue of more dead letters than that.
   */
  int AHEAD_MAX = 2_048;

  /**
   * The highest id up to {@code told}, or null if the {@link #AHEAD_MAX} numbers below have none.
   */
  Sql highestId(long told);

  /**
   * Partition and id of the rows of a stretch, by id, at most {@code limit}; perhaps also of rows
   * that are in none of its spans.
   */
  Sql positions(Stretch stretch, int limit);

  /** Runs {@link #positions(Stretch, int)}; the list may be changed. */
  default List<Position> positions(Connection connection, Stretch stretch, int limit)
      throws SQLException {
    return positions(stretch, limit)
        .query(connection, row -> new Position(row.getInt(1), row.getLong(2)));
  }
}
