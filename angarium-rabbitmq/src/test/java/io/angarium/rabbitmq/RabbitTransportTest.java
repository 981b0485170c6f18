package io.angarium.rabbitmq;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.GetResponse;
import io.angarium.Destination;
import io.angarium.Message;
import io.angarium.intake.StoredMessage;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testtransports.Messages;
import io.angarium.testtransports.Results;
import io.angarium.transport.SendResult;
import io.angarium.transport.SendResult.Failed;
import io.angarium.transport.SendResult.Refused;
import io.angarium.transport.SendResult.Unavailable;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.AbstractStringAssert;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@RequiresServer(Server.RABBITMQ)
class RabbitTransportTest {
  private final Results results = new Results();
  private RabbitTransport transport;

  @BeforeEach
  void openTransport() {
    // Far more time than is needed, so that a slow machine does not look like an outage.
    transport = RabbitTransport.open(patient());
  }

  private static RabbitConfig patient() {
    return TestBroker.config()
        .confirmTimeout(Duration.ofSeconds(20))
        .holdMax(Duration.ofSeconds(20))
        .connectTimeout(Duration.ofSeconds(20));
  }

  /** A missing exchange is refused after this. */
  private static RabbitConfig impatient() {
    return patient().holdMax(Duration.ofSeconds(2));
  }

  private static long deadline() {
    return System.nanoTime() + Results.LIMIT.toNanos();
  }

  private void sendUntilAcknowledged(RabbitTransport to, String address) {
    long deadline = deadline();
    do {
      assertThat(System.nanoTime()).as("acknowledged in time").isLessThan(deadline);
      to.send(List.of(message(address, "k", "x")), results);
    } while (results.next().result() != SendResult.ACKNOWLEDGED);
  }

  @AfterEach
  void closeTransport() {
    transport.close();
  }

  private static StoredMessage message(String address, String key, String payload) {
    return Messages.of(new Destination("rabbitmq", address), key, payload);
  }

  private static AbstractStringAssert<?> assertRefused(SendResult result) {
    return assertThat(result)
        .asInstanceOf(type(Refused.class))
        .extracting(Refused::reason)
        .asString();
  }

  @Test
  void aMessageLooksAsTheWireFormatSays() {
    String queue = TestBroker.queue("wire");
    StoredMessage message =
        Messages.of(
            Message.of("rabbitmq:/" + queue, "pâyload".getBytes(UTF_8))
                .key("ключ")
                .type("order-paid")
                .createdBy("shop")
                .business("order", "№ 1")
                .header("traceparent", "00-1-2-01")
                .header("content-type", "application/json"));

    transport.send(List.of(message), results);

    assertThat(results.next().result()).isEqualTo(SendResult.ACKNOWLEDGED);
    GetResponse stored = TestBroker.take(queue).get(0);
    BasicProperties properties = stored.getProps();
    assertThat(new String(stored.getBody(), UTF_8)).isEqualTo("pâyload");
    assertThat(properties.getMessageId()).isEqualTo(message.id().toString());
    assertThat(properties.getType()).isEqualTo("order-paid");
    assertThat(properties.getContentType()).isEqualTo("application/json");
    assertThat(properties.getTimestamp())
        .isEqualTo(Date.from(Messages.WRITTEN_FIRST.truncatedTo(ChronoUnit.SECONDS)));
    assertThat(properties.getAppId()).isEqualTo("shop");
    assertThat(properties.getDeliveryMode()).isEqualTo(2);
    assertThat(properties.getHeaders().entrySet())
        .map(header -> header.getKey() + "=" + header.getValue())
        .containsExactlyInAnyOrder(
            "angarium-key=ключ",
            "angarium-business-type=order",
            "angarium-business-key=№ 1",
            "traceparent=00-1-2-01",
            "content-type=application/json");
  }

  @Test
  void aTypeThatIsTooLongForItsPropertyIsAHeader() {
    String queue = TestBroker.queue("long-type");
    String type = "ж".repeat(200);

    transport.send(
        List.of(Messages.of(Message.of("rabbitmq:/" + queue, new byte[1]).type(type))), results);

    assertThat(results.next().result()).isEqualTo(SendResult.ACKNOWLEDGED);
    BasicProperties properties = TestBroker.take(queue).get(0).getProps();
    assertThat(properties.getType()).isNull();
    assertThat(properties.getHeaders().get("angarium-type")).hasToString(type);
  }

