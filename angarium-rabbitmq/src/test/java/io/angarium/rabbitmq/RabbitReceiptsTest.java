package io.angarium.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.MessageProperties;
import io.angarium.Destination;
import io.angarium.MessageId;
import io.angarium.confirmation.ReceiptIntake;
import io.angarium.confirmation.ReceiptText;
import io.angarium.confirmation.Receipts;
import io.angarium.confirmation.TransportReceipts;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testtransports.NotedReceipts;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Receipts over a queue. */
@RequiresServer(Server.RABBITMQ)
final class RabbitReceiptsTest {
  /** Else a reader gives up on a slow broker, which uses up one of the times to come back. */
  private static RabbitConfig patient() {
    return TestBroker.config().connectTimeout(Duration.ofSeconds(30));
  }

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

  /** Without dead letters it would be lost: a quorum queue of RabbitMQ 4 counts to 20 by itself. */
  @Test
  void anOutageOfTheDatabaseUsesUpNoneOfTheTimesThatAReceiptMayComeBack() throws Exception {
    TestBroker.queue("counting", Map.of("x-queue-type", "quorum", "x-delivery-limit", 1));
    Set<MessageId> ids = NotedReceipts.some(3);
    NotedReceipts noted = new NotedReceipts(4);
    publish("counting", ids);

    try (RabbitReceipts reading =
        RabbitReceipts.start(patient(), "counting", new ReceiptIntake(noted))) {
      assertThat(reading).isNotNull();
      noted.await(ids);
      publish("counting", NotedReceipts.some(4));
      noted.await(NotedReceipts.some(4)); // what came before it is acknowledged by then
    }

    assertThat(TestBroker.take("counting"))
        .noneMatch(left -> Arrays.equals(left.getBody(), ReceiptText.encode(ids)));
  }

  /** Before the broker takes its consumer for dead; and it is read again after the outage only. */
  @Test
  void whatTheDatabaseDoesNotTakeForLongGoesBackToTheQueueOnce() throws Exception {
    TestBroker.queue("holding", Map.of("x-queue-type", "quorum", "x-delivery-limit", 1));
    Set<MessageId> ids = NotedReceipts.some(3);
    NotedReceipts noted = new NotedReceipts(Integer.MAX_VALUE);
    publish("holding", ids);

    try (RabbitReceipts reading =
        RabbitReceipts.start(
            patient(),
            factory -> {},
            "holding",
            new ReceiptIntake(noted),
            Duration.ofMillis(100))) {
      assertThat(reading).isNotNull();
      noted.awaitRefused(6); // long enough to connect anew
      awaitReady("holding", 1);
      long consumers = TestBroker.ask(channel -> channel.consumerCount("holding"));
      assertThat(consumers).isZero();
      noted.isBack();
      noted.await(ids);
      awaitReady("holding", 0);
    }
  }

  @Test
  void closingDoesNotWaitForTheDatabaseAndLosesNothing() throws Exception {
    TestBroker.queue("closing", Map.of("x-queue-type", "quorum", "x-delivery-limit", 1));
    NotedReceipts noted = new NotedReceipts(Integer.MAX_VALUE);
    publish("closing", NotedReceipts.some(3));
    RabbitReceipts reading = RabbitReceipts.start(patient(), "closing", new ReceiptIntake(noted));
    noted.awaitRefused(1);

    reading.close(); // though the database never comes back

    awaitReady("closing", 1);
  }

  private static void publish(String queue, Set<MessageId> ids) {
    byte[] text = ReceiptText.encode(ids);
    TestBroker.ask(
        channel -> {
          channel.basicPublish("", queue, MessageProperties.PERSISTENT_BASIC, text);
          return true;
        });
  }

  private static void awaitReady(String queue, long messages) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (TestBroker.ask(channel -> channel.messageCount(queue)) != messages) {
      assertThat(System.nanoTime()).as("%d in %s in time", messages, queue).isLessThan(deadline);
      LockSupport.parkNanos(10_000_000);
    }
  }

  private static void awaitConsumer(String queue) {
    TestBroker.ask(channel -> channel.queueDeclare(queue, true, false, false, Map.of()));
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (TestBroker.ask(channel -> channel.consumerCount(queue)) == 0) {
      assertThat(System.nanoTime()).isLessThan(deadline);
      LockSupport.parkNanos(10_000_000);
    }
  }
}
