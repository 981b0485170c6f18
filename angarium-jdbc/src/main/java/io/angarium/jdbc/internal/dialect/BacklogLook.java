package io.angarium.jdbc.internal.dialect;

import io.angarium.store.Backlog;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;

/** Measures how much waits, see {@link io.angarium.store.OutboxStore#backlog}. Thread-safe. */
public interface BacklogLook {
  Backlog look(Connection connection) throws SQLException;

  /** The row of {@link WorkSql#backlog}. */
  static Backlog backlog(ResultSet row) throws SQLException {
    long counted = row.getLong(1);
    long delayed = row.getLong(8);
    long estimated = row.getLong(5) - row.getLong(4) + 1;
    return new Backlog(
        counted <= Backlog.EXACT_MAX ? counted : Math.max(counted, estimated),
        Math.min(row.getLong(2) + delayed, Backlog.EXACT_MAX),
        Math.min(row.getLong(3), Backlog.EXACT_MAX),
        Duration.ofMillis(Math.max(0, row.getLong(6))),
        Math.min(row.getLong(7), Backlog.EXACT_MAX),
        Math.min(delayed, Backlog.EXACT_MAX),
        Math.min(row.getLong(9), Backlog.EXACT_MAX));
  }
}
