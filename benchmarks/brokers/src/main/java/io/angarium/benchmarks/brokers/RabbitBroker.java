package io.angarium.benchmarks.brokers;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.Delivery;
import io.angarium.testservers.RabbitServer;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URISyntaxException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * RabbitMQ. A topic is one durable quorum queue, bound to the default exchange: what its makers
 * advise for messages that must not be lost. A queue keeps the order it got messages in, so one
 * queue keeps the order of every key.
 */
record RabbitBroker(RabbitServer server) implements Broker {
  /** Where arms put the key: one writes by hand, the other as Angarium does. */
  private static final List<String> KEYS = List.of("key", "angarium-key");

  /** Something to be asked of the broker. */
  private interface Request {
    void on(Channel channel) throws IOException;
  }

  @Override
  public String address() {
    return server.uri();
  }

  @Override
  public void createTopic(String topic, int parts) {
    Map<String, Object> arguments = Map.of("x-queue-type", "quorum");
    ask(channel -> channel.queueDeclare(topic, true, false, false, arguments));
  }

  @Override
  public void deleteTopic(String topic) {
    ask(channel -> channel.queueDelete(topic));
  }

  @Override
  public TopicReader read(String topic) {
    try {
      return new Reader(connect(), topic);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private void ask(Request request) {
    try (Connection connection = connect();
        Channel channel = connection.createChannel()) {
      request.on(channel);
    } catch (IOException | TimeoutException e) {
      throw new IllegalStateException(e);
    }
  }

  private Connection connect() {
    ConnectionFactory factory = new ConnectionFactory();
    try {
      factory.setUri(address());
      factory.setHandshakeTimeout(120_000); // the machine may be busy
      return factory.newConnection("benchmarks");
    } catch (IOException | TimeoutException | URISyntaxException | GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Takes everything out of the queue without acknowledging it, as fast as the broker sends it, so
   * a topic can be read once. Knows the end of the queue by a message it puts there.
   */
  private static final class Reader implements TopicReader {
    private static final int BUFFER = 50_000;

    private final Connection connection;
    private final Channel channel;
    private final String queue;
    private final String end = UUID.randomUUID().toString();
    private final BlockingQueue<Delivery> deliveries = new LinkedBlockingQueue<>(BUFFER);
    private boolean atEnd;

    Reader(Connection connection, String queue) throws IOException {
      this.connection = connection;
      this.channel = connection.createChannel();
      this.queue = queue;
      channel.basicConsume(queue, true, (tag, delivery) -> put(delivery), tag -> {});
    }

    private void put(Delivery delivery) throws IOException {
      try {
        deliveries.put(delivery);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException();
      }
    }

    @Override
    public void poll(Duration max, Taker taker) throws InterruptedException {
      Delivery next = deliveries.poll(max.toNanos(), TimeUnit.NANOSECONDS);
      for (; next != null; next = deliveries.poll()) {
        if (end.equals(next.getProperties().getMessageId())) {
          atEnd = true;
        } else {
          taker.take(key(next.getProperties().getHeaders()), next.getBody());
        }
      }
    }

    private static @Nullable String key(@Nullable Map<String, Object> headers) {
      return headers == null
          ? null
          : KEYS.stream()
              .map(headers::get)
              .filter(Objects::nonNull)
              .map(Object::toString)
              .findFirst()
              .orElse(null);
    }

    @Override
    public void noteEnd() throws IOException {
      BasicProperties properties = new BasicProperties.Builder().messageId(end).build();
      channel.basicPublish("", queue, properties, new byte[0]);
    }

    @Override
    public boolean isAtEnd() {
      return atEnd;
    }

    @Override
    public void close() {
      connection.abort();
    }
  }
}
