package io.angarium.rocketmq;

import org.apache.rocketmq.acl.common.AclClientRPCHook;
import org.apache.rocketmq.acl.common.SessionCredentials;
import org.apache.rocketmq.client.impl.producer.TopicPublishInfo;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.client.producer.TransactionMQProducer;
import org.apache.rocketmq.common.topic.TopicValidator;
import org.apache.rocketmq.remoting.RPCHook;
import org.jspecify.annotations.Nullable;

/** Makes producers as the configuration says. */
public final class Producers {
  private Producers() {}

  /** One that is not started. */
  static DefaultMQProducer plain(RocketConfig config) {
    return configured(new DefaultMQProducer(config.producerGroup(), account(config)), config);
  }

  /** One for transactional messages, not started. */
  public static TransactionMQProducer transactional(RocketConfig cluster, String group) {
    TransactionMQProducer producer =
        configured(new TransactionMQProducer(group, account(cluster)), cluster);
    know(producer, TopicValidator.RMQ_SYS_SELF_TEST_TOPIC);
    return producer;
  }

  // Brokers ask only producers that are connected, and the client connects to the brokers of topics
  // it knows: none, if it has not sent yet. This topic is on every broker. Given to the client as
  // one of its topics, the start would fail while the cluster is away.
  @SuppressWarnings("deprecation") // there is no other way
  private static void know(TransactionMQProducer producer, String topic) {
    producer
        .getDefaultMQProducerImpl()
        .getTopicPublishInfoTable()
        .putIfAbsent(topic, new TopicPublishInfo());
  }

  static @Nullable RPCHook account(RocketConfig config) {
    return config.accessKey().isEmpty()
        ? null
        : new AclClientRPCHook(new SessionCredentials(config.accessKey(), config.secretKey()));
  }

  private static <P extends DefaultMQProducer> P configured(P producer, RocketConfig config) {
    Tls.check(config);
    producer.setNamesrvAddr(config.nameServerList());
    producer.setUseTLS(config.tls());
    producer.setSendMsgTimeout(Math.toIntExact(config.sendTimeout().toMillis()));
    producer.setMqClientApiTimeout(Math.toIntExact(config.sendTimeout().toMillis()));
    producer.setRetryTimesWhenSendFailed(0); // the relay tries again, in order
    producer.setRetryTimesWhenSendAsyncFailed(0);
    producer.setMaxMessageSize(config.messageBytesMax());
    producer.setCompressMsgBodyOverHowmuch(Integer.MAX_VALUE);
    producer.setVipChannelEnabled(false);
    return producer;
  }
}
