package io.angarium.jdbc;

import io.angarium.testservers.DatabaseServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.ServerOptions;
import io.angarium.testservers.TestDatabase;
import javax.sql.DataSource;

/**
 * A PostgreSQL server whose log holds what the test writes and nothing else.
 *
 * <p>The log is one for all databases of a server: on a shared one, autovacuum of other tests' rows
 * and page images after a checkpoint count as well.
 */
final class QuietPostgres implements AutoCloseable {
  private final DatabaseServer server =
      DatabaseServer.start(
          Server.POSTGRESQL,
          ServerOptions.standard()
              .ownProcess()
              .setting("autovacuum", "off")
              .setting("checkpoint_timeout", "1d")
              .setting("max_wal_size", "4GB"));

  DataSource emptyDatabase() {
    TestDatabase database = server.freshDatabase();
    return new ConnectionSource(database::connect);
  }

  /** Bytes that were ever written to the log. */
  static long logPosition(DataSource database) {
    return EmptyDatabase.number(
        database, "SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')");
  }

  @Override
  public void close() {
    server.close();
  }
}
