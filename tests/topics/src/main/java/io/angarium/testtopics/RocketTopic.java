package io.angarium.testtopics;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.apache.rocketmq.client.consumer.DefaultLitePullConsumer;
import org.apache.rocketmq.client.exception.MQBrokerException;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.common.consumer.ConsumeFromWhere;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageConst;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.common.message.MessageQueue;
import org.apache.rocketmq.remoting.exception.RemotingException;

/** A topic of RocketMQ, which exists. Immutable. */
public record RocketTopic(String nameServer, String name) implements Topic {
  /** 3 s are little on a busy machine. */
  private static final int API_MILLIS_MAX = 30_000;

  private static final int POLL_MILLIS = 100;

  /** The tag of messages that say where a queue ends for a reader. */
  private static final String END = "end-of-reading";

  @Override
  public List<Arrived> read() {
    String reader = "reader-" + UUID.randomUUID();
    DefaultMQProducer producer = new DefaultMQProducer(reader);
    DefaultLitePullConsumer consumer = new DefaultLitePullConsumer(reader);
    try {
      start(producer, reader);
      start(consumer, reader);
      Collection<MessageQueue> queues = producer.fetchPublishMessageQueues(name);
      for (MessageQueue queue : queues) {
        producer.send(new Message(name, END, reader.getBytes(UTF_8)), queue);
      }
      consumer.assign(queues);
      return take(consumer, reader, queues.size());
    } catch (MQClientException | MQBrokerException | RemotingException e) {
      throw new IllegalStateException("The topic " + name + " could not be read", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while " + name + " was read", e);
    } finally {
      consumer.shutdown();
      producer.shutdown();
    }
  }

  @SuppressWarnings("deprecation") // nothing else sets the limit for queues, which is 6 s
  private void start(DefaultMQProducer producer, String reader) throws MQClientException {
    producer.setNamesrvAddr(nameServer);
    producer.setInstanceName(reader);
    producer.setSendMsgTimeout(API_MILLIS_MAX);
    producer.setMqClientApiTimeout(API_MILLIS_MAX);
    producer.start();
    producer
        .getDefaultMQProducerImpl()
        .getMqClientFactory()
        .getMQAdminImpl()
        .setTimeoutMillis(API_MILLIS_MAX);
  }

  private void start(DefaultLitePullConsumer consumer, String reader) throws MQClientException {
    consumer.setNamesrvAddr(nameServer);
    consumer.setInstanceName(reader);
    consumer.setMqClientApiTimeout(API_MILLIS_MAX);
    consumer.setAutoCommit(false);
    // To seek while it pulls already may lose what it has pulled, or bring it twice.
    consumer.setConsumeFromWhere(ConsumeFromWhere.CONSUME_FROM_FIRST_OFFSET);
    consumer.start();
  }

  private List<Arrived> take(DefaultLitePullConsumer consumer, String reader, int queues) {
    List<Arrived> all = new ArrayList<>();
    Patience patience = new Patience(name);
    int ends = 0;
    while (ends < queues) {
      patience.check(all.size());
      for (MessageExt message : consumer.poll(POLL_MILLIS)) {
        String text = new String(message.getBody(), UTF_8);
        if (!END.equals(message.getTags())) {
          all.add(arrived(message, text));
        } else if (text.equals(reader)) {
          ends++;
        }
      }
    }
    return all;
  }

  private static Arrived arrived(MessageExt message, String text) {
    return new Arrived(
        Objects.requireNonNullElse(message.getProperty("angarium-id"), ""),
        message.getProperty(MessageConst.PROPERTY_SHARDING_KEY),
        text);
  }
}
