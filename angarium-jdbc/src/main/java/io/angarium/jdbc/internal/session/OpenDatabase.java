package io.angarium.jdbc.internal.session;

import io.angarium.TimeSource;
import io.angarium.jdbc.internal.dialect.Dialect;
import io.angarium.jdbc.internal.sql.SessionRole;
import io.angarium.jdbc.settings.JdbcConfig;
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
public record OpenDatabase(
    DataSource dataSource,
    Dialect dialect,
    JdbcConfig config,
    TimeSource time,
    Source source,
    SessionPool sessions) {
  /** With sessions from the same data source. */
  public OpenDatabase(
      DataSource dataSource, Dialect dialect, JdbcConfig config, TimeSource time, Source source) {
    this(
        dataSource, dialect, config, time, source, new SessionPool(dataSource, dialect.sessions()));
  }

  /** The same with sessions from another data source. */
  public OpenDatabase sessionsFrom(DataSource other) {
    return new OpenDatabase(
        dataSource, dialect, config, time, source, new SessionPool(other, dialect.sessions()));
  }

  /** A session for one kind of work, or for one call; the caller closes it. */
  public Session session(SessionRole role) {
    return session(role, config.statementTimeout());
  }

  /**
   * Opens a session like {@link #session(SessionRole)}.
   *
   * @param timeout how long a statement may take before the connection is given up
   */
  public Session session(SessionRole role, Duration timeout) {
    return new Session(this, role, timeout, null);
  }

  /**
   * A session that works on a server that takes writes, and in one era only.
   *
   * @param era the era in which its caller works
   */
  public Session session(SessionRole role, Duration timeout, IntSupplier era) {
    return new Session(this, role, timeout, era);
  }
}
