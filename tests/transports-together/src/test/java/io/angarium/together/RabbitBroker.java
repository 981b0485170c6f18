package io.angarium.together;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.angarium.rabbitmq.RabbitConfig;
import io.angarium.rabbitmq.RabbitTransport;
import io.angarium.testservers.FaultProxy;
import io.angarium.testservers.RabbitServer;
import io.angarium.transport.Transport;
import java.io.IOException;
import java.net.URISyntaxException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.sql.DataSource;

/** RabbitMQ, with the replicated queues that production uses. */
record RabbitBroker(RabbitServer server) implements RemoteBroker {
  private static final String WATERMARK = "set_vm_memory_high_watermark";
  private static final Map<String, Object> REPLICATED = Map.of("x-queue-type", "quorum");

  /** Something to be done at the broker, past the proxy. */
  private interface Request<T> {
    T to(Channel channel) throws IOException;
  }

  @Override
  public Transport open(Duration patience, DataSource database) {
    return RabbitTransport.open(
        RabbitConfig.of(server.uri())
            .holdMax(patience)
            .confirmTimeout(patience)
            .heartbeat(patience.multipliedBy(3))); // else it ends the wait for a silent broker
  }

  @Override
  public String create(String place) {
    ask(channel -> channel.queueDeclare(place, true, false, false, REPLICATED));
    return "rabbitmq:/" + place;
  }

  @Override
  public FaultProxy proxy() {
    return server.proxy();
  }

  /** Takes messages from nobody. */
  void block() {
    server.ctl(WATERMARK, "0.00001");
  }

  /** Takes messages again. */
  void unblock() {
    server.ctl(WATERMARK, "absolute", "1GB");
  }

  @Override
  public List<String> read(String place, int wanted) {
    return ask(channel -> texts(channel, place));
  }

  /** All at once: to take them one by one is a write on the disk for each. */
  private static List<String> texts(Channel channel, String place) throws IOException {
    long count = channel.messageCount(place);
    LinkedBlockingQueue<String> arrived = new LinkedBlockingQueue<>();
    channel.basicConsume(
        place,
        true,
        (tag, delivery) -> arrived.add(new String(delivery.getBody(), UTF_8)),
        t -> {});
    List<String> texts = new ArrayList<>();
    try {
      while (texts.size() < count) {
        String next = arrived.poll(Traffic.LIMIT.toSeconds(), TimeUnit.SECONDS);
        assertThat(next).as("after %d of %d in %s", texts.size(), count, place).isNotNull();
        texts.add(next);
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    assertThat(channel.messageCount(place)).as("left in %s", place).isZero();
    assertThat(arrived).isEmpty();
    return texts;
  }

  private <T> T ask(Request<T> request) {
    ConnectionFactory factory = new ConnectionFactory();
    factory.setHandshakeTimeout((int) Duration.ofMinutes(2).toMillis());
    try {
      factory.setUri(server.directUri());
      try (Connection connection = factory.newConnection("checking");
          Channel channel = connection.createChannel()) {
        return request.to(channel);
      }
    } catch (IOException | TimeoutException | URISyntaxException | GeneralSecurityException e) {
      throw new IllegalStateException("The broker did not do it", e);
    }
  }

  @Override
  public String toString() {
    return "RabbitMQ";
  }
}
