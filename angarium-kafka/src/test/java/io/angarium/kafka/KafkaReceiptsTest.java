package io.angarium.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.Destination;
import io.angarium.MessageId;
import io.angarium.confirmation.ReceiptIntake;
import io.angarium.confirmation.Receipts;
import io.angarium.confirmation.TransportReceipts;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testtransports.NotedReceipts;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Receipts over a topic. */
@RequiresServer(Server.KAFKA)
final class KafkaReceiptsTest {
  @Test
  void receiptsComeAlthoughTheDatabaseIsAwayAtFirst() throws Exception {
    Destination topic = new Destination("kafka", TestBroker.topic("receipts", 2));
    Set<MessageId> ids = NotedReceipts.some(2_500);
    NotedReceipts noted = new NotedReceipts();
    try (KafkaTransport transport = KafkaTransport.open(TestBroker.config())) {
      KafkaReceipts reading =
          KafkaReceipts.start(
              TestBroker.config(), "shop", topic.address(), new ReceiptIntake(noted));
      try (reading;
          Receipts receipts = Receipts.start(new TransportReceipts(transport, topic))) {
        ids.forEach(receipts::processed);
        noted.await(ids);
      }
    }
  }

  @Test
  void topicThatIsMissingIsWaitedFor() throws Exception {
    String topic = "receipts-to-come";
    Set<MessageId> ids = NotedReceipts.some(10);
    NotedReceipts noted = new NotedReceipts();
    try (KafkaReceipts reading =
        KafkaReceipts.start(TestBroker.config(), "early", topic, new ReceiptIntake(noted))) {
      assertThat(reading).isNotNull();
      awaitMember("early");
      TestBroker.topic(topic, 1);
      try (KafkaTransport transport = KafkaTransport.open(TestBroker.config());
          Receipts receipts =
              Receipts.start(new TransportReceipts(transport, new Destination("kafka", topic)))) {
        ids.forEach(receipts::processed);
        noted.await(ids);
      }
    }
  }

  /** It has asked for the topic by then. */
  private static void awaitMember(String group) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (TestBroker.members(group) == 0) {
      assertThat(System.nanoTime()).isLessThan(deadline);
      LockSupport.parkNanos(10_000_000);
    }
  }
}
