package io.angarium.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.Destination;
import io.angarium.MessageId;
import io.angarium.confirmation.ReceiptIntake;
import io.angarium.confirmation.ReceiptText;
import io.angarium.confirmation.Receipts;
import io.angarium.confirmation.TransportReceipts;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testtransports.NotedReceipts;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Receipts over a queue. */
@RequiresServer(Server.RABBITMQ)
final class RabbitReceiptsTest {
  @Test
  void receiptsComeAlthoughTheDatabaseIsAwayAtFirst() throws Exception {
    TestBroker.ask(channel -> channel.queueDeclare("receipts", true, false, false, Map.of()));
    Set<MessageId> ids = NotedReceipts.some(2_500);
    NotedReceipts noted = new NotedReceipts();
    try (RabbitTransport transport = RabbitTransport.open(TestBroker.config())) {
      RabbitReceipts reading =
          RabbitReceipts.start(TestBroker.config(), "receipts", new ReceiptIntake(noted));
      Destination queue = new Destination("rabbitmq", "/receipts");
      try (reading;
          Receipts receipts = Receipts.start(new TransportReceipts(transport, queue))) {
        ids.forEach(receipts::processed);
        noted.await(ids);
      }
    }
  }

  @Test
  void readingGoesOnWhenTheQueueIsThereAgain() throws Exception {
    TestBroker.ask(channel -> channel.queueDelete("returning"));
    Set<MessageId> ids = NotedReceipts.some(10);
    NotedReceipts noted = new NotedReceipts();
    try (RabbitReceipts reading =
        RabbitReceipts.start(TestBroker.config(), "returning", new ReceiptIntake(noted))) {
      assertThat(reading).isNotNull();
      awaitConsumer("returning");
      TestBroker.ask(channel -> channel.queueDelete("returning"));
      awaitConsumer("returning");
      byte[] text = ReceiptText.encode(ids);
      TestBroker.ask(
          channel -> {
            channel.basicPublish("", "returning", null, text);
            return true;
          });
      noted.await(ids);
    }
  }

  @Test
  void credentialsMayBeGivenByTheCustomizer() throws Exception {
    TestBroker.ask(channel -> channel.queueDeclare("customized", true, false, false, Map.of()));
    RabbitConfig known = TestBroker.config();
    Set<MessageId> ids = NotedReceipts.some(10);
    NotedReceipts noted = new NotedReceipts();
    try (RabbitReceipts reading =
        RabbitReceipts.start(
            known.password("not " + known.password()),
            factory -> factory.setPassword(known.password()),
            "customized",
            new ReceiptIntake(noted))) {
      assertThat(reading).isNotNull();
      byte[] text = ReceiptText.encode(ids);
      TestBroker.ask(
          channel -> {
            channel.basicPublish("", "customized", null, text);
            return true;
          });
      noted.await(ids);
    }
  }

  private static void awaitConsumer(String queue) {
    TestBroker.ask(channel -> channel.queueDeclare(queue, true, false, false, Map.of()));
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (TestBroker.ask(channel -> channel.consumerCount(queue)) == 0) {
      assertThat(System.nanoTime()).isLessThan(deadline);
    }
  }
}
