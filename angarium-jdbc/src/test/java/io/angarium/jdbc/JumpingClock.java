package io.angarium.jdbc;

import io.angarium.TimeSource;
import io.angarium.testservers.DatabaseServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;

/**
 * A new database whose clock can be set while it is in use, for all of its sessions at once. On
 * PostgreSQL functions of the database take the place of the server's own; on MySQL and MariaDB
 * every statement is told what time it is. Thread-safe.
 */
final class JumpingClock {
  final DataSource dataSource;
  private final Server server;
  private final AtomicLong offsetSeconds = new AtomicLong();

  JumpingClock(DatabaseServer server) {
    this.server = server.server();
    TestDatabase database = server.freshDatabase();
    ConnectionSource plain = new ConnectionSource(database::connect);
    if (this.server == Server.POSTGRESQL) {
      replaceFunctions(plain, database.name());
      dataSource = plain;
    } else {
      dataSource = new ConnectionSource(() -> timed(plain.getConnection()));
    }
  }

  private static void replaceFunctions(DataSource database, String name) {
    String function =
        """
        CREATE FUNCTION %1$s() RETURNS timestamptz LANGUAGE sql VOLATILE AS
        'SELECT pg_catalog.%1$s() + (SELECT seconds FROM clock_offset) * interval ''1 second'''
        """;
    EmptyDatabase.execute(
        database,
        "CREATE TABLE clock_offset (seconds bigint NOT NULL)",
        "INSERT INTO clock_offset VALUES (0)",
        function.formatted("clock_timestamp"),
        function.formatted("statement_timestamp"),
        "ALTER DATABASE " + name + " SET search_path = public, pg_catalog");
  }

  private Connection timed(Connection plain) {
    return Counted.of(plain, statement -> tell(plain));
  }

  private void tell(Connection plain) {
    Instant now = TimeSource.SYSTEM.instant().plusSeconds(offsetSeconds.get());
    try (Statement statement = plain.createStatement()) {
      statement.execute(
          "SET timestamp = %d.%06d".formatted(now.getEpochSecond(), now.getNano() / 1_000));
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Sets the clock forward, or back by a negative duration. */
  void jump(Duration by) {
    long offset = offsetSeconds.addAndGet(by.toSeconds());
    if (server == Server.POSTGRESQL) {
      EmptyDatabase.execute(dataSource, "UPDATE clock_offset SET seconds = " + offset);
    }
  }
}