  @Test
  void aMessageWithoutAQueueIsRefusedAndTheOthersGoThrough() {
    String queue = TestBroker.queue("routable");
    StoredMessage lost = message("amq.direct/nobody.listens", "k", "1");
    StoredMessage fine = message("/" + queue, "k", "2");

    transport.send(List.of(lost, fine), results);

    results.next(2);
    assertRefused(results.of(lost))
        .contains("'amq.direct'", "'nobody.listens'", "NO_ROUTE", "bind");
    assertThat(results.of(fine)).isEqualTo(SendResult.ACKNOWLEDGED);
  }

  @Test
  void anAddressOfAnotherFormIsRefusedAtOnce() {
    transport.send(
        List.of(message("orders", "k", "1"), message("e/" + "r".repeat(256), "k", "1")), results);

    assertThat(results.next(2))
        .allSatisfy(result -> assertRefused(result).contains("expected: exchange/routing.key"));
  }

  @Test
  void anExchangeThatDoesNotExistIsRefusedAfterAGraceAndHoldsNobodyUp() {
    String queue = TestBroker.queue("exists");
    long deadline = deadline();
    StoredMessage lost;
    StoredMessage fine;
    Results.Result first;
    try (RabbitTransport impatient = RabbitTransport.open(impatient())) {
      do { // again if the machine stalled for as long as the grace
        assertThat(System.nanoTime()).as("nobody held up in time").isLessThan(deadline);
        lost = message("does-not-exist/key", "k", "1");
        fine = message("/" + queue, "k", "2");
        impatient.send(List.of(lost, fine), results);
        first = results.next();
        results.next();
      } while (!first.equals(new Results.Result(fine, SendResult.ACKNOWLEDGED))
          || results.of(lost) instanceof Unavailable);
    }

    assertRefused(results.of(lost)).contains("'does-not-exist' does not exist", "declare it");
  }

  @Test
  void anExchangeThatIsDeclaredWithinTheGraceGetsItsMessages() {
    String queue = TestBroker.queue("late");
    TestBroker.ask(channel -> channel.queueBind(queue, "amq.fanout", ""));
    List<StoredMessage> batch = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      batch.add(message("late/key", "k" + i, "x"));
    }

    transport.send(batch, results);
    TestBroker.ask(
        channel -> // whatever comes has a queue from its first moment on
        channel.exchangeDeclare(
                "late",
                BuiltinExchangeType.FANOUT,
                true,
                false,
                Map.of("alternate-exchange", "amq.fanout")));

