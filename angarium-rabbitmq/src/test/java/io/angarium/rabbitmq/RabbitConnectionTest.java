package io.angarium.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import com.rabbitmq.client.ConnectionFactory;
import io.angarium.Destination;
import io.angarium.Message;
import io.angarium.intake.StoredMessage;
import io.angarium.testservers.FaultProxy;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testtransports.Messages;
import io.angarium.testtransports.Results;
import io.angarium.transport.SendResult;
import io.angarium.transport.SendResult.Unavailable;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What keeps the transport from its broker, and what it says then. */
@RequiresServer(Server.RABBITMQ)
class RabbitConnectionTest {
  private static final int WINDOW = 10;
  private static final int BATCH = 100;
  private static final Duration NARROW_TIMEOUT = Duration.ofSeconds(3);
  private static final int NARROW_BYTES = 1_400_000;

  /** So that all of it takes five seconds. */
  private static final int NARROW_BYTES_PER_SECOND = NARROW_BYTES / 5;

  private final Results results = new Results();

  @AfterEach
  void heal() {
    TestBroker.server().proxy().heal();
    TestBroker.server().ctl("set_vm_memory_high_watermark", "absolute", "1GB");
  }

  /** As patient as the tests, so that a slow machine does not look like an outage. */
  private static RabbitConfig patient(RabbitConfig config) {
    return config
        .confirmTimeout(Results.LIMIT)
        .holdMax(Results.LIMIT)
        .connectTimeout(Results.LIMIT)
        .heartbeat(Duration.ofMinutes(1));
  }

  private static StoredMessage message(String address) {
    return Messages.of(new Destination("rabbitmq", address), null, "x");
  }

  private SendResult send(RabbitTransport transport, String address) {
    return send(transport, message(address));
  }

  private SendResult send(RabbitTransport transport, StoredMessage message) {
    transport.send(List.of(message), results);
    results.next();
    return results.of(message);
  }

  private SendResult send(RabbitConfig config) {
    try (RabbitTransport transport = RabbitTransport.open(config)) {
      return send(transport, "/anywhere");
    }
  }

  private static void assertUnavailable(SendResult result, String... words) {
    assertThat(result)
        .asInstanceOf(type(Unavailable.class))
        .extracting(Unavailable::reason)
        .asString()
        .contains(words);
  }

  @Test
  void wrongCredentialsAreNamed() {
    assertUnavailable(
        send(patient(TestBroker.config()).password("wrong")),
        "rejects the credentials of user 'guest'");
  }

  @Test
  void aVirtualHostThatDoesNotExistIsNamed() {
    assertUnavailable(send(patient(TestBroker.config()).virtualHost("nowhere")), "nowhere");
  }

  @Test
  void anUnknownHostIsNamed() {
    assertUnavailable(
        send(patient(RabbitConfig.of("no-such-host.invalid:5672"))),
        "no-such-host.invalid",
        "unknown");
  }

  @Test
  void aPortWithoutABrokerIsNamed() {
    assertUnavailable(
        send(patient(RabbitConfig.of("127.0.0.1:1"))), "127.0.0.1:1", "cannot be reached");
  }

  @Test
  void theSecondAddressServesWhenTheFirstDoesNot() {
    String queue = TestBroker.queue("second-address");
    String addresses = "127.0.0.1:1," + TestBroker.config().addresses();
    RabbitConfig config = patient(TestBroker.config()).addresses(addresses);

    try (RabbitTransport transport = RabbitTransport.open(config)) {
      assertThat(send(transport, "/" + queue)).isEqualTo(SendResult.ACKNOWLEDGED);
    }
  }

  /** As while the machine has no thread left for a connection. */
  @Test
  void anErrorOfTheVirtualMachineDoesNotEndTheThreadThatConnects() {
    String queue = TestBroker.queue("out-of-memory");
    AtomicInteger connections = new AtomicInteger();
    Consumer<ConnectionFactory> failing =
        factory ->
            factory.setSocketConfigurator(
                socket -> {
                  if (connections.getAndIncrement() == 0) {
                    throw new OutOfMemoryError("unable to create native thread: planted");
                  }
                });

    try (RabbitTransport transport = RabbitTransport.open(patient(TestBroker.config()), failing)) {
      assertThat(send(transport, "/" + queue)).isEqualTo(SendResult.ACKNOWLEDGED);
    }

    assertThat(connections).hasValueGreaterThan(1);
  }

  /** A memory alarm: the broker blocks the connections of those that publish. */
  @Test
  void aBrokerThatBlocksMakesMessagesUnavailableAndGoesOnAfterwards() {
    String queue = TestBroker.queue("alarm");
    try (RabbitTransport transport = RabbitTransport.open(TestBroker.config())) {
      sendUntilAcknowledged(transport, queue);
      TestBroker.server().ctl("set_vm_memory_high_watermark", "0.00001");

      SendResult first = send(transport, "/" + queue); // the alarm may not be known yet
      SendResult last = first;
      for (int i = 0; i < 1_000 && !reason(last).contains("blocked"); i++) {
        last = send(transport, "/" + queue);
      }
      assertUnavailable(last, "connection blocked", "memory");
      TestBroker.server().ctl("set_vm_memory_high_watermark", "absolute", "1GB");

      sendUntilAcknowledged(transport, queue);
    }
  }

