package io.angarium.rocketmq.transaction;

import io.angarium.half.Marker;
import io.angarium.half.Verdict;
import io.angarium.half.local.LocalTransactions;
import io.angarium.rocketmq.RocketWireFormat;
import org.apache.rocketmq.client.producer.LocalTransactionState;
import org.apache.rocketmq.client.producer.TransactionListener;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageConst;
import org.apache.rocketmq.common.message.MessageExt;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What RocketMQ's client calls: runs the local transaction of a half message, and answers brokers
 * from the markers, for every business type. Thread-safe.
 */
final class RocketCheckBack implements TransactionListener {
  private static final Logger LOG = LoggerFactory.getLogger(RocketCheckBack.class);

  /** The marker type of messages without a business type. */
  private static final String NO_TYPE = "rocketmq";

  /** Brokers give up after 15 questions, unless they are told otherwise. */
  private static final int ALARMING = 10;

  private final LocalTransactions<?> local;

  RocketCheckBack(LocalTransactions<?> local) {
    this.local = local;
  }

  /** The marker of a message: its business type and its id. */
  static Marker marker(@Nullable String businessType, String id) {
    return new Marker(businessType == null ? NO_TYPE : businessType, id);
  }

  @Override
  public LocalTransactionState executeLocalTransaction(Message message, Object run) {
    return ((LocalRun<?, ?, ?>) run).execute();
  }

  @Override
  public LocalTransactionState checkLocalTransaction(MessageExt message) {
    String id = message.getUserProperty(RocketWireFormat.ID);
    if (id == null) {
      LOG.warn(
          "A half message for topic {} without {} was sent by others in our group of producers; the"
              + " group must be ours alone",
          message.getTopic(),
          RocketWireFormat.ID);
      return LocalTransactionState.UNKNOW;
    }
    try {
      Marker marker = marker(message.getUserProperty(RocketWireFormat.BUSINESS_TYPE), id);
      return answer(message, id, local.check(marker));
    } catch (RuntimeException e) {
      LOG.warn("The check-back of message {} failed; the broker asks again", id, e);
      return LocalTransactionState.UNKNOW;
    }
  }

  private static LocalTransactionState answer(MessageExt message, String id, Verdict verdict) {
    LOG.debug("The local transaction of message {} is {}", id, verdict);
    int times = times(message);
    if (!verdict.isFinal() && times >= ALARMING) {
      LOG.warn(
          "The broker has asked {} times for message {} of topic {}, whose local transaction is {};"
              + " it stops asking after transactionCheckMax",
          times,
          id,
          message.getTopic(),
          verdict);
    }
    return switch (verdict) {
      case COMMITTED -> LocalTransactionState.COMMIT_MESSAGE;
      case ROLLED_BACK -> LocalTransactionState.ROLLBACK_MESSAGE;
      case IN_FLIGHT, UNKNOWN, UNREACHABLE -> LocalTransactionState.UNKNOW;
    };
  }

  private static int times(MessageExt message) {
    String times = message.getUserProperty(MessageConst.PROPERTY_TRANSACTION_CHECK_TIMES);
    return times == null || !times.chars().allMatch(Character::isDigit)
        ? 0
        : Integer.parseInt(times);
  }
}
