package io.angarium.recipes.testcontainers;

import io.angarium.testservers.DatabaseServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.TestDatabase;
import org.testcontainers.postgresql.PostgreSQLContainer;

/** A PostgreSQL started as a process. Not thread-safe: one thread at a time. */
final class PostgresStandIn extends PostgreSQLContainer {
  private final Mapping mapping = new Mapping();

  PostgresStandIn() {
    super("postgres");
  }

  @Override
  public void start() {
    DatabaseServer server = DatabaseServer.start(Server.POSTGRESQL);
    TestDatabase database = server.freshDatabase();
    withDatabaseName(database.name());
    withUsername(database.user());
    withPassword(database.password());
    mapping.to(server);
  }

  @Override
  public void stop() {
    mapping.end();
  }

  @Override
  public boolean isRunning() {
    return mapping.exists();
  }

  @Override
  public String getHost() {
    return mapping.host();
  }

  @Override
  public Integer getMappedPort(int port) {
    return mapping.port();
  }
}
