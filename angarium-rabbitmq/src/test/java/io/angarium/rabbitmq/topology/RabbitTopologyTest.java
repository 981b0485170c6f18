package io.angarium.rabbitmq.topology;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.Delivery;
import com.rabbitmq.client.GetResponse;
import io.angarium.ConfigurationException;
import io.angarium.rabbitmq.TestBroker;
import io.angarium.rabbitmq.topology.RabbitTopology.ExchangeType;
import io.angarium.rabbitmq.topology.RabbitTopology.QueueType;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The queues of a consumer, and how what fails goes through them. */
@RequiresServer(Server.RABBITMQ)
class RabbitTopologyTest {
  private static final long LIMIT_SECONDS = 60;

  private final LinkedBlockingQueue<Delivery> deliveries = new LinkedBlockingQueue<>();
  private Connection connection;
  private Channel channel;

  @BeforeEach
  void connect() throws Exception {
    connection = TestBroker.connect();
    channel = connection.createChannel();
  }

  @AfterEach
  void disconnect() throws IOException {
    connection.close();
  }

  private void consume(String queue) throws IOException {
    channel.basicConsume(queue, false, (tag, delivery) -> deliveries.add(delivery), tag -> {});
  }

  private Delivery next() throws InterruptedException {
    Delivery next = deliveries.poll(LIMIT_SECONDS, TimeUnit.SECONDS);
    assertThat(next).as("a delivery within %d s", LIMIT_SECONDS).isNotNull();
    return next;
  }

