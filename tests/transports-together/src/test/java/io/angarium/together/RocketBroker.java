package io.angarium.together;

import io.angarium.rocketmq.RocketConfig;
import io.angarium.rocketmq.RocketTransport;
import io.angarium.testservers.FaultProxy;
import io.angarium.testservers.RocketServer;
import io.angarium.testtopics.RocketTopic;
import io.angarium.testtopics.Topic;
import io.angarium.transport.Transport;
import java.time.Duration;
import javax.sql.DataSource;

/** RocketMQ. */
record RocketBroker(RocketServer server) implements RemoteBroker {
  private static final int QUEUES = 4;

  @Override
  public Transport open(Duration patience, DataSource database) {
    return RocketTransport.open(
        RocketConfig.of(server.nameServer()).holdMax(patience).sendTimeout(patience));
  }

  @Override
  public String create(String place) {
    server.createTopic(place, QUEUES);
    return "rocketmq:" + place;
  }

  @Override
  public FaultProxy proxy() {
    return server.proxy();
  }

  @Override
  public Topic topic(String place) {
    return new RocketTopic(server.directNameServer(), place);
  }

  @Override
  public String toString() {
    return "RocketMQ";
  }
}
