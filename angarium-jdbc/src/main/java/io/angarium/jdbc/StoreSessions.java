package io.angarium.jdbc;

import io.angarium.TimeSource;
import java.util.List;
import javax.sql.DataSource;

/**
 * The connections of one outbox store: reads, completions and fenced writes do not wait for each
 * other. Thread-safe.
 */
record StoreSessions(Session read, Session dirtyRead, Session complete, Session write)
    implements AutoCloseable {
  static StoreSessions of(
      DataSource dataSource, Dialect dialect, JdbcConfig config, TimeSource time) {
    return new StoreSessions(
        new Session(dataSource, dialect, Session.Role.READ, config.statementTimeout(), time),
        new Session(dataSource, dialect, Session.Role.DIRTY_READ, config.statementTimeout(), time),
        new Session(dataSource, dialect, Session.Role.COMPLETE, config.statementTimeout(), time),
        new Session(dataSource, dialect, Session.Role.WRITE, config.statementTimeout(), time));
  }

  @Override
  public void close() {
    List.of(read, dirtyRead, complete, write).forEach(Session::close);
  }
}
