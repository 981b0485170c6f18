package io.angarium.rocketmq;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.throwable;

import io.angarium.testservers.OnOneJdk;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.apache.rocketmq.client.exception.MQBrokerException;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.client.producer.SendResult;
import org.apache.rocketmq.client.producer.SendStatus;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageBatch;
import org.apache.rocketmq.common.message.MessageClientIDSetter;
import org.apache.rocketmq.common.message.MessageDecoder;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.common.message.MessageQueue;
import org.apache.rocketmq.remoting.protocol.ResponseCode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What the timers of a real broker do, on which decision 7 rests: delayed messages wait in the
 * database instead. If a newer RocketMQ makes one of these fail, the decision can be made anew.
 */
@OnOneJdk
@RequiresServer(Server.ROCKETMQ)
class RocketTimersTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private DefaultMQProducer producer;

  @BeforeEach
  void connect() throws MQClientException {
    producer =
        Producers.plain(
            RocketConfig.of(TestCluster.server().directNameServer())
                .sendTimeout(Duration.ofSeconds(20))
                .producerGroup("timers"));
    producer.start();
  }

  @AfterEach
  void close() {
    producer.shutdown();
  }

  private static Message message(String topic, String text, Duration delay) {
    Message message = new Message(topic, text.getBytes(UTF_8));
    if (!delay.isZero()) {
      message.setDeliverTimeMs(System.currentTimeMillis() + delay.toMillis());
    }
    return message;
  }

  private SendStatus send(Message message) throws Exception {
    SendResult result = producer.send(message, new MessageQueue(message.getTopic(), "broker-a", 0));
    return result.getSendStatus();
  }

  private static List<String> texts(String topic, int count) {
    long deadline = System.nanoTime() + LIMIT.toNanos();
    List<MessageExt> read = TestCluster.read(topic);
    while (read.size() < count) {
      assertThat(System.nanoTime()).as("%d of %s in time", count, topic).isLessThan(deadline);
      read = TestCluster.read(topic);
    }
    return read.stream().map(found -> new String(found.getBody(), UTF_8)).toList();
  }

  /** Acknowledged first, and yet behind: a timer is no part of the order of its queue. */
  @Test
  void messageAtTheTimerIsOvertakenByALaterOneOfItsQueue() throws Exception {
    String topic = TestCluster.topic("timer-order", 1);

    assertThat(send(message(topic, "first", Duration.ZERO))).isEqualTo(SendStatus.SEND_OK);
    assertThat(send(message(topic, "for later", Duration.ofSeconds(10))))
        .isEqualTo(SendStatus.SEND_OK);
    assertThat(send(message(topic, "at once", Duration.ZERO))).isEqualTo(SendStatus.SEND_OK);

    assertThat(texts(topic, 3)).containsExactly("first", "at once", "for later");
  }

  /** The limit is the broker's, and whoever hands a message over early does not know it. */
  @Test
  void messageBeyondTheLimitIsRefused() {
    String topic = TestCluster.topic("timer-limit", 1);

    assertThatThrownBy(() -> send(message(topic, "next week", Duration.ofDays(4))))
        .asInstanceOf(throwable(MQBrokerException.class))
        .satisfies(e -> assertThat(e.getResponseCode()).isEqualTo(ResponseCode.MESSAGE_ILLEGAL))
        .hasMessageContaining("the delay time should not be bigger than the max delay 259200000ms");
  }

  /** The client refuses, as it does of delay levels. */
  @Test
  void clientMakesNoRequestOfManyMessagesWithTimes() {
    List<Message> request =
        Stream.of("one", "two").map(text -> message("any", text, Duration.ofHours(1))).toList();

    assertThatThrownBy(() -> producer.send(request))
        .isInstanceOf(MQClientException.class)
        .hasRootCauseMessage("Delayed messages are not supported for batching");
  }

  /** Made past the client, as ours are, it is acknowledged, and the times are not looked at. */
  @Test
  void brokerDeliversARequestOfManyMessagesAtOnceWhateverTheirTimes() throws Exception {
    String topic = TestCluster.topic("timer-batch", 1);
    List<Message> messages =
        Stream.of("one", "two").map(text -> message(topic, text, Duration.ofHours(1))).toList();
    MessageBatch request = new MessageBatch(List.of());
    request.setTopic(topic);
    request.setWaitStoreMsgOK(true);
    MessageClientIDSetter.setUniqID(request);
    request.setBody(MessageDecoder.encodeMessages(messages));

    assertThat(send(request)).isEqualTo(SendStatus.SEND_OK);

    assertThat(texts(topic, 2)).containsExactly("one", "two");
  }
}
