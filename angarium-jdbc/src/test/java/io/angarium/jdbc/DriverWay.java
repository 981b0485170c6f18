package io.angarium.jdbc;

import io.angarium.testservers.DatabaseServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.ServerOptions;
import io.angarium.testservers.SharedServers;
import io.angarium.testservers.TestDatabase;
import java.sql.DriverManager;
import java.util.function.Supplier;
import javax.sql.DataSource;

/** A driver and its settings on the way to a server: drivers prepare statements, or do not. */
enum DriverWay {
  MARIADB_THROUGH_MYSQL("mysql", "", () -> WithLargePackets.SERVER),
  MARIADB_THROUGH_MYSQL_PREPARED(
      "mysql",
      "useServerPrepStmts=true&rewriteBatchedStatements=true&cachePrepStmts=true",
      SharedServers::mariaDb),
  MARIADB_THROUGH_MYSQL_CURSORS("mysql", "useCursorFetch=true", SharedServers::mariaDb),
  MARIADB_PREPARED("mariadb", "useServerPrepStmts=true", SharedServers::mariaDb),
  MYSQL_PREPARED(
      "mysql",
      "useServerPrepStmts=true&rewriteBatchedStatements=true&cachePrepStmts=true",
      SharedServers::mySql),
  MYSQL_CURSORS("mysql", "useCursorFetch=true", SharedServers::mySql),
  POSTGRES_PREPARED("postgresql", "prepareThreshold=1", SharedServers::postgres),
  POSTGRES_SIMPLE("postgresql", "preferQueryMode=simple", SharedServers::postgres);

  private final String driver;
  private final String settings;

  @SuppressWarnings("ImmutableEnumChecker") // started once
  private final Supplier<DatabaseServer> server;

  DriverWay(String driver, String settings, Supplier<DatabaseServer> server) {
    this.driver = driver;
    this.settings = settings;
    this.server = server;
  }

  /** A new database without any table. */
  DataSource database() {
    TestDatabase database = server.get().freshDatabase();
    String url = database.url().replaceFirst("^jdbc:\\w+:", "jdbc:" + driver + ":");
    String whole = settings.isEmpty() ? url : url + (url.contains("?") ? "&" : "?") + settings;
    return new ConnectionSource(
        () -> DriverManager.getConnection(whole, database.user(), database.password()));
  }

  /** For a driver that writes two digits for each byte of the largest payloads. */
  private static final class WithLargePackets {
    static final DatabaseServer SERVER =
        DatabaseServer.start(
            Server.MARIADB, ServerOptions.standard().setting("max_allowed_packet", "64M"));
  }
}
