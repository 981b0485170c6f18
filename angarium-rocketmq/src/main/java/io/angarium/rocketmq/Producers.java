package io.angarium.rocketmq;

import org.apache.rocketmq.acl.common.AclClientRPCHook;
import org.apache.rocketmq.acl.common.SessionCredentials;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.client.producer.TransactionMQProducer;
import org.apache.rocketmq.remoting.RPCHook;
import org.jspecify.annotations.Nullable;

/** Makes producers as the configuration says. */
final class Producers {
  private Producers() {}

  /** One that is not started. */
  static DefaultMQProducer plain(RocketConfig config) {
    return configured(new DefaultMQProducer(config.producerGroup(), account(config)), config);
  }

  /** One for transactional messages, not started. */
  static TransactionMQProducer transactional(RocketConfig config) {
    return configured(new TransactionMQProducer(config.producerGroup(), account(config)), config);
  }

  private static @Nullable RPCHook account(RocketConfig config) {
    return config.accessKey().isEmpty()
        ? null
        : new AclClientRPCHook(new SessionCredentials(config.accessKey(), config.secretKey()));
  }

  private static <P extends DefaultMQProducer> P configured(P producer, RocketConfig config) {
    producer.setNamesrvAddr(config.nameServers().replace(',', ';').replace(" ", ""));
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