  private static String reason(SendResult result) {
    return result instanceof Unavailable unavailable ? unavailable.reason() : "";
  }

  private void sendUntilAcknowledged(RabbitTransport transport, String queue) {
    long deadline = System.nanoTime() + Results.LIMIT.toNanos();
    while (send(transport, "/" + queue) != SendResult.ACKNOWLEDGED) {
      assertThat(System.nanoTime()).as("acknowledged in time").isLessThan(deadline);
    }
  }

  /** The broker has it, and its confirm is lost. One that is slow may not have it. */
  @Test
  void aLostConfirmMakesAMessageUnavailableAndTheConnectionNew() {
    String queue = TestBroker.queue("lost-confirm");
    long deadline = System.nanoTime() + Results.LIMIT.toNanos();
    try (RabbitTransport transport = RabbitTransport.open(TestBroker.config())) {
      SendResult result;
      long stored;
      do {
        assertThat(System.nanoTime()).as("stored in time").isLessThan(deadline);
        TestBroker.server().proxy().heal();
        sendUntilAcknowledged(transport, queue);
        TestBroker.server().proxy().blackhole(FaultProxy.Way.TO_CLIENT);
        StoredMessage message = message("/" + queue);
        result = send(transport, message);
        stored = copies(queue, message);
      } while (stored == 0);

      assertUnavailable(result, "did not confirm", "perhaps stored");
      assertThat(stored).isOne();
      TestBroker.server().proxy().heal();
      sendUntilAcknowledged(transport, queue);
    }
  }

  /** How often a message lies in a queue, which is empty then. */
  private static long copies(String queue, StoredMessage message) {
    return TestBroker.take(queue).stream()
        .filter(stored -> message.id().toString().equals(stored.getProps().getMessageId()))
        .count();
  }

  @Test
  void aConnectionCutInTheMiddleOfAMessageIsMadeAnew() {
    String queue = TestBroker.queue("cut");
    try (RabbitTransport transport = RabbitTransport.open(TestBroker.config())) {
      sendUntilAcknowledged(transport, queue);
      TestBroker.server().proxy().cutAfter(FaultProxy.Way.TO_SERVER, 30);

      assertUnavailable(send(transport, "/" + queue), "was lost", "perhaps stored");

      sendUntilAcknowledged(transport, queue);
    }
  }

  /** What the broker has is counted there; none of its confirms comes through. */
  @Test
  void noMoreThanTheWindowIsPublishedWithoutAConfirm() {
    String queue = TestBroker.queue("window");
    RabbitConfig config = patient(TestBroker.config()).channels(1).window(WINDOW);
    try (RabbitTransport transport = RabbitTransport.open(config)) {
      sendUntilAcknowledged(transport, queue);
      TestBroker.take(queue);
      TestBroker.server().proxy().blackhole(FaultProxy.Way.TO_CLIENT);

      List<String> addresses = Collections.nCopies(BATCH, "/" + queue);
      transport.send(addresses.stream().map(RabbitConnectionTest::message).toList(), results);

      awaitCount(queue, WINDOW);
      for (int look = 0; look < 10; look++) {
        assertThat(count(queue)).isEqualTo(WINDOW);
      }
      TestBroker.server().proxy().heal();
      assertThat(results.next(BATCH)).containsOnly(SendResult.ACKNOWLEDGED);
      assertThat(TestBroker.take(queue)).hasSize(BATCH);
    }
  }

  private static long count(String queue) {
    return TestBroker.ask(channel -> channel.messageCount(queue));
  }

  private static void awaitCount(String queue, long count) {
    long deadline = System.nanoTime() + Results.LIMIT.toNanos();
    while (count(queue) < count) {
      assertThat(System.nanoTime()).as("%d in %s in time", count, queue).isLessThan(deadline);
      LockSupport.parkNanos(10_000_000);
    }
  }

  /** Else it would be sent for ever, and its destination would be taken for dead. */
  @Test
  void aMessageThatTakesLongerToBeWrittenThanAConfirmMayTakeArrives() {
    String queue = TestBroker.queue("narrow");
    Consumer<ConnectionFactory> unbuffered = // else the machine keeps still more
        factory -> factory.setSocketConfigurator(socket -> socket.setSendBufferSize(16 << 10));
    RabbitConfig config =
        TestBroker.config().confirmTimeout(NARROW_TIMEOUT).holdMax(Duration.ofSeconds(20));
    try (RabbitTransport transport = RabbitTransport.open(config, unbuffered)) {
      sendUntilAcknowledged(transport, queue);
      TestBroker.server().proxy().bandwidth(NARROW_BYTES_PER_SECOND);
      long deadline = System.nanoTime() + Results.LIMIT.toNanos();
      long since;
      StoredMessage large;
      do { // again if the machine stalled, as if the network did not move
        assertThat(System.nanoTime()).as("acknowledged in time").isLessThan(deadline);
        since = System.nanoTime();
        large = Messages.of(Message.of("rabbitmq:/" + queue, new byte[NARROW_BYTES]));
      } while (send(transport, large) != SendResult.ACKNOWLEDGED);

      assertThat(Duration.ofNanos(System.nanoTime() - since)).isGreaterThan(NARROW_TIMEOUT);
      assertThat(copies(queue, large)).isOne();
    }
  }
}
