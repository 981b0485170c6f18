package io.angarium.together;

import io.angarium.kafka.KafkaConfig;
import io.angarium.kafka.KafkaTransport;
import io.angarium.testservers.FaultProxy;
import io.angarium.testservers.KafkaServer;
import io.angarium.testtopics.KafkaTopic;
import io.angarium.testtopics.Topic;
import io.angarium.transport.Transport;
import java.time.Duration;
import javax.sql.DataSource;

/** Kafka. */
record KafkaBroker(KafkaServer server) implements RemoteBroker {
  private static final int PARTITIONS = 4;

  @Override
  public Transport open(Duration patience, DataSource database) {
    return KafkaTransport.open(
        KafkaConfig.of(server.bootstrapServers()).holdMax(patience).deliveryTimeout(patience));
  }

  @Override
  public String create(String place) {
    server.createTopic(place, PARTITIONS);
    return "kafka:" + place;
  }

  @Override
  public FaultProxy proxy() {
    return server.proxy();
  }

  @Override
  public Topic topic(String place) {
    return new KafkaTopic(server.directBootstrapServers(), place);
  }

  @Override
  public String toString() {
    return "Kafka";
  }
}
