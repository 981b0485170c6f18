package io.angarium.recipes.testcontainers;

import io.angarium.testservers.KafkaServer;
import io.angarium.testservers.ServerOptions;
import org.testcontainers.kafka.KafkaContainer;

/** A Kafka started as a process. Not thread-safe: one thread at a time. */
final class KafkaStandIn extends KafkaContainer {
  private final Mapping mapping = new Mapping();

  KafkaStandIn() {
    super("apache/kafka");
  }

  @Override
  public void start() {
    mapping.to(KafkaServer.start(ServerOptions.standard()));
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
