package io.angarium.together;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.testservers.KafkaServer;
import io.angarium.testservers.RabbitServer;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.RocketServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.ServerOptions;
import io.angarium.testservers.SharedServers;
import io.angarium.testservers.Thorough;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * One relay, several brokers, web hooks and handlers: messages find theirs, and an outage of one is
 * no matter to others.
 */
@RequiresServer({Server.POSTGRESQL, Server.KAFKA, Server.RABBITMQ, Server.ROCKETMQ})
class SeveralTransportsTest {
  /** Longer than all that is to happen meanwhile. */
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** More than the relay has in flight at most. */
  private static final int LEFT_LYING = Application.WINDOW * 3 / 2;

  private static final int FLOWING = 300;

  private static final int STREAM = 6_000;

  /** More than a broker takes while it is being killed, unless the machine stalls. */
  private static final int BEFORE_THE_KILL = 4_000;

  private static KafkaBroker kafka;
  private static RabbitBroker rabbit;
  private static RocketBroker rocket;
  private static WebHooks hooks;
  private static final Handlers HANDLERS = new Handlers();
  private static int places;

  @BeforeAll
  static void startBrokers() throws IOException {
    ServerOptions options = ServerOptions.standard().ownProcess().proxied();
    kafka = new KafkaBroker(KafkaServer.start(options));
    rabbit = new RabbitBroker(RabbitServer.start(options));
    rocket = new RocketBroker(RocketServer.start(options));
    hooks = WebHooks.start();
  }

  @AfterAll
  static void stopBrokers() {
    kafka.server().close();
    rabbit.server().close();
    rocket.server().close();
    hooks.close();
  }

  private static List<Broker> brokers() {
    return List.of(kafka, rabbit, rocket, hooks, HANDLERS);
  }

  private static Application application() {
    return new Application(
        SharedServers.postgres().freshDatabase(),
        database -> brokers().stream().map(broker -> broker.open(PATIENCE, database)).toList());
  }

  /** The destination of a new place of each broker. */
  private static Map<Broker, String> destinations(String place) {
    Map<Broker, String> destinations = new LinkedHashMap<>();
    brokers().forEach(broker -> destinations.put(broker, broker.create(place)));
    return destinations;
  }

  static Stream<Outage> outages() {
    return Stream.of(
        Outage.blackHole(kafka),
        Outage.blackHole(rabbit),
        Outage.blackHole(rocket),
        Outage.refusing(kafka),
        Outage.blocked(rabbit),
        Outage.hanging(hooks),
        Outage.hanging(HANDLERS));
  }

  static Stream<Outage> refusals() {
    return Stream.of(Outage.refusing(rabbit), Outage.refusing(rocket));
  }

  @Test
  void eachMessageGoesToTheBrokerThatItsDestinationNames() throws InterruptedException {
    Map<Broker, String> destinations = destinations("named");

    try (Application application = application()) {
      for (int part = 0; part < 10; part++) {
        for (Broker broker : brokers()) {
          int from = part * FLOWING / 10;
          application.write(destinations.get(broker), from, from + FLOWING / 10);
        }
      }
      for (String destination : destinations.values()) {
        application.traffic.awaitAcknowledged(destination, FLOWING);
      }

      for (Broker broker : brokers()) {
        assertArrived(broker, "named", destinations.get(broker), FLOWING, application.traffic);
      }
    }
  }

  @Thorough
  @ParameterizedTest
  @MethodSource("refusals")
  void aRefusalOfOneBrokerDoesNotHoldUpTheMessagesOfAnother(Outage outage)
      throws InterruptedException {
    anOutageOfOneBrokerDoesNotHoldUpTheMessagesOfAnother(outage);
  }

  @ParameterizedTest
  @MethodSource("outages")
  void anOutageOfOneBrokerDoesNotHoldUpTheMessagesOfAnother(Outage outage)
      throws InterruptedException {
    String place = "outage-" + ++places;
    Map<Broker, String> destinations = destinations(place);
    String sick = destinations.get(outage.sick());

    try (Application application = application()) {
      Traffic traffic = application.traffic;
      writeFirst(application, destinations);

      outage.begin();
      try {
        application.write(sick, 1, LEFT_LYING);
        writeToOthers(application, destinations, sick);
        awaitOthers(traffic, destinations, sick);

        assertThat(traffic.acknowledged(sick)).isEqualTo(1);
        if (outage.silent()) {
          assertThat(traffic.results(sick)).as("results of the one before the outage").isEqualTo(1);
        }
        awaitDepth(application, LEFT_LYING - 1);
      } finally {
        outage.end();
      }
      traffic.awaitAcknowledged(sick, LEFT_LYING);
      awaitDepth(application, 0);

      assertThat(traffic.failures()).isEmpty();
      assertOthersArrived(outage.sick(), place, destinations, traffic);
      assertArrived(outage.sick(), place, sick, LEFT_LYING, traffic);
    }
  }

