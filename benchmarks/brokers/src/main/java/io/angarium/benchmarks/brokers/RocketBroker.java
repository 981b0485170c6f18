package io.angarium.benchmarks.brokers;

import io.angarium.testservers.RocketServer;
import io.angarium.testservers.ServerOptions;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.UUID;
import org.apache.rocketmq.client.consumer.DefaultLitePullConsumer;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.common.consumer.ConsumeFromWhere;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageConst;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.common.message.MessageQueue;

/** RocketMQ, as it comes: what it acknowledged is in the memory of the operating system. */
record RocketBroker(RocketServer server) implements Broker {
  /** Without the checksums of properties that the tests' brokers write. */
  static ServerOptions asItComes(ServerOptions options) {
    return options.setting("enabledAppendPropCRC", "false").setting("forceVerifyPropCRC", "false");
  }

  @Override
  public String address() {
    return server.nameServer();
  }

  @Override
  public void createTopic(String topic, int parts) {
    server.createTopic(topic, parts);
  }

  /** Does nothing: messages of all topics are in one log, which would get no shorter. */
  @Override
  public void deleteTopic(String topic) {}

  @Override
  public TopicReader read(String topic) {
    try {
      return new Reader(address(), topic);
    } catch (MQClientException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Knows the end of each queue by a message it puts there. */
  private static final class Reader implements TopicReader {
    /** The broker gives no more in one answer. */
    private static final int PULL_MESSAGES = 32;

    private final String name = "reader-" + UUID.randomUUID();
    private final DefaultLitePullConsumer consumer = new DefaultLitePullConsumer(name);
    private final DefaultMQProducer producer = new DefaultMQProducer(name);
    private final Collection<MessageQueue> queues;
    private int ends;

    @SuppressWarnings("deprecation") // there is no other way to set the time for the queues
    Reader(String nameServer, String topic) throws MQClientException {
      producer.setNamesrvAddr(nameServer);
      producer.setSendMsgTimeout(30_000);
      producer.setMqClientApiTimeout(30_000);
      producer.setInstanceName(name);
      producer.start();
      consumer.setNamesrvAddr(nameServer);
      consumer.setMqClientApiTimeout(30_000); // 3 s are little on a busy machine
      consumer.setInstanceName(name);
      consumer.setAutoCommit(false);
      consumer.setPullBatchSize(PULL_MESSAGES);
      // To seek while it pulls already may lose what it has pulled, or bring it twice.
      consumer.setConsumeFromWhere(ConsumeFromWhere.CONSUME_FROM_FIRST_OFFSET);
      consumer.start();
      producer // the consumer shares it: both have one name
          .getDefaultMQProducerImpl()
          .getMqClientFactory()
          .getMQAdminImpl()
          .setTimeoutMillis(30_000);
      this.queues = consumer.fetchMessageQueues(topic);
      consumer.assign(queues);
    }

    @Override
    public void poll(Duration max, Taker taker) {
      for (MessageExt message : consumer.poll(max.toMillis())) {
        if (name.equals(message.getTags())) {
          ends++;
        } else {
          taker.take(message.getProperty(MessageConst.PROPERTY_SHARDING_KEY), message.getBody());
        }
      }
    }

    @Override
    public void noteEnd() throws Exception {
      for (MessageQueue queue : queues) {
        byte[] body = "end".getBytes(StandardCharsets.US_ASCII);
        producer.send(new Message(queue.getTopic(), name, body), queue);
      }
    }

    @Override
    public boolean isAtEnd() {
      return ends == queues.size();
    }

    @Override
    public void close() {
      consumer.shutdown();
      producer.shutdown();
    }
  }
}
