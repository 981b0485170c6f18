package io.angarium.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.Destination;
import io.angarium.MessageId;
import io.angarium.confirmation.ReceiptIntake;
import io.angarium.confirmation.Receipts;
import io.angarium.confirmation.TransportReceipts;
import io.angarium.testservers.OnOneJdk;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.RocketServer;
import io.angarium.testservers.Server;
import io.angarium.testtransports.NotedReceipts;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Receipts over a topic. */
@OnOneJdk
@RequiresServer(Server.ROCKETMQ)
final class RocketReceiptsTest {
  @Test
  void receiptsComeAlthoughTheDatabaseIsAwayAtFirst() throws Exception {
    Destination topic = new Destination("rocketmq", TestCluster.topic("receipts", 2));
    Set<MessageId> ids = NotedReceipts.some(2_500);
    NotedReceipts noted = new NotedReceipts();
    try (RocketTransport transport = RocketTransport.open(TestCluster.config())) {
      RocketReceipts reading =
          RocketReceipts.start(
              TestCluster.config(), "shop", topic.address(), new ReceiptIntake(noted));
      try (reading;
          Receipts receipts = Receipts.start(new TransportReceipts(transport, topic))) {
        ids.forEach(receipts::processed);
        noted.await(ids);
      }
    }
  }

  @Test
  void readingBeginsWhenTheClusterIsThere() throws Exception {
    Destination topic = new Destination("rocketmq", TestCluster.topic("late-receipts", 1));
    Set<MessageId> ids = NotedReceipts.some(10);
    NotedReceipts noted = new NotedReceipts();
    RocketServer cluster = TestCluster.server();
    cluster.nameServerProxy().refuse();
    cluster.proxy().refuse();
    try (RocketReceipts reading =
        RocketReceipts.start(
            TestCluster.config(), "late-shop", topic.address(), new ReceiptIntake(noted))) {
      assertThat(reading).isNotNull();
      cluster.nameServerProxy().heal();
      cluster.proxy().heal();
      try (RocketTransport transport = RocketTransport.open(TestCluster.config());
          Receipts receipts = Receipts.start(new TransportReceipts(transport, topic))) {
        ids.forEach(receipts::processed);
        noted.await(ids);
      }
    } finally {
      cluster.nameServerProxy().heal();
      cluster.proxy().heal();
    }
  }

  /** RocketMQ gives most messages up after 16 times. */
  @Test
  void receiptsComeAgainUntilTheyAreTaken() throws Exception {
    Destination topic = new Destination("rocketmq", TestCluster.topic("patient-receipts", 1));
    Set<MessageId> ids = NotedReceipts.some(10);
    NotedReceipts noted = new NotedReceipts(18);
    try (RocketTransport transport = RocketTransport.open(TestCluster.config())) {
      RocketReceipts reading =
          RocketReceipts.start(
              TestCluster.config(), "patient-shop", topic.address(), new ReceiptIntake(noted));
      try (reading;
          Receipts receipts = Receipts.start(new TransportReceipts(transport, topic))) {
        ids.forEach(receipts::processed);
        noted.await(ids);
      }
    }
  }
}
