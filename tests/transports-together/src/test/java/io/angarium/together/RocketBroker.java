package io.angarium.together;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.rocketmq.RocketConfig;
import io.angarium.rocketmq.RocketTransport;
import io.angarium.testservers.FaultProxy;
import io.angarium.testservers.RocketServer;
import io.angarium.transport.Transport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.apache.rocketmq.client.consumer.DefaultLitePullConsumer;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.common.consumer.ConsumeFromWhere;
import org.apache.rocketmq.common.message.MessageQueue;

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
  public List<String> read(String place, int wanted) {
    DefaultLitePullConsumer consumer = new DefaultLitePullConsumer("reader-" + UUID.randomUUID());
    consumer.setNamesrvAddr(server.directNameServer());
    consumer.setMqClientApiTimeout(30_000); // 3 s are little on a busy machine
    consumer.setInstanceName(consumer.getConsumerGroup());
    consumer.setAutoCommit(false);
    // To seek while it pulls already may lose what it has pulled, or bring it twice.
    consumer.setConsumeFromWhere(ConsumeFromWhere.CONSUME_FROM_FIRST_OFFSET);
    try {
      consumer.start();
      return read(consumer, place, wanted);
    } catch (MQClientException e) {
      throw new IllegalStateException("The topic " + place + " could not be read", e);
    } finally {
      consumer.shutdown();
    }
  }

  private static List<String> read(DefaultLitePullConsumer consumer, String place, int wanted)
      throws MQClientException {
    Collection<MessageQueue> queues = consumer.fetchMessageQueues(place);
    consumer.assign(queues);
    List<String> texts = new ArrayList<>();
    long deadline = System.nanoTime() + Traffic.LIMIT.toNanos();
    while (new HashSet<>(texts).size() < wanted) {
      assertThat(System.nanoTime()).as("%s is read in time", place).isLessThan(deadline);
      consumer.poll(100).forEach(message -> texts.add(new String(message.getBody(), UTF_8)));
    }
    return texts;
  }

  @Override
  public String toString() {
    return "RocketMQ";
  }
}
