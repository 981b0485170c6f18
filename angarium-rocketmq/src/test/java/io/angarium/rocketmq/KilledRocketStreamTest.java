package io.angarium.rocketmq;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.Destination;
import io.angarium.testservers.OnOneJdk;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testtransports.OutageAt;
import io.angarium.testtransports.Resending;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A broker that is killed in the middle of a stream of messages. */
@OnOneJdk
@RequiresServer(Server.ROCKETMQ)
class KilledRocketStreamTest {
  private static final int KEYS = 4;
  private static final int QUEUES = 3;
  private static final int BATCH = 50;

  /** One request of each queue is under way at a time. */
  private static final int UNDER_WAY_MAX = QUEUES * BATCH;

  @Test
  void losesNothingKeepsTheOrderAndRepeatsNoMoreThanWasUnderWay() throws Exception {
    Destination destination = new Destination("rocketmq", TestCluster.topic("killed", QUEUES));
    RocketConfig config =
        TestCluster.config()
            .missingAfter(Duration.ofMinutes(2))
            // or what a broker that has just started stores and answers late is repeated as well
            .sendTimeout(Duration.ofSeconds(20))
            .holdMax(Duration.ofSeconds(20))
            .batchMessages(BATCH);
    try (RocketTransport transport = RocketTransport.open(config)) {
      Resending resending = new Resending(transport, destination, KEYS, 2_000, 50);

      resending.run(
          new OutageAt(3_000, TestCluster.server()::kill, KilledRocketStreamTest::restart));

      assertThat(resending.failures()).isPositive();
      assertThat(resending.check(arrivals())).as("repeats").isBetween(0, UNDER_WAY_MAX);
    }
  }

  /** The sender goes on while it starts. */
  private static void restart() {
    CompletableFuture<Void> unused = CompletableFuture.runAsync(TestCluster.server()::restart);
  }

  private static List<Resending.Arrival> arrivals() {
    return TestCluster.read("killed").stream()
        .map(
            stored ->
                new Resending.Arrival(
                    stored.getProperty(RocketWireFormat.KEY), new String(stored.getBody(), UTF_8)))
        .toList();
  }
}
