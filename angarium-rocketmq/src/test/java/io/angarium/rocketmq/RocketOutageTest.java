package io.angarium.rocketmq;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.Destination;
import io.angarium.intake.StoredMessage;
import io.angarium.testservers.FaultProxy;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testtransports.Messages;
import io.angarium.testtransports.OutageAt;
import io.angarium.testtransports.Resending;
import io.angarium.testtransports.Results;
import io.angarium.transport.SendResult;
import io.angarium.transport.SendResult.Unavailable;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Requests and answers that break off: what was under way may arrive again, and nothing else. */
@RequiresServer(Server.ROCKETMQ)
class RocketOutageTest {
  private static final int KEYS = 4;
  private static final int QUEUES = 3;
  private static final int BATCH = 50;

  /** One request of each queue is under way at a time. */
  private static final int UNDER_WAY_MAX = QUEUES * BATCH;

  private final FaultProxy proxy = TestCluster.server().proxy();
  private final long seed = System.nanoTime();
  private final Random random = new Random(seed);
  private int cutsBefore;
  private RocketTransport transport;

  @BeforeEach
  void openTransport() {
    cutsBefore = proxy.cuts();
    transport =
        RocketTransport.open(
            TestCluster.config()
                .missingAfter(Duration.ofMinutes(2))
                .sendTimeout(Duration.ofSeconds(4))
                .holdMax(Duration.ofSeconds(4))
                .batchMessages(BATCH));
  }

  @AfterEach
  void closeTransport() {
    proxy.heal();
    transport.close();
  }

  private Resending resending(String topic) {
    Destination destination = new Destination("rocketmq", TestCluster.topic(topic, QUEUES));
    return new Resending(transport, destination, KEYS, 2_000, 50);
  }

  private static List<Resending.Arrival> arrivals(String topic) {
    return TestCluster.read(topic).stream()
        .map(
            stored ->
                new Resending.Arrival(
                    stored.getProperty(RocketWireFormat.KEY), new String(stored.getBody(), UTF_8)))
        .toList();
  }

  /**
   * Cuts within the next bytes of one way, every tenth time that something is acknowledged, and
   * each time until something has failed.
   */
  private void cutNowAndThen(Resending resending, FaultProxy.Way way, int bytes) {
    if (random.nextInt(10) == 0 || resending.failures() == 0) {
      proxy.cutAfter(way, random.nextInt(bytes));
    }
  }

  private int repeatsMax() {
    return (proxy.cuts() - cutsBefore) * UNDER_WAY_MAX;
  }

  @Test
  void answersThatAreCutOffCauseRepeatsOfWhatWasUnderWayAndKeepTheOrder() throws Exception {
    Resending resending = resending("cut-answers");

    resending.run(acknowledged -> cutNowAndThen(resending, FaultProxy.Way.TO_CLIENT, 300));

    assertThat(resending.failures()).as("seed %d", seed).isPositive();
    assertThat(resending.check(arrivals("cut-answers")))
        .as("repeats with seed %d", seed)
        .isBetween(1, repeatsMax());
  }

  @Test
  void requestsThatAreCutOffKeepTheOrder() throws Exception {
    Resending resending = resending("cut-requests");

    resending.run(acknowledged -> cutNowAndThen(resending, FaultProxy.Way.TO_SERVER, 20_000));

    assertThat(resending.failures()).as("seed %d", seed).isPositive();
    assertThat(resending.check(arrivals("cut-requests")))
        .as("repeats with seed %d", seed)
        .isBetween(0, repeatsMax());
  }

  @Test
  void answersThatNeverComeCauseRepeatsAndKeepTheOrder() throws Exception {
    Resending resending = resending("silent");

    resending.run(
        new OutageAt(
            2_000,
            () -> proxy.blackhole(FaultProxy.Way.TO_CLIENT),
            failure -> failure.reason().contains("perhaps stored"), // others never left
            proxy::heal));

    assertThat(resending.failures()).isPositive();
    assertThat(resending.check(arrivals("silent"))).isPositive();
  }

  /** Each try is stored: without pauses there would be a copy of each. */
  @Test
  void whatIsNeverAnsweredIsStoredInFewCopies() {
    Destination destination = new Destination("rocketmq", TestCluster.topic("unheard", 1));
    StoredMessage message = Messages.of(destination, "k", "x");
    try (RocketTransport impatient =
        RocketTransport.open(TestCluster.config().sendTimeout(Duration.ofMillis(500)))) {
      sendUntilAcknowledged(impatient, Messages.of(destination, "k", "connects"));
      proxy.blackhole(FaultProxy.Way.TO_CLIENT);
      for (int tries = 0; tries < 31; tries++) {
        Results results = new Results();
        impatient.send(List.of(message), results);
        assertThat(results.next().result()).isInstanceOf(Unavailable.class);
        LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
      }
      proxy.heal();
    }

    assertThat(arrivals("unheard"))
        .filteredOn(arrival -> arrival.text().equals("x"))
        .hasSizeBetween(2, 7);
  }

  /** Half a second may be too little on a busy machine. */
  private static void sendUntilAcknowledged(RocketTransport transport, StoredMessage message) {
    long deadline = System.nanoTime() + Results.LIMIT.toNanos();
    SendResult result;
    do {
      assertThat(System.nanoTime()).as("acknowledged in time").isLessThan(deadline);
      Results results = new Results();
      transport.send(List.of(message), results);
      result = results.next().result();
    } while (!result.equals(SendResult.ACKNOWLEDGED));
  }
}
