package io.angarium.together;

import io.angarium.rabbitmq.RabbitConfig;
import io.angarium.rabbitmq.RabbitTransport;
import io.angarium.testservers.FaultProxy;
import io.angarium.testservers.RabbitServer;
import io.angarium.testtopics.RabbitQueue;
import io.angarium.testtopics.Topic;
import io.angarium.transport.Transport;
import java.time.Duration;
import javax.sql.DataSource;

/** RabbitMQ, with the replicated queues that production uses. */
record RabbitBroker(RabbitServer server) implements RemoteBroker {
  private static final String WATERMARK = "set_vm_memory_high_watermark";
  private static final String DISK = "set_disk_free_limit";

  @Override
  public Transport open(Duration patience, DataSource database) {
    return RabbitTransport.open(
        RabbitConfig.of(server.uri())
            .holdMax(patience)
            .confirmTimeout(patience)
            .heartbeat(patience.multipliedBy(3))); // else it ends the wait for a silent broker
  }

  @Override
  public String create(String place) {
    RabbitQueue.create(server.directUri(), place);
    return "rabbitmq:/" + place;
  }

  @Override
  public FaultProxy proxy() {
    return server.proxy();
  }

  /** Takes messages from nobody. */
  void block() {
    server.ctl(WATERMARK, "0.00001");
  }

  /** Takes messages again. */
  void unblock() {
    server.ctl(WATERMARK, "absolute", "1GB");
  }

  /** Takes messages from nobody, as it finds less room on its disk than it wants. */
  void fillDisk() {
    server.ctl(DISK, "1000000000000000");
  }

  /** Finds enough room on its disk again. */
  void emptyDisk() {
    server.ctl(DISK, "50MB");
  }

  @Override
  public Topic topic(String place) {
    return new RabbitQueue(server.directUri(), place);
  }

  @Override
  public String toString() {
    return "RabbitMQ";
  }
}
