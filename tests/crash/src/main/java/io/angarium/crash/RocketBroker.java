package io.angarium.crash;

import io.angarium.testservers.RocketServer;
import io.angarium.testtopics.RocketTopic;
import io.angarium.testtopics.Topic;

/** RocketMQ. */
record RocketBroker(RocketServer server) implements Broker {
  @Override
  public String address() {
    return server.nameServer();
  }

  @Override
  public Topic create(String name, int parts) {
    server.createTopic(name, parts);
    return new RocketTopic(address(), name);
  }
}
