package io.angarium.rocketmq;

import io.angarium.confirmation.ReceiptIntake;
import io.angarium.confirmation.ReceiptReading;
import io.angarium.confirmation.ReceiptSource;
import java.time.Duration;
import java.util.List;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.consumer.listener.ConsumeOrderlyStatus;
import org.apache.rocketmq.client.consumer.listener.MessageListenerOrderly;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.common.consumer.ConsumeFromWhere;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageExt;

/**
 * Reads receipts from a topic and notes them; they are acknowledged after that, and come again
 * until they are taken, however long that lasts. Every node of the producer may have one, in the
 * same group. Thread-safe.
 */
public final class RocketReceipts implements AutoCloseable {
  private static final int BATCH_MAX = 32;
  private static final Duration RETRY_PAUSE = Duration.ofSeconds(1);

  private final ReceiptReading reading;

  private RocketReceipts(ReceiptReading reading) {
    this.reading = reading;
  }

  /**
   * Starts reading; while that cannot be done it is tried again, and logged.
   *
   * @param config how to reach the cluster
   * @param group of consumers, the same on every node of the producer
   * @param topic that consumers send their receipts to; a new group begins at its start
   * @throws io.angarium.ConfigurationException if TLS is wanted and cannot be had
   */
  public static RocketReceipts start(
      RocketConfig config, String group, String topic, ReceiptIntake intake) {
    Tls.check(config);
    return new RocketReceipts(
        ReceiptReading.start("rocketmq", topic, () -> open(config, group, topic, intake)));
  }

  private static ReceiptSource.Session open(
      RocketConfig config, String group, String topic, ReceiptIntake intake)
      throws MQClientException {
    DefaultMQPushConsumer consumer = new DefaultMQPushConsumer(group, Producers.account(config));
    consumer.setNamesrvAddr(config.nameServerList());
    consumer.setUseTLS(config.tls());
    consumer.setInstanceName(group + "-" + Integer.toHexString(System.identityHashCode(consumer)));
    consumer.setConsumeFromWhere(ConsumeFromWhere.CONSUME_FROM_FIRST_OFFSET);
    consumer.setConsumeMessageBatchMaxSize(BATCH_MAX);
    // In order, as what is not taken then waits here. Otherwise each message would be sent back to
    // the broker, 16 times, and be put aside.
    consumer.setSuspendCurrentQueueTimeMillis(RETRY_PAUSE.toMillis());
    MessageListenerOrderly listener = (messages, context) -> take(messages, topic, intake);
    consumer.registerMessageListener(listener);
    try {
      consumer.subscribe(topic, "*");
      consumer.start();
    } catch (MQClientException | RuntimeException e) {
      consumer.shutdown();
      throw e;
    }
    return new Session(consumer);
  }

  private static ConsumeOrderlyStatus take(
      List<MessageExt> messages, String topic, ReceiptIntake intake) {
    return intake.taken(topic, messages.stream().map(Message::getBody).toList())
        ? ConsumeOrderlyStatus.SUCCESS
        : ConsumeOrderlyStatus.SUSPEND_CURRENT_QUEUE_A_MOMENT;
  }

  /** The client calls back, and connects anew by itself. */
  private record Session(DefaultMQPushConsumer consumer) implements ReceiptSource.Session {
    @Override
    public boolean read() {
      return false;
    }

    @Override
    public void close() {
      consumer.shutdown();
    }
  }

  /** Ends the reading. What is not acknowledged comes again. May be called twice. */
  @Override
  public void close() {
    reading.close();
  }
}
