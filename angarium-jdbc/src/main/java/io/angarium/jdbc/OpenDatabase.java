package io.angarium.jdbc;

import io.angarium.TimeSource;
import java.time.Duration;
import java.util.function.IntSupplier;
import javax.sql.DataSource;

/**
 * A database whose outbox has been found: where its sessions come from. Holds no connection.
 * Thread-safe.
 *
 * @param source which set of tables it is
 * @param sessions where sessions take their connections
 */
record OpenDatabase(
    DataSource dataSource,
    Dialect dialect,
    JdbcConfig config,
    TimeSource time,
    Source source,
    SessionPool sessions) {
  /** With sessions from the same data source. */
  OpenDatabase(
      DataSource dataSource, Dialect dialect, JdbcConfig config, TimeSource time, Source source) {
    this(dataSource, dialect, config, time, source, new SessionPool(dataSource, dialect));
  }

  /** The same with sessions from another data source. */
  OpenDatabase sessionsFrom(DataSource other) {
    return new OpenDatabase(
        dataSource, dialect, config, time, source, new SessionPool(other, dialect));
  }

  /** A session for one kind of work, or for one call; the caller closes it. */
  Session session(Session.Role role) {
    return session(role, config.statementTimeout());
  }

  /**
   * As {@link #session(Session.Role)}.
   *
   * @param timeout how long a statement may take before the connection is given up
   */
  Session session(Session.Role role, Duration timeout) {
    return new Session(this, role, timeout, null);
  }

  /**
   * A session that works on a server that takes writes, and in one era only.
   *
   * @param era the era in which its caller works
   */
  Session session(Session.Role role, Duration timeout, IntSupplier era) {
    return new Session(this, role, timeout, era);
  }
}
