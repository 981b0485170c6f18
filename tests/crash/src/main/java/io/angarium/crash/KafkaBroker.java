package io.angarium.crash;

import io.angarium.testservers.KafkaServer;
import io.angarium.testtopics.KafkaTopic;
import io.angarium.testtopics.Topic;

/** Kafka. */
record KafkaBroker(KafkaServer server) implements Broker {
  @Override
  public String address() {
    return server.bootstrapServers();
  }

  @Override
  public Topic create(String name, int parts) {
    server.createTopic(name, parts);
    return new KafkaTopic(address(), name);
  }
}
