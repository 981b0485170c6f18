package io.angarium.rocketmq;

import io.angarium.TimeSource;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.common.message.MessageQueue;
import org.apache.rocketmq.common.topic.TopicValidator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread that asks the name servers, which blocks, and gives up what takes too long.
 * Thread-safe.
 */
final class TopicUpkeep implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TopicUpkeep.class);
  private static final Duration BUSY = Duration.ofMillis(100);
  private static final Duration IDLE = Duration.ofSeconds(1);
  private static final Duration REFRESH = Duration.ofSeconds(30);

  private static final String EVERY_BROKERS_TOPIC = TopicValidator.RMQ_SYS_SELF_TEST_TOPIC;

  private static final Comparator<MessageQueue> ORDER =
      Comparator.comparing(MessageQueue::getBrokerName).thenComparingInt(MessageQueue::getQueueId);

  private final DefaultMQProducer producer;
  private final Queues queues;
  private final TimeSource time;
  private final Thread thread;
  private final Map<String, Long> askedNanos = new HashMap<>();
  private volatile boolean closed;

  TopicUpkeep(RocketConfig config, DefaultMQProducer producer, Queues queues, TimeSource time) {
    this.producer = producer;
    this.queues = queues;
    this.time = time;
    this.thread = new Thread(this::run, config.producerGroup() + "-rocketmq-upkeep");
    this.thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  /** There may be something to do. */
  void hurry() {
    LockSupport.unpark(thread);
  }

  private void run() {
    while (!closed) {
      try {
        work();
      } catch (Throwable e) { // the outermost loop: must go on
        LOG.error("The upkeep of the RocketMQ transport failed; it is run again", e);
      }
      LockSupport.parkNanos(this, (queues.isIdle() ? IDLE : BUSY).toNanos());
    }
  }

  private void work() {
    List<Queues.Wanted> wanted = queues.topics();
    askedNanos.keySet().retainAll(wanted.stream().map(Queues.Wanted::topic).toList());
    for (Queues.Wanted topic : wanted) {
      if (topic.urgent() || isOld(topic.topic())) {
        lookUp(topic.topic());
      }
    }
  }

  private boolean isOld(String topic) {
    Long asked = askedNanos.get(topic);
    return asked == null || time.nanoTime() - asked > REFRESH.toNanos();
  }

  private void lookUp(String topic) {
    askedNanos.put(topic, time.nanoTime());
    try {
      List<MessageQueue> found =
          producer.fetchPublishMessageQueues(topic).stream().sorted(ORDER).toList();
      queues.lookedUp(topic, found, time.nanoTime());
    } catch (MQClientException | IllegalStateException e) {
      LOG.debug("The queues of topic {} cannot be had now", topic, e);
      boolean missing = RocketDiagnosis.isMissingTopic(e) && isAnyBrokerThere();
      queues.notLookedUp(topic, missing, e, time.nanoTime());
    }
  }

  /** The name servers forget the topics of a broker that is away, as if they had never been. */
  private boolean isAnyBrokerThere() {
    try {
      return !producer.fetchPublishMessageQueues(EVERY_BROKERS_TOPIC).isEmpty();
    } catch (MQClientException | IllegalStateException e) {
      return false;
    }
  }

  /** Ends the thread, without waiting for it. */
  @Override
  public void close() {
    closed = true;
    thread.interrupt();
  }
}
