package io.angarium.recipes.testcontainers;

import io.angarium.testservers.RabbitServer;
import io.angarium.testservers.ServerOptions;
import org.testcontainers.rabbitmq.RabbitMQContainer;

/** A RabbitMQ started as a process. Not thread-safe: one thread at a time. */
final class RabbitStandIn extends RabbitMQContainer {
  private final Mapping mapping = new Mapping();

  RabbitStandIn() {
    super("rabbitmq");
  }

  @Override
  public void start() {
    RabbitServer server = RabbitServer.start(ServerOptions.standard());
    withAdminUser(server.user());
    withAdminPassword(server.password());
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
