package io.angarium.jdbc;

import java.time.Duration;
import java.util.List;
import java.util.function.IntSupplier;

/**
 * The connections of one outbox store: reads, completions and fenced writes do not wait for each
 * other. Thread-safe.
 */
record StoreSessions(
    Session read, Session readStretch, Session dirtyRead, Session complete, Session write)
    implements AutoCloseable {
  /** How many are used on a database: one of two sessions is idle, or another's. */
  static final int USED = 4;

  /**
   * Takes no connection yet.
   *
   * @param era the era in which the store works
   */
  static StoreSessions of(OpenDatabase database, IntSupplier era) {
    Duration timeout = database.config().statementTimeout();
    Session read = database.session(Session.Role.READ, timeout, era);
    return new StoreSessions(
        read,
        database.dialect() instanceof DirtyReads
            ? read
            : database.session(Session.Role.READ_STRETCH, timeout, era),
        database.session(Session.Role.DIRTY_READ, timeout, era),
        database.session(Session.Role.COMPLETE, timeout, era),
        database.session(Session.Role.WRITE, timeout, era));
  }

  @Override
  public void close() {
    Session.close(List.of(read, readStretch, dirtyRead, complete, write));
  }
}
