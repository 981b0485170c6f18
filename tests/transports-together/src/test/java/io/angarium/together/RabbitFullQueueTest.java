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
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A relay between a database and a queue of RabbitMQ that is mostly full: it nacks many. */
@RequiresServer({Server.POSTGRESQL, Server.RABBITMQ})
class RabbitFullQueueTest {
  private static final String QUEUE = "mostly-full";
  private static final int LENGTH_MAX = 5;
  private static final int MESSAGES = 300;

  private static RabbitBroker rabbit;

  @BeforeAll
  static void startBroker() {
    rabbit = new RabbitBroker(RabbitServer.start(ServerOptions.standard().ownProcess().proxied()));
  }

  @AfterAll
  static void stopBroker() {
    rabbit.server().close();
  }

  /**
   * Room comes and goes, so that a message is refused and the next one of its key would be taken.
   */
  @Test
  void whatIsRefusedIsNotOvertakenByTheNextOfItsKey() throws InterruptedException {
    RabbitQueue queue = RabbitQueue.createBounded(rabbit.server().directUri(), QUEUE, LENGTH_MAX);
    String destination = "rabbitmq:/" + QUEUE;
    try (Application application =
        new Application(
            SharedServers.postgres().freshDatabase(),
            database -> List.of(rabbit.open(Duration.ofSeconds(5), database)))) {
      Traffic traffic = application.traffic;
      application.write(destination, 0, MESSAGES);
      traffic.awaitFailure();

      long deadline = System.nanoTime() + 10 * Traffic.LIMIT.toNanos();
      List<Arrived> taken =
          queue.takeOneByOne(
              () ->
                  traffic.acknowledged(destination) < MESSAGES && System.nanoTime() - deadline < 0);

      assertThat(traffic.failures()).as("nacked").allMatch(text -> text.contains("is full"));
      new Delivered(taken.stream().map(Arrived::text).toList()).assertCompleteAndInOrder(MESSAGES);
    }
  }
}
