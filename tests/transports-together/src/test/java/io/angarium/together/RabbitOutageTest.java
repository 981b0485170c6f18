package io.angarium.together;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.testservers.FaultProxy;
import io.angarium.testservers.RabbitServer;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.ServerOptions;
import io.angarium.testservers.SharedServers;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A relay between a database and RabbitMQ, whose connections break while it sends. */
@RequiresServer({Server.POSTGRESQL, Server.RABBITMQ})
class RabbitOutageTest {
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final int CUTS = 12;

  /** Messages in flight at most. */
  private static final int WINDOW = 200;

  /** More for each cut than may come twice because of it. */
  private static final int WRITTEN_EACH = WINDOW * 3 / 2;

  /** Some confirms. */
  private static final int TO_CLIENT_BYTES = 300;

  /** Some dozens of messages. */
  private static final int TO_SERVER_BYTES = 20_000;

  private static RabbitBroker rabbit;

  private final long seed = Long.getLong("angarium.seed", System.nanoTime());
  private final Random random = new Random(seed);

  @BeforeAll
  static void startBroker() {
    rabbit = new RabbitBroker(RabbitServer.start(ServerOptions.standard().ownProcess().proxied()));
  }

  @AfterAll
  static void stopBroker() {
    rabbit.server().close();
  }

  @Test
  void connectionsCutAtRandomLoseAndDisorderNothingAndRepeatNoMoreThanWasUnderWay() {
    try {
      cutAtRandom();
    } catch (AssertionError | Exception e) {
      throw new AssertionError(
          "seed " + seed + "; draw the same cuts with -Dangarium.seed=" + seed, e);
    }
  }

  private void cutAtRandom() throws InterruptedException {
    String destination = rabbit.create("cut");
    int cutsBefore = rabbit.proxy().cuts();

    try (Application application =
        new Application(
            WINDOW,
            SharedServers.postgres().freshDatabase(),
            database -> List.of(rabbit.open(PATIENCE, database)))) {
      int written = 0;
      for (int cut = 0; cut < CUTS; cut++) {
        armCut(); // before, for all that is written may be confirmed soon
        application.write(destination, written, written + WRITTEN_EACH);
        written += WRITTEN_EACH;
        application.traffic.awaitAcknowledged(destination, written - random.nextInt(WRITTEN_EACH));
      }
      application.traffic.awaitAcknowledged(destination, written);

      int cuts = rabbit.proxy().cuts() - cutsBefore;
      Delivered delivered = new Delivered(rabbit.read("cut"));
      assertThat(cuts).as("cuts").isGreaterThan(CUTS / 2);
      assertThat(application.traffic.failures()).as("dead, or an attempt spent").isEmpty();
      delivered.assertCompleteAndInOrder(written);
      delivered.assertRepeatedOnlyWhatWasHandedOverAgain(destination, application.traffic);
      assertThat(delivered.repeats()).as("repeats").isBetween(1, cuts * WINDOW);
      assertThat(delivered.keyedRepeats())
          .as("repeats, where one message of a key is under way")
          .isLessThanOrEqualTo(cuts * Application.KEYS);
    }
  }

  /** In the middle of a confirm or of a message. */
  private void armCut() {
    if (random.nextBoolean()) {
      rabbit.proxy().cutAfter(FaultProxy.Way.TO_CLIENT, random.nextInt(TO_CLIENT_BYTES));
    } else {
      rabbit.proxy().cutAfter(FaultProxy.Way.TO_SERVER, random.nextInt(TO_SERVER_BYTES));
    }
  }
}
