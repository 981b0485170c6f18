package io.angarium.jdbc;

import java.util.List;

/**
 * The connections of one outbox store: reads, completions and fenced writes do not wait for each
 * other. Thread-safe.
 */
record StoreSessions(
    Session read, Session readStretch, Session dirtyRead, Session complete, Session write)
    implements AutoCloseable {
  static StoreSessions of(OpenDatabase database) {
    Session read = database.session(Session.Role.READ);
    return new StoreSessions(
        read,
        database.dialect() instanceof DirtyReads
            ? read
            : database.session(Session.Role.READ_STRETCH),
        database.session(Session.Role.DIRTY_READ),
        database.session(Session.Role.COMPLETE),
        database.session(Session.Role.WRITE));
  }

  @Override
  public void close() {
    List.of(read, readStretch, dirtyRead, complete, write).forEach(Session::close);
  }
}