  private static List<GetResponse> awaitIn(String queue) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
    List<GetResponse> found = TestBroker.take(queue);
    while (found.isEmpty()) {
      assertThat(System.nanoTime()).as("something in %s in time", queue).isLessThan(deadline);
      found = TestBroker.take(queue);
      LockSupport.parkNanos(10_000_000);
    }
    return found;
  }

  @ParameterizedTest
  @EnumSource(QueueType.class)
  void whatFailsComesBackAfterGrowingPausesAndIsDeadAtLast(QueueType queueType) throws Exception {
    RabbitTopology topology =
        RabbitTopology.of("stock-" + queueType)
            .queueType(queueType)
            .boundTo("orders", ExchangeType.TOPIC, "order.*")
            .retryAfter(Duration.ofMillis(50), Duration.ofMillis(400));
    topology.declare(channel);
    topology.declare(channel); // what is there already is left alone
    RabbitRedelivery redelivery = RabbitRedelivery.of(topology, connection);
    consume(topology.queue());
    channel.basicPublish("orders", "order.paid", null, "one".getBytes(UTF_8));

    Delivery first = next();
    assertThat(redelivery.failed(channel, first, new IllegalStateException("no stock")))
        .isEqualTo(topology.queue() + ".retry.50ms");
    Delivery second = next();
    long since = System.nanoTime(); // before, for the pause begins when the broker has the copy
    redelivery.failed(channel, second, new IllegalStateException("no stock"));
    Delivery third = next();
    long paused = System.nanoTime() - since;
    redelivery.failed(channel, third, new IllegalStateException("never"));
    redelivery.close();

    List<GetResponse> dead = awaitIn(topology.deadQueue().name());
    assertThat(RabbitRedelivery.retries(first.getProperties().getHeaders())).isZero();
    assertThat(RabbitRedelivery.retries(second.getProperties().getHeaders())).isEqualTo(1);
    assertThat(RabbitRedelivery.retries(third.getProperties().getHeaders())).isEqualTo(2);
    assertThat(TimeUnit.NANOSECONDS.toMillis(paused)).isGreaterThanOrEqualTo(390);
    assertThat(dead).hasSize(1);
    assertThat(dead.get(0).getBody()).isEqualTo("one".getBytes(UTF_8));
    assertThat(dead.get(0).getProps().getHeaders().get(RabbitRedelivery.FAILURE))
        .hasToString("java.lang.IllegalStateException: never");
    assertThat(deliveries).isEmpty();
  }

  @Test
  void whatIsRejectedIsDead() throws Exception {
    RabbitTopology topology = RabbitTopology.of("rejecting");
    topology.declare(channel);
    consume(topology.queue());
    channel.basicPublish("", topology.queue(), null, "one".getBytes(UTF_8));

    channel.basicReject(next().getEnvelope().getDeliveryTag(), false);

    assertThat(awaitIn(topology.deadQueue().name())).hasSize(1);
  }

  /** As when the consumer's process dies of the message each time. */
  @Test
  void whatComesBackUnacknowledgedTooOftenIsDead() throws Exception {
    RabbitTopology topology = RabbitTopology.of("crashing").deliveryLimit(3);
    topology.declare(channel);
    channel.basicPublish("", topology.queue(), null, "one".getBytes(UTF_8));

    for (int delivery = 0; delivery <= 3; delivery++) {
      channel = connection.createChannel();
      consume(topology.queue());
      next();
      channel.close();
    }

    assertThat(awaitIn(topology.deadQueue().name())).hasSize(1);
  }

  /** Its headers tell of the way by which it died, which is none of its new way. */
  @Test
  void aDeadLetterThatIsMovedBackIsTriedAgainAfterItsPause() throws Exception {
    RabbitTopology topology =
        RabbitTopology.of("moved").deliveryLimit(1).retryAfter(Duration.ofMillis(50));
    topology.declare(channel);
    channel.basicPublish("", topology.queue(), null, "one".getBytes(UTF_8));
    for (int delivery = 0; delivery <= 1; delivery++) {
      channel = connection.createChannel();
      consume(topology.queue());
      next();
      channel.close();
    }
    GetResponse dead = awaitIn(topology.deadQueue().name()).get(0);
    channel = connection.createChannel();
    channel.basicPublish("", topology.queue(), dead.getProps(), dead.getBody());
    consume(topology.queue());

    RabbitRedelivery redelivery = RabbitRedelivery.of(topology, connection);
    redelivery.failed(channel, next(), new IllegalStateException("no stock"));
    Delivery again = next();
    redelivery.close();

    assertThat(dead.getProps().getHeaders()).containsKey("x-death");
    assertThat(again.getBody()).isEqualTo("one".getBytes(UTF_8));
  }

  /** Its sender would not wait longer for it to be consumed; a dead letter is for people. */
  @Test
  void aDeadLetterOutlivesThePatienceOfItsSender() throws Exception {
    RabbitTopology topology = RabbitTopology.of("impatient").retryAfter(Duration.ofMillis(50));
    topology.declare(channel);
    consume(topology.queue());
    BasicProperties impatient =
        new BasicProperties.Builder()
            .expiration("60000")
            .headers(Map.of(RabbitRedelivery.RETRIES, 1)) // a pause would take the expiration away
            .build();
    channel.basicPublish("", topology.queue(), impatient, "one".getBytes(UTF_8));
    Delivery first = next();

    try (RabbitRedelivery redelivery = RabbitRedelivery.of(topology, connection)) {
      redelivery.failed(channel, first, new IllegalStateException("never"));
    }

    assertThat(first.getProperties().getExpiration()).isEqualTo("60000");
    assertThat(awaitIn(topology.deadQueue().name()).get(0).getProps().getExpiration()).isNull();
  }

  @Test
  void aCopySaysNothingOfEarlierWays() {
    Map<String, Object> before =
        Map.of(
            "x-death", List.of(),
            "x-first-death-queue", "q",
            "x-last-death-reason", "delivery_limit",
            "x-own", "kept");

    Map<String, Object> headers = RabbitRedelivery.headers(before, 1, new RuntimeException("x"));

    assertThat(headers)
        .containsOnlyKeys("x-own", RabbitRedelivery.RETRIES, RabbitRedelivery.FAILURE);
  }

  @Test
  void whoseChannelIsClosedIsToldWhatFailed() throws Exception {
    RabbitTopology topology = RabbitTopology.of("closed").retryAfter(Duration.ofMillis(50));
    topology.declare(channel);
    channel.queueDelete("closed.retry.50ms");
    RabbitRedelivery redelivery = RabbitRedelivery.of(topology, connection);
    consume(topology.queue());
    channel.basicPublish("", topology.queue(), null, "one".getBytes(UTF_8));
    Delivery first = next();
    channel.close();

    assertThatThrownBy(() -> redelivery.failed(channel, first, new RuntimeException("x")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("closed.retry.50ms")
        .hasStackTraceContaining("there is no queue closed.retry.50ms");
  }

  @Test
  void whoseChannelIsClosedAfterTheCopyIsToldThatItComesAgain() throws Exception {
    RabbitTopology topology = RabbitTopology.of("unacknowledged").retryAfter(Duration.ofMillis(50));
    topology.declare(channel);
    RabbitRedelivery redelivery = RabbitRedelivery.of(topology, connection);
    consume(topology.queue());
    channel.basicPublish("", topology.queue(), null, "one".getBytes(UTF_8));
    Delivery first = next();
    channel.close();

    assertThatThrownBy(() -> redelivery.failed(channel, first, new RuntimeException("x")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("not acknowledged");
  }

  /** Brokers count bytes, and the names of the other queues are longer by a few. */
  @Test
  void aNameOfTooManyBytesIsAFault() {
    String name = "é".repeat(101);

    assertThatThrownBy(() -> RabbitTopology.of(name))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("1..200 bytes");
    assertThat(RabbitTopology.of("é".repeat(100)).deadQueue().name()).endsWith(".dead");
  }

  @Test
  void aDeliveryStaysWhereItIsIfItsRetryQueueIsGone() throws Exception {
    RabbitTopology topology = RabbitTopology.of("gone").retryAfter(Duration.ofMillis(50));
    topology.declare(channel);
    channel.queueDelete("gone.retry.50ms");
    RabbitRedelivery redelivery = RabbitRedelivery.of(topology, connection);
    consume(topology.queue());
    channel.basicPublish("", topology.queue(), null, "one".getBytes(UTF_8));
    Delivery first = next();

    assertThatThrownBy(() -> redelivery.failed(channel, first, new RuntimeException("x")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("gone.retry.50ms");

    assertThat(next().getBody()).isEqualTo("one".getBytes(UTF_8));
  }

  /** Else it would come again at once and for ever. RabbitMQ 4.3 counts rejections, not nacks. */
  @Test
  void aDeliveryWhoseRetryQueueStaysAwayIsGivenBackSoOftenAsItsQueueAllowsAndIsDeadThen()
      throws Exception {
    RabbitTopology topology = RabbitTopology.of("stays-away").retryAfter(Duration.ofMillis(50));
    topology.declare(channel);
    channel.queueDelete("stays-away.retry.50ms");
    List<String> answers = new CopyOnWriteArrayList<>();
    Channel answering = noting(answers);
    consume(topology.queue());
    channel.basicPublish("", topology.queue(), null, "one".getBytes(UTF_8));

    try (RabbitRedelivery redelivery = RabbitRedelivery.of(topology, connection)) {
      for (int delivery = 0; delivery <= topology.deliveryLimit(); delivery++) {
        Delivery again = next();
        assertThatThrownBy(() -> redelivery.failed(answering, again, new RuntimeException("x")))
            .isInstanceOf(IOException.class);
      }
    }

    assertThat(awaitIn(topology.deadQueue().name())).hasSize(1);
    assertThat(answers).hasSize(21).containsOnly("basicReject");
    assertThat(deliveries).isEmpty();
  }

  /** The channel, and what it is asked to do. */
  private Channel noting(List<String> calls) {
    return (Channel)
        Proxy.newProxyInstance(
            Channel.class.getClassLoader(),
            new Class<?>[] {Channel.class},
            (proxy, method, arguments) -> {
              calls.add(method.getName());
              return method.invoke(channel, arguments);
            });
  }

  @Test
  void quorumQueuesMoveAtLeastOnce() {
    RabbitTopology topology = RabbitTopology.of("q").retryAfter(Duration.ofSeconds(5));

    assertThat(topology.workQueue().arguments())
        .containsEntry("x-queue-type", "quorum")
        .containsEntry("x-dead-letter-routing-key", "q.dead")
        .containsEntry("x-dead-letter-strategy", "at-least-once")
        .containsEntry("x-delivery-limit", 20);
    assertThat(topology.retryQueues())
        .singleElement()
        .satisfies(
            queue -> {
              assertThat(queue.name()).isEqualTo("q.retry.5s");
              assertThat(queue.arguments())
                  .containsEntry("x-message-ttl", 5_000L)
                  .containsEntry("x-dead-letter-routing-key", "q")
                  .containsEntry("x-dead-letter-strategy", "at-least-once");
            });
  }

  @Test
  void listsAllFaultsAtOnce() {
    assertThatThrownBy(
            () ->
                new RabbitTopology(
                    " ",
                    QueueType.QUORUM,
                    List.of(new RabbitTopology.Binding("", ExchangeType.DIRECT, "x")),
                    List.of(Duration.ofSeconds(2), Duration.ofSeconds(1), Duration.ZERO),
                    0))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("queue: ' '")
        .hasMessageContaining("each longer than the one before")
        .hasMessageContaining("retry pause: 0s")
        .hasMessageContaining("delivery limit: 0")
        .hasMessageContaining("binding: ");
  }
}