  @Test
  void rabbitMqKilledInMidStreamLosesNothingAndRepeatsNoMoreThanWasUnderWay() throws Exception {
    String place = "killed";
    Map<Broker, String> destinations = destinations(place);
    String sick = destinations.get(rabbit);
    rabbit.server().writeDownQueues();

    try (Application application = application()) {
      Traffic traffic = application.traffic;
      writeFirst(application, destinations);

      CompletableFuture<Void> writer =
          CompletableFuture.runAsync(() -> application.write(sick, 1, BEFORE_THE_KILL));
      traffic.awaitAcknowledged(sick, STREAM / 10);
      rabbit.server().kill();
      writer = writer.thenRun(() -> application.write(sick, BEFORE_THE_KILL, STREAM));
      try {
        writeToOthers(application, destinations, sick);
        awaitOthers(traffic, destinations, sick);
        writer.get(Traffic.LIMIT.toSeconds(), TimeUnit.SECONDS);

        assertThat(traffic.acknowledged(sick)).as("before the kill").isLessThan(STREAM);
        awaitDepth(application, STREAM - traffic.acknowledged(sick));
      } finally {
        rabbit.server().restart(); // the other tests have the same
      }
      traffic.awaitAcknowledged(sick, STREAM);
      awaitDepth(application, 0);

      assertThat(traffic.failures()).isEmpty();
      assertOthersArrived(rabbit, place, destinations, traffic);
      Delivered delivered = assertArrived(rabbit, place, sick, STREAM, traffic);
      assertThat(delivered.repeats()).as("repeats").isLessThanOrEqualTo(Application.WINDOW);
      assertThat(delivered.keyedRepeats())
          .as("repeats, where one message of a key is under way")
          .isLessThanOrEqualTo(Application.KEYS);
    }
  }

  private static void writeFirst(Application application, Map<Broker, String> destinations)
      throws InterruptedException {
    for (String destination : destinations.values()) {
      application.write(destination, 0, 1);
      application.traffic.awaitAcknowledged(destination, 1);
    }
  }

  private static void writeToOthers(
      Application application, Map<Broker, String> destinations, String sick) {
    for (String destination : destinations.values()) {
      if (!destination.equals(sick)) {
        application.write(destination, 1, FLOWING);
      }
    }
  }

  private static void awaitOthers(Traffic traffic, Map<Broker, String> destinations, String sick)
      throws InterruptedException {
    for (String destination : destinations.values()) {
      if (!destination.equals(sick)) {
        traffic.awaitAcknowledged(destination, FLOWING);
      }
    }
  }

  /** Waits until exactly so many messages lie in the outbox, and none anywhere else. */
  private static void awaitDepth(Application application, int depth) {
    long deadline = System.nanoTime() + Traffic.LIMIT.toNanos();
    while (application.backlog().depth() != depth) {
      assertThat(System.nanoTime())
          .as("%s, expected: %d", application.backlog(), depth)
          .isLessThan(deadline);
      LockSupport.parkNanos(10_000_000);
    }
    assertThat(application.backlog().parked()).isZero();
    assertThat(application.backlog().dead()).isZero();
  }

  private static void assertOthersArrived(
      Broker sick, String place, Map<Broker, String> destinations, Traffic traffic) {
    for (Broker broker : brokers()) {
      if (!broker.equals(sick)) {
        assertArrived(broker, place, destinations.get(broker), FLOWING, traffic);
      }
    }
  }

  private static Delivered assertArrived(
      Broker broker, String place, String destination, int count, Traffic traffic) {
    Delivered delivered = new Delivered(broker.read(place));
    delivered.assertCompleteAndInOrder(count);
    delivered.assertRepeatedOnlyWhatWasHandedOverAgain(destination, traffic);
    return delivered;
  }
}
