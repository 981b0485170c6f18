package io.angarium.testtopics;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.Delivery;
import java.io.IOException;
import java.net.URISyntaxException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A queue of RabbitMQ, of the replicated kind that production uses. Immutable. */
public record RabbitQueue(String uri, String name) implements Topic {
  private static final Map<String, Object> REPLICATED = Map.of("x-queue-type", "quorum");
  private static final int POLL_MILLIS = 100;

  /** For a machine that is busy. */
  private static final Duration HANDSHAKE_MAX = Duration.ofMinutes(2);

  /** Something to be done at the broker. */
  private interface Request<T> {
    T to(Channel channel) throws IOException, InterruptedException;
  }

  /** One that is there and empty. */
  public static RabbitQueue create(String uri, String name) {
    RabbitQueue queue = new RabbitQueue(uri, name);
    queue.ask(channel -> channel.queueDeclare(name, true, false, false, REPLICATED));
    return queue;
  }

  /**
   * One that is there and empty, and refuses what comes while so many messages lie in it: of the
   * classic kind, which counts exactly.
   */
  public static RabbitQueue createBounded(String uri, String name, int lengthMax) {
    RabbitQueue queue = new RabbitQueue(uri, name);
    Map<String, Object> bounded = Map.of("x-max-length", lengthMax, "x-overflow", "reject-publish");
    queue.ask(channel -> channel.queueDeclare(name, true, false, false, bounded));
    return queue;
  }

  /**
   * Takes what lies there or comes, one after the other, as a slow consumer does. Blocks until no
   * more is wanted and none has come for a moment.
   */
  public List<Arrived> takeOneByOne(BooleanSupplier wanted) {
    return ask(channel -> takeOneByOne(channel, wanted));
  }

  private List<Arrived> takeOneByOne(Channel channel, BooleanSupplier wanted)
      throws IOException, InterruptedException {
    BlockingQueue<Delivery> deliveries = new LinkedBlockingQueue<>();
    channel.basicQos(1);
    channel.basicConsume(name, false, (tag, delivery) -> deliveries.add(delivery), tag -> {});
    List<Arrived> all = new ArrayList<>();
    while (true) {
      boolean last = !wanted.getAsBoolean(); // before: what it wanted has arrived then
      Delivery next = deliveries.poll(POLL_MILLIS, TimeUnit.MILLISECONDS);
      if (next != null) {
        all.add(arrived(next));
        channel.basicAck(next.getEnvelope().getDeliveryTag(), false);
      } else if (last && channel.messageCount(name) == 0) {
        return all;
      }
    }
  }

  /** {@inheritDoc} It lies there no longer. */
  @Override
  public List<Arrived> read() {
    return ask(this::takeAll);
  }

  /** All at once: to take them one by one is a write on the disk for each. */
  private List<Arrived> takeAll(Channel channel) throws IOException, InterruptedException {
    String end = UUID.randomUUID().toString();
    BlockingQueue<Delivery> deliveries = new LinkedBlockingQueue<>();
    channel.basicConsume(name, true, (tag, delivery) -> deliveries.add(delivery), tag -> {});
    channel.basicPublish(
        "", name, new BasicProperties.Builder().messageId(end).build(), new byte[0]);
    List<Arrived> all = new ArrayList<>();
    Patience patience = new Patience(name);
    while (true) {
      Delivery next = deliveries.poll(POLL_MILLIS, TimeUnit.MILLISECONDS);
      if (next == null) {
        patience.check(all.size());
      } else if (end.equals(next.getProperties().getMessageId())) {
        return all;
      } else {
        all.add(arrived(next));
      }
    }
  }

  private static Arrived arrived(Delivery delivery) {
    BasicProperties properties = delivery.getProperties();
    return new Arrived(
        Objects.requireNonNullElse(properties.getMessageId(), ""),
        key(properties.getHeaders()),
        new String(delivery.getBody(), UTF_8));
  }

  private static @Nullable String key(@Nullable Map<String, Object> headers) {
    Object key = headers == null ? null : headers.get("angarium-key");
    return key == null ? null : key.toString();
  }

  private <T> T ask(Request<T> request) {
    ConnectionFactory factory = new ConnectionFactory();
    factory.setHandshakeTimeout((int) HANDSHAKE_MAX.toMillis());
    try {
      factory.setUri(uri);
      try (Connection connection = factory.newConnection("checking");
          Channel channel = connection.createChannel()) {
        return request.to(channel);
      }
    } catch (IOException | TimeoutException | URISyntaxException | GeneralSecurityException e) {
      throw new IllegalStateException("The broker did not do it for " + name, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while " + name + " was read", e);
    }
  }
}
