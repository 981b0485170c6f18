package io.angarium.jdbc.internal.session;

import io.angarium.jdbc.internal.dialect.DirtyReads;
import io.angarium.jdbc.internal.sql.SessionRole;
import java.time.Duration;
import java.util.List;
import java.util.function.IntSupplier;

/**
 * The connections of one outbox store: reads, completions and fenced writes do not wait for each
 * other. Thread-safe.
 */
public record StoreSessions(
    Session read, Session readStretch, Session dirtyRead, Session complete, Session write)
    implements AutoCloseable {
  /** How many are used on a database: one of two sessions is idle, or another's. */
  public static final int USED = 4;

  /**
   * Takes no connection yet.
   *
   * @param era the era in which the store works
   */
  public static StoreSessions of(OpenDatabase database, IntSupplier era) {
    Duration timeout = database.config().statementTimeout();
    Session read = database.session(SessionRole.READ, timeout, era);
    return new StoreSessions(
        read,
        database.dialect().outbox() instanceof DirtyReads
            ? read
            : database.session(SessionRole.READ_STRETCH, timeout, era),
        database.session(SessionRole.DIRTY_READ, timeout, era),
        database.session(SessionRole.COMPLETE, timeout, era),
        database.session(SessionRole.WRITE, timeout, era));
  }

  @Override
  public void close() {
    Session.close(List.of(read, readStretch, dirtyRead, complete, write));
  }
}
