package io.angarium.together;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.testservers.RabbitServer;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.ServerOptions;
import io.angarium.testservers.SharedServers;
import io.angarium.testtopics.Arrived;
import io.angarium.testtopics.RabbitQueue;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A relay between a database and a RabbitMQ that has no room left. */
@RequiresServer({Server.POSTGRESQL, Server.RABBITMQ})
class RabbitShortageTest {
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final int MESSAGES = 300;
  private static final int BEFORE = 50;

  private static RabbitBroker rabbit;

  @BeforeAll
  static void startBroker() {
    rabbit = new RabbitBroker(RabbitServer.start(ServerOptions.standard().ownProcess().proxied()));
  }

  @AfterAll
  static void stopBroker() {
    rabbit.server().close();
  }

  private static Application application() {
    return new Application(
        Application.WINDOW,
        SharedServers.postgres().freshDatabase(),
        database -> List.of(rabbit.open(PATIENCE, database)));
  }

  private static void await(String what, BooleanSupplier condition) {
    long deadline = System.nanoTime() + Traffic.LIMIT.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as(what).isLessThan(deadline);
      LockSupport.parkNanos(10_000_000);
    }
  }

  @Test
  void inADiskAlarmMessagesWaitAndAfterItAllArriveInOrder() throws InterruptedException {
    String destination = rabbit.create("no-disk");
    try (Application application = application()) {
      Traffic traffic = application.traffic;
      application.write(destination, 0, BEFORE);
      traffic.awaitAcknowledged(destination, BEFORE);
      rabbit.fillDisk();
      try {
        application.write(destination, BEFORE, MESSAGES);
        await("the alarm", () -> traffic.outages().stream().anyMatch(RabbitShortageTest::isOfDisk));
        await(
            "the rest in the outbox",
            () -> application.backlog().depth() == MESSAGES - traffic.acknowledged(destination));
        assertThat(traffic.acknowledged(destination)).isLessThan(MESSAGES);
      } finally {
        rabbit.emptyDisk();
      }

      traffic.awaitAcknowledged(destination, MESSAGES);

      assertThat(traffic.failures()).as("dead, or an attempt spent").isEmpty();
      new Delivered(rabbit.read("no-disk")).assertCompleteAndInOrder(MESSAGES);
    }
  }

  /**
   * Room comes and goes, so that a message is refused and the next one of its key would be taken.
   */
  @Test
  void whatAFullQueueRefusesIsNotOvertakenByTheNextOfItsKey() {
    RabbitQueue queue = RabbitQueue.createBounded(rabbit.server().directUri(), "mostly-full", 5);
    String destination = "rabbitmq:/mostly-full";
    try (Application application = application()) {
      Traffic traffic = application.traffic;
      application.write(destination, 0, MESSAGES);
      await("a message that was refused", () -> !traffic.failures().isEmpty());

      long deadline = System.nanoTime() + 10 * Traffic.LIMIT.toNanos();
      List<Arrived> taken =
          queue.takeOneByOne(
              () ->
                  traffic.acknowledged(destination) < MESSAGES && System.nanoTime() - deadline < 0);

      assertThat(traffic.failures()).as("nacked").allMatch(text -> text.contains("is full"));
      new Delivered(taken.stream().map(Arrived::text).toList()).assertCompleteAndInOrder(MESSAGES);
    }
  }

  private static boolean isOfDisk(String reason) {
    return reason.contains("connection blocked") && reason.contains("disk");
  }
}
