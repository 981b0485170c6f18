package io.angarium.rocketmq;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.Message;
import io.angarium.rocketmq.QueueLane.Batch;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.client.producer.SendStatus;
import org.apache.rocketmq.common.message.MessageQueue;
import org.junit.jupiter.api.Test;

/** Requests of as many messages as may be are never larger than a broker takes. */
@RequiresServer(Server.ROCKETMQ)
class QueueLaneTest {
  private static final int LIMIT = TestCluster.MESSAGE_BYTES_MAX;

  private final RocketConfig config =
      TestCluster.config()
          .sendTimeout(Duration.ofSeconds(20))
          .messageBytesMax(LIMIT)
          .batchBytes(4 << 20)
          .batchMessages(10_000);

  private List<Batch> batches(String topic, int messages, Message message) {
    QueueLane lane = new QueueLane(new MessageQueue(topic, "broker-a", 0), config);
    for (int i = 0; i < messages; i++) {
      lane.waiting.add(QueuesScene.attempt(message, topic));
    }
    List<Batch> batches = new ArrayList<>();
    for (Batch next = lane.next(0); next != null; next = lane.next(0)) {
      batches.add(next);
      lane.ended(next);
    }
    return batches;
  }

  private void assertStored(List<Batch> batches) throws Exception {
    DefaultMQProducer producer = Producers.plain(config.producerGroup("lanes"));
    producer.start();
    try {
      for (Batch batch : batches) {
        org.apache.rocketmq.common.message.Message request =
            RocketRequestEncoding.request(batch.attempts());
        assertThat(request.getBody()).hasSizeLessThanOrEqualTo(LIMIT);
        assertThat(producer.send(request, batch.lane().queue).getSendStatus())
            .isEqualTo(SendStatus.SEND_OK);
      }
    } finally {
      producer.shutdown();
    }
  }

  /** Beside small payloads, which alone would fit a hundred times. */
  @Test
  void largeHeadersCount() throws Exception {
    String topic = TestCluster.topic("large-headers", 1);
    Message message =
        Message.of("rocketmq:t", "small".getBytes(UTF_8)).header("h", "x".repeat(8_500));

    List<Batch> batches = batches(topic, 500, message);

    assertThat(batches).hasSizeBetween(3, 4);
    assertStored(batches);
  }

  /** A broker adds to each message, and has the same limit for that. */
  @Test
  void whatABrokerAddsToSmallMessagesCounts() throws Exception {
    String topic =
        TestCluster.topic("a-topic-with-a-name-that-is-long-itself-" + "x".repeat(60), 1);
    Message message = Message.of("rocketmq:t", new byte[0]).key("k");

    List<Batch> batches = batches(topic, 10_000, message);

    assertThat(batches).hasSizeGreaterThan(1);
    assertStored(batches);
  }

  @Test
  void lettersOfMoreThanOneByteCount() throws Exception {
    String topic = TestCluster.topic("letters", 1);
    Message message =
        Message.of("rocketmq:t", new byte[1])
            .header("h", "ы".repeat(1_000) + "語".repeat(1_000) + "😀".repeat(500));

    List<Batch> batches = batches(topic, 500, message);

    assertThat(batches).hasSizeBetween(3, 4);
    assertStored(batches);
  }
}
