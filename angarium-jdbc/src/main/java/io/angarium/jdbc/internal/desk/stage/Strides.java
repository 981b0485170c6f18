package io.angarium.jdbc.internal.desk.stage;

import io.angarium.desk.MessageRow;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * Reads the rows of a stage in their order, a stride at a time. Not thread-safe: one thread at a
 * time.
 */
public interface Strides {
  /**
   * Reads the next rows. Rows of retrying messages may include held ones, and the other way round;
   * a row says what it is.
   *
   * @param max at least 1
   * @return fewer than that only at the end
   */
  List<MessageRow> next(Connection connection, int max) throws SQLException;

  /** Tells, at the end, whether rows exist that these strides do not reach. */
  default boolean leavesRowsOut(Connection connection) throws SQLException {
    return false;
  }
}
