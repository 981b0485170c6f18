package io.angarium.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.Destination;
import io.angarium.intake.StoredMessage;
import io.angarium.testservers.FaultProxy;
import io.angarium.testservers.KafkaServer;
import io.angarium.testservers.OnOneJdk;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testtransports.OutageAt;
import io.angarium.testtransports.Resending;
import io.angarium.testtransports.Results;
import io.angarium.transport.SendResult;
import io.angarium.transport.SendResult.Unavailable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@OnOneJdk
@RequiresServer(Server.KAFKA)
class KafkaOutageTest {
  private static final int KEYS = 4;

  private final KafkaServer server = TestBroker.server();
  private final Results results = new Results();
  private KafkaTransport transport;

  @BeforeEach
  void openTransport() {
    // Small batches: the messages of one key spread over many that expire one after the other.
    transport = KafkaTransport.open(TestBroker.config().batchBytes(1_024));
  }

  @AfterEach
  void closeTransport() {
    if (server.pid().isEmpty()) {
      server.restart();
    }
    server.resume();
    server.proxy().heal();
    transport.close();
  }

  private Resending resending(String topic, int perKey, int perCall) {
    return new Resending(transport, new Destination("kafka", topic), KEYS, perKey, perCall);
  }

  @Test
  void aFrozenBrokerMakesMessagesUnavailableAndNothingIsLostOrOvertaken() throws Exception {
    String topic = TestBroker.topic("frozen", 3);
    Resending resending = resending(topic, 2_000, 50);

    // More than are under way at most: some of them fail once more.
    Predicate<Unavailable> noticed = failure -> resending.failures() > 2_000;
    resending.run(new OutageAt(2_000, server::pause, noticed, server::resume));

    assertThat(resending.failures()).isPositive();
    resending.check(TestBroker.arrivals(topic));
  }

  @Test
  void aKilledBrokerLosesNothingAndKeepsTheOrder() throws Exception {
    String topic = TestBroker.topic("killed", 3);
    Resending resending = resending(topic, 2_000, 50);

    resending.run(new OutageAt(2_000, server::kill, server::restart));

    assertThat(resending.failures()).isPositive();
    resending.check(TestBroker.arrivals(topic));
  }

  @Test
  void lostAcknowledgementsCauseRepeatsButKeepTheOrder() throws Exception {
    String topic = TestBroker.topic("lost-acks", 3);
    Resending resending = resending(topic, 2_000, 50);

    FaultProxy proxy = server.proxy();
    resending.run(
        new OutageAt(2_000, () -> proxy.blackhole(FaultProxy.Way.TO_CLIENT), proxy::heal));

    assertThat(resending.failures()).isPositive();
    assertThat(resending.check(TestBroker.arrivals(topic))).isPositive();
  }

  @Test
  void connectionsCutAgainAndAgainKeepTheOrder() throws Exception {
    String topic = TestBroker.topic("cut", 3);
    Resending resending = resending(topic, 3_000, 50);
    long seed = System.nanoTime();
    Random random = new Random(seed);

    resending.run(
        acknowledged -> {
          if (random.nextInt(10) == 0) {
            server.proxy().cutAfter(FaultProxy.Way.TO_SERVER, random.nextInt(20_000));
          }
        });

    assertThat(resending.check(TestBroker.arrivals(topic)))
        .as("repeats with seed %d", seed)
        .isNotNegative();
  }

  /** The first messages of the outage expire while the last are still waiting. */
  @Test
  void anOutageThatOnlySomeMessagesSurviveKeepsTheOrder() throws Exception {
    String topic = TestBroker.topic("gap", 3);
    Resending resending = resending(topic, 4_000, 3);
    FaultProxy proxy = server.proxy();
    OutageAt[] outages = new OutageAt[5];
    for (int i = 0; i < outages.length; i++) {
      outages[i] = new OutageAt(2_000 * (i + 1), proxy::refuse, proxy::heal);
    }

    resending.run(outages);

    assertThat(resending.failures()).isPositive();
    resending.check(TestBroker.arrivals(topic));
  }

  @Test
  void allResultsComeWithinTheStatedTimeWhenABrokerFreezes() throws Exception {
    String topic = TestBroker.topic("in-time", 3);
    sendUntil(topic, SendResult.Acknowledged.class);
    server.pause();

    List<StoredMessage> batch = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      batch.add(Messages.of(topic, "key-" + i % KEYS, String.valueOf(i)));
    }
    long start = System.nanoTime();
    transport.send(batch, results);
    List<SendResult> all = results.next(1_000);
    Duration taken = Duration.ofNanos(System.nanoTime() - start);

    assertThat(all).allMatch(result -> result instanceof Unavailable);
    assertThat(taken).isLessThan(transport.resultMax().plus(Duration.ofSeconds(30)));
  }

  private void sendUntil(String topic, Class<? extends SendResult> wanted) {
    SendResult result;
    long deadline = System.nanoTime() + Results.LIMIT.toNanos();
    do {
      assertThat(System.nanoTime()).as("%s for %s", wanted, topic).isLessThan(deadline);
      transport.send(List.of(Messages.of(topic, "k", "until")), results);
      result = results.next().result();
    } while (!wanted.isInstance(result));
  }
}
