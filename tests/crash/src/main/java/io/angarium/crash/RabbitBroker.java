package io.angarium.crash;

import io.angarium.testservers.RabbitServer;
import io.angarium.testtopics.RabbitQueue;
import io.angarium.testtopics.Topic;

/** RabbitMQ. A topic is one queue, which keeps the order in which it got messages. */
record RabbitBroker(RabbitServer server) implements Broker {
  @Override
  public String address() {
    return server.uri();
  }

  @Override
  public Topic create(String name, int parts) {
    return RabbitQueue.create(address(), name);
  }
}
