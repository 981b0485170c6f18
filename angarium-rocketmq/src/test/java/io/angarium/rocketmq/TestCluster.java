package io.angarium.rocketmq;

import io.angarium.testservers.RocketServer;
import io.angarium.testservers.ServerOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import org.apache.rocketmq.client.consumer.DefaultLitePullConsumer;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.common.consumer.ConsumeFromWhere;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.common.message.MessageQueue;

/** Name server and broker of this module's tests: behind proxies, without automatic topics. */
public final class TestCluster {
  public static final int MESSAGE_BYTES_MAX = 1_500_000;
  private static final Duration SETTLED_AFTER = Duration.ofMillis(300);
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private TestCluster() {}

  private static final class Holder {
    static final RocketServer SERVER =
        RocketServer.start(
            ServerOptions.standard()
                .ownProcess()
                .proxied()
                .setting("autoCreateTopicEnable", "false")
                .setting("transactionTimeOut", "1000")
                .setting("transactionCheckInterval", "1000")
                .setting("transactionCheckMax", "1000")
                .setting("transactionOpBatchInterval", "200")
                .setting("maxMessageSize", String.valueOf(MESSAGE_BYTES_MAX)));

    /** Asks the broker past the proxy. */
    static final DefaultMQProducer DIRECT = direct();

    static {
      Runtime.getRuntime().addShutdownHook(new Thread(SERVER::close, "close-test-cluster"));
    }

    private Holder() {}

    private static DefaultMQProducer direct() {
      try {
        DefaultMQProducer producer =
            Producers.plain(
                RocketConfig.of(SERVER.directNameServer())
                    .producerGroup("direct")
                    .sendTimeout(Duration.ofSeconds(30)));
        producer.start();
        return producer;
      } catch (MQClientException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  public static RocketServer server() {
    return Holder.SERVER;
  }

  /** Short time-outs, so that tests of outages are short. */
  public static RocketConfig config() {
    return RocketConfig.of(server().nameServer())
        .sendTimeout(Duration.ofSeconds(1))
        .holdMax(Duration.ofSeconds(1))
        .missingAfter(Duration.ZERO);
  }

  public static String topic(String name, int queues) {
    server().createTopic(name, queues);
    return name;
  }

  /** All messages of a topic, queue by queue, past the proxies. */
  public static List<MessageExt> read(String topic) {
    return read(topic, Holder.DIRECT);
  }

  /** All messages of a topic, queue by queue, of the cluster that a producer knows. */
  public static List<MessageExt> read(String topic, DefaultMQProducer direct) {
    bePatient(direct);
    DefaultLitePullConsumer consumer = new DefaultLitePullConsumer("reader-" + UUID.randomUUID());
    consumer.setNamesrvAddr(direct.getNamesrvAddr());
    consumer.setMqClientApiTimeout(30_000); // 3 s are little on a busy machine
    consumer.setInstanceName(consumer.getConsumerGroup());
    consumer.setAutoCommit(false);
    // To seek while it pulls already may lose what it has pulled.
    consumer.setConsumeFromWhere(ConsumeFromWhere.CONSUME_FROM_FIRST_OFFSET);
    try {
      consumer.start();
      return read(consumer, direct, topic);
    } catch (MQClientException e) {
      throw new IllegalStateException("The topic " + topic + " could not be read", e);
    } finally {
      consumer.shutdown();
    }
  }

  /** What asks for queues and offsets has a limit of its own, 6 s. */
  @SuppressWarnings("deprecation") // there is no other way
  private static void bePatient(DefaultMQProducer direct) {
    direct
        .getDefaultMQProducerImpl()
        .getMqClientFactory()
        .getMQAdminImpl()
        .setTimeoutMillis(LIMIT.toMillis());
  }

  private static List<MessageExt> read(
      DefaultLitePullConsumer consumer, DefaultMQProducer direct, String topic)
      throws MQClientException {
    Collection<MessageQueue> queues = direct.fetchPublishMessageQueues(topic);
    consumer.assign(queues);
    long wanted = settledEnd(queues, direct);
    List<MessageExt> messages = new ArrayList<>();
    long deadline = System.nanoTime() + LIMIT.toNanos();
    while (messages.size() < wanted) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException(
            "Only %d of %d messages of %s".formatted(messages.size(), wanted, topic));
      }
      messages.addAll(consumer.poll(100));
    }
    messages.sort(
        Comparator.comparingInt(MessageExt::getQueueId)
            .thenComparingLong(MessageExt::getQueueOffset));
    return messages;
  }

  /** A broker acknowledges before readers see it: waits until nothing is added any more. */
  private static long settledEnd(Collection<MessageQueue> queues, DefaultMQProducer direct)
      throws MQClientException {
    long before = -1;
    long now = ends(queues, direct);
    while (now != before) {
      LockSupport.parkNanos(SETTLED_AFTER.toNanos());
      before = now;
      now = ends(queues, direct);
    }
    return now;
  }

  private static long ends(Collection<MessageQueue> queues, DefaultMQProducer direct)
      throws MQClientException {
    long all = 0;
    for (MessageQueue queue : queues) {
      all += end(queue, direct);
    }
    return all;
  }

  @SuppressWarnings("deprecation") // nothing else tells it without an administrator's client
  private static long end(MessageQueue queue, DefaultMQProducer direct) throws MQClientException {
    return direct.maxOffset(queue);
  }
}
