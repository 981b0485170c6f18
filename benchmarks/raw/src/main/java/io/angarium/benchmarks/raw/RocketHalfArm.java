package io.angarium.benchmarks.raw;

import io.angarium.benchmarks.arm.Arm;
import io.angarium.benchmarks.arm.ArmProgram;
import io.angarium.benchmarks.arm.ArmSettings;
import io.angarium.benchmarks.arm.Outgoing;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.producer.LocalTransactionState;
import org.apache.rocketmq.client.producer.SendStatus;
import org.apache.rocketmq.client.producer.TransactionListener;
import org.apache.rocketmq.client.producer.TransactionMQProducer;
import org.apache.rocketmq.client.producer.TransactionSendResult;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageExt;

/**
 * RocketMQ's own transactional messages, with a local transaction that is committed at once. Its
 * client does not wait for an answer to the commit: a pair ends when the commit is written to the
 * socket.
 */
public final class RocketHalfArm implements Arm {
  private final TransactionMQProducer producer = new TransactionMQProducer("half-benchmark");
  private final String topic;
  private final AtomicLong sent = new AtomicLong();

  RocketHalfArm(ArmSettings settings) throws MQClientException {
    this.topic = settings.topic();
    producer.setNamesrvAddr(settings.brokerAddress());
    producer.setSendMsgTimeout(30_000); // its first request takes long on a busy machine
    producer.setMqClientApiTimeout(30_000);
    producer.setTransactionListener(new Committed());
    producer.start();
  }

  /** Obeys the harness. */
  public static void main(String[] args) throws IOException {
    ArmProgram.run(RocketHalfArm::new);
  }

  @Override
  public void transact(long businessId, List<Outgoing> messages) throws MQClientException {
    for (Outgoing outgoing : messages) {
      Message message = new Message(topic, outgoing.payload());
      TransactionSendResult result = producer.sendMessageInTransaction(message, null);
      if (result.getSendStatus() != SendStatus.SEND_OK) {
        throw new IllegalStateException(result.toString());
      }
      sent.incrementAndGet();
    }
  }

  @Override
  public void start() {}

  @Override
  public void stop() {}

  @Override
  public long sent() {
    return sent.get();
  }

  @Override
  public long left() {
    return 0;
  }

  @Override
  public void close() {
    producer.shutdown();
  }

  /** Every local transaction was committed, also for the broker that asks. */
  private static final class Committed implements TransactionListener {
    @Override
    public LocalTransactionState executeLocalTransaction(Message message, Object argument) {
      return LocalTransactionState.COMMIT_MESSAGE;
    }

    @Override
    public LocalTransactionState checkLocalTransaction(MessageExt message) {
      return LocalTransactionState.COMMIT_MESSAGE;
    }
  }
}