    results.next(100);
    assertThat(batch)
        .allSatisfy(message -> assertThat(results.of(message)).isEqualTo(SendResult.ACKNOWLEDGED));
    assertThat(TestBroker.take(queue)).hasSize(100);
  }

  /** The transport knows the exchange, so it publishes, and the broker closes the channel. */
  @Test
  void anExchangeThatIsDeletedIsNoticedAndTheOthersOnItsChannelGoThrough() {
    String queue = TestBroker.queue("orphan");
    long deadline = deadline();
    StoredMessage lost;
    StoredMessage fine;
    try (RabbitTransport impatient = RabbitTransport.open(impatient())) {
      do { // again if the machine stalled for as long as the grace
        assertThat(System.nanoTime()).as("noticed in time").isLessThan(deadline);
        declare("short-lived", queue);
        sendUntilAcknowledged(impatient, "short-lived/a");
        TestBroker.ask(channel -> channel.exchangeDelete("short-lived"));
        lost = message("short-lived/a", "k", "2");
        fine = message("/" + queue, "k", "3");
        impatient.send(List.of(lost, fine), results);
      } while (results.next(2).stream().anyMatch(Unavailable.class::isInstance));
    }

    assertRefused(results.of(lost)).contains("'short-lived' does not exist");
    assertThat(results.of(fine)).isEqualTo(SendResult.ACKNOWLEDGED);
  }

  private static void declare(String exchange, String queue) {
    TestBroker.ask(
        channel -> {
          channel.exchangeDeclare(exchange, BuiltinExchangeType.FANOUT);
          return channel.queueBind(queue, exchange, "");
        });
  }

  /** The broker closes the channel for it, and says nothing of the thousand others on it. */
  @Test
  void oneThatIsTooLargeAmongManyIsFoundAndTheOthersArrive() {
    String queue = TestBroker.queue("one-too-large");
    List<StoredMessage> batch = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      batch.add(message("/" + queue, "k" + i, "x"));
    }
    byte[] large = new byte[TestBroker.MESSAGE_BYTES_MAX + 1];
    StoredMessage tooLarge = Messages.of(Message.of("rabbitmq:/" + queue, large));
    batch.add(500, tooLarge);

    transport.send(batch, results);
    results.next(1_001);

    assertRefused(results.of(tooLarge)).contains(String.valueOf(large.length), "max_message_size");
    assertThat(batch)
        .filteredOn(message -> !message.equals(tooLarge))
        .allSatisfy(message -> assertThat(results.of(message)).isEqualTo(SendResult.ACKNOWLEDGED));
    assertThat(TestBroker.take(queue))
        .extracting(stored -> stored.getProps().getMessageId())
        .containsAll(
            batch.stream()
                .filter(message -> !message.equals(tooLarge))
                .map(message -> message.id().toString())
                .toList());
  }

  @Test
  void whatAFullQueueDoesNotTakeHasFailed() {
    String queue =
        TestBroker.queue("full", Map.of("x-max-length", 1, "x-overflow", "reject-publish"));
    StoredMessage first = message("/" + queue, "a", "1");
    StoredMessage second = message("/" + queue, "b", "2");
    transport.send(List.of(first), results);
    results.next();

    transport.send(List.of(second), results);

    results.next();
    assertThat(results.of(first)).isEqualTo(SendResult.ACKNOWLEDGED);
    assertThat(results.of(second))
        .asInstanceOf(type(Failed.class))
        .extracting(Failed::reason)
        .asString()
        .contains("'full'", "reject-publish");
  }

  @Test
  void aHeaderNameTooLongForAmqpIsRefused() {
    StoredMessage message =
        Messages.of(Message.of("rabbitmq:/q", new byte[1]).header("h".repeat(256), "v"));

    transport.send(List.of(message), results);

    assertRefused(results.next().result()).contains("255 bytes");
  }

  @Test
  void headersTooLargeForAFrameAreRefusedAndTheOthersGoThrough() {
    String queue = TestBroker.queue("large-headers");
    StoredMessage large =
        Messages.of(Message.of("rabbitmq:/" + queue, new byte[1]).header("h", "v".repeat(200_000)));
    StoredMessage fine = message("/" + queue, "k", "2");

    transport.send(List.of(large, fine), results);

    results.next(2);
    assertRefused(results.of(large)).contains("200007 bytes", "frame_max");
    assertThat(results.of(fine)).isEqualTo(SendResult.ACKNOWLEDGED);
  }

  @Test
  void aUserWithoutPermissionIsRefusedWithItsNameAndTheExchange() {
    String queue = TestBroker.queue("permitted");
    TestBroker.server().ctl("add_user", "clerk", "secret");
    TestBroker.server().ctl("set_permissions", "clerk", "", "^amq\\.default$", "");
    StoredMessage forbidden = message("amq.direct/x", "k", "1");
    StoredMessage fine = message("/" + queue, "k", "2");

    try (RabbitTransport clerk =
        RabbitTransport.open(patient().username("clerk").password("secret"))) {
      clerk.send(List.of(forbidden, fine), results);
      results.next(2);
    }

    assertRefused(results.of(forbidden)).contains("'clerk'", "'amq.direct'", "grant it write");
    assertThat(results.of(fine)).isEqualTo(SendResult.ACKNOWLEDGED);
  }

  /** The client throws in the middle of publishing, and counts the message all the same. */
  @Test
  void whatTheClientCannotWriteIsFoundAndRefused() {
    String queue = TestBroker.queue("small-frames");
    StoredMessage large =
        Messages.of(Message.of("rabbitmq:/" + queue, new byte[1]).header("h", "v".repeat(20_000)));

    try (RabbitTransport small =
        RabbitTransport.open(patient(), factory -> factory.setRequestedFrameMax(8_192))) {
      small.send(List.of(large), results);
      assertRefused(results.next().result()).contains("max frame size");
      sendUntilAcknowledged(small, "/" + queue); // the connection that it cost is made anew
    }

    assertThat(TestBroker.take(queue)).isNotEmpty();
  }
}
