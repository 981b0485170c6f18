package io.angarium.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import io.angarium.Message;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessage;
import io.angarium.half.HalfMessages;
import io.angarium.testservers.RabbitServer;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.RocketServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.SharedServers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.rocketmq.client.consumer.DefaultLitePullConsumer;
import org.apache.rocketmq.common.consumer.ConsumeFromWhere;
import org.junit.jupiter.api.Test;

/**
 * What is committed at the server goes to RabbitMQ and RocketMQ, with the libraries of one class
 * path for both, and for Dubbo besides: RocketMQ's client asks for another JSON library than Dubbo.
 */
@RequiresServer({Server.RABBITMQ, Server.ROCKETMQ})
class ServerBrokersTest {
  private static final long LIMIT_SECONDS = 120;

  private final RabbitServer rabbit = SharedServers.rabbit();
  private final RocketServer rocket = SharedServers.rocket();
  private final String place = "orders-" + UUID.randomUUID();

  @Test
  void committedMessagesReachBothBrokersAndNoOther() throws Exception {
    rocket.createTopic(place, 1);
    ConnectionFactory factory = new ConnectionFactory();
    factory.setUri(rabbit.directUri());
    factory.setHandshakeTimeout(60_000); // the machine may be busy
    try (Connection connection = factory.newConnection();
        ServerUnderTest server = server()) {
      Channel channel = connection.createChannel();
      channel.queueDeclare(place, false, false, true, null);
      HalfMessages half = server.half();
      send(half, "rabbitmq:/" + place, "by RabbitMQ");
      send(half, "rocketmq:" + place + ":paid", "by RocketMQ");

      assertThat(read(() -> next(channel))).containsOnly("by RabbitMQ");
      DefaultLitePullConsumer consumer = consumer();
      try {
        assertThat(read(() -> next(consumer))).containsOnly("by RocketMQ");
        assertThat(next(consumer)).isSubsetOf("by RocketMQ"); // again, where an answer was late
      } finally {
        consumer.shutdown();
      }
      assertThat(next(channel)).isSubsetOf("by RabbitMQ");
    }
  }

  private ServerUnderTest server() {
    return ServerUnderTest.open(
        "angarium.rabbitmq.enabled=true",
        "angarium.rabbitmq.addresses=" + rabbit.directUri(),
        "angarium.rabbitmq.confirm-timeout=30s",
        "angarium.rocketmq.enabled=true",
        "angarium.rocketmq.name-servers=" + rocket.directNameServer(),
        "angarium.rocketmq.send-timeout=30s",
        "angarium.server.dubbo.enabled=true",
        "angarium.server.dubbo.port=" + DubboShop.freePort(),
        "angarium.server.dubbo.forward-transport=rocketmq",
        "angarium.server.dubbo.businesses=7",
        "angarium.server.dubbo.destinations=rocketmq:" + place);
  }

  /** One that is committed, and one that is not. */
  private static void send(HalfMessages half, String destination, String text) {
    HalfKey key = new HalfKey("order", UUID.randomUUID().toString());
    HalfKey other = new HalfKey("order", UUID.randomUUID().toString());
    half.prepare(HalfMessage.of(other, Message.of(destination, "rolled back".getBytes(UTF_8))));
    half.prepare(HalfMessage.of(key, Message.of(destination, text.getBytes(UTF_8)).key("1")));
    half.rollback(other);
    half.commit(key);
  }

  private DefaultLitePullConsumer consumer() throws Exception {
    DefaultLitePullConsumer consumer = new DefaultLitePullConsumer(place);
    consumer.setNamesrvAddr(rocket.directNameServer());
    consumer.setMqClientApiTimeout(30_000); // 3 s are little on a busy machine
    consumer.setInstanceName(place);
    consumer.setAutoCommit(false);
    consumer.setConsumeFromWhere(ConsumeFromWhere.CONSUME_FROM_FIRST_OFFSET);
    consumer.start();
    consumer.assign(consumer.fetchMessageQueues(place));
    return consumer;
  }

  private List<String> next(Channel channel) {
    List<String> texts = new ArrayList<>();
    try {
      for (GetResponse next = channel.basicGet(place, true);
          next != null;
          next = channel.basicGet(place, true)) {
        texts.add(new String(next.getBody(), UTF_8));
      }
      return texts;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> next(DefaultLitePullConsumer consumer) {
    List<String> texts = new ArrayList<>();
    consumer.poll(100).forEach(message -> texts.add(new String(message.getBody(), UTF_8)));
    return texts;
  }

  private static List<String> read(Supplier<List<String>> next) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
    List<String> texts = next.get();
    while (texts.isEmpty()) {
      assertThat(System.nanoTime()).as("read in time").isLessThan(deadline);
      texts = next.get();
    }
    return texts;
  }
}
