package io.angarium.jdbc.internal.desk.stage;

import io.angarium.desk.MessageRow;
import io.angarium.jdbc.internal.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Strides of a stage that one statement reads in order, from the place of the last row on. */
final class KeysetStrides implements Strides {
  /** A statement for the next rows. */
  @FunctionalInterface
  interface Next {
    Sql rows(Place after, int limit);
  }

  private final StageRows rows;
  private final Next next;
  private final @Nullable Bound bound;
  private Place after;

  /** A count of the rows that tells whether there are more than the statement reaches. */
  record Bound(Sql count, int most) {}

  KeysetStrides(StageRows rows, Place after, Next next, @Nullable Bound bound) {
    this.rows = rows;
    this.after = after;
    this.next = next;
    this.bound = bound;
  }

  @Override
  public List<MessageRow> next(Connection connection, int max) throws SQLException {
    List<MessageRow> read = rows.read(connection, next.rows(after, max));
    if (!read.isEmpty()) {
      after = Place.of(read.get(read.size() - 1));
    }
    return read;
  }

  @Override
  public boolean leavesRowsOut(Connection connection) throws SQLException {
    return bound != null
        && bound.count().query(connection, row -> row.getInt(1)).get(0) > bound.most();
  }
}
