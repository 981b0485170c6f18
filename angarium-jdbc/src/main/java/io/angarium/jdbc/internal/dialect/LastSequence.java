package io.angarium.jdbc.internal.dialect;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransientException;

/** Reads the last sequence from an answer of the database. */
public final class LastSequence {
  private LastSequence() {}

  public static long ask(OutboxSql outbox, Connection connection) throws SQLException {
    return outbox.lastSequence().query(connection, row -> read(row, 1)).stream()
        .findFirst()
        .orElseThrow(LastSequence::untold);
  }

  /**
   * Reads it from a column.
   *
   * @throws SQLException if the database cannot tell it at the moment; 0 would say that it went
   *     back
   */
  public static long read(ResultSet row, int column) throws SQLException {
    long last = row.getLong(column);
    if (row.wasNull()) {
      throw untold();
    }
    return last;
  }

  private static SQLException untold() {
    return new SQLTransientException(
        "The last sequence cannot be told while the table of the outbox is altered");
  }
}
