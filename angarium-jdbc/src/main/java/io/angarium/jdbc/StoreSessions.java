package io.angarium.jdbc;

import io.angarium.TimeSource;
import java.util.List;
import java.util.function.Function;
import javax.sql.DataSource;

/**
 * The connections of one outbox store: reads, completions and fenced writes do not wait for each
 * other. Thread-safe.
 */
record StoreSessions(
    Session read, Session readStretch, Session dirtyRead, Session complete, Session write)
    implements AutoCloseable {
  static StoreSessions of(
      DataSource dataSource, Dialect dialect, JdbcConfig config, TimeSource time) {
    Function<Session.Role, Session> session =
        role -> new Session(dataSource, dialect, role, config.statementTimeout(), time);
    Session read = session.apply(Session.Role.READ);
    return new StoreSessions(
        read,
        dialect instanceof DirtyReads ? read : session.apply(Session.Role.READ_STRETCH),
        session.apply(Session.Role.DIRTY_READ),
        session.apply(Session.Role.COMPLETE),
        session.apply(Session.Role.WRITE));
  }

  @Override
  public void close() {
    List.of(read, readStretch, dirtyRead, complete, write).forEach(Session::close);
  }
}
