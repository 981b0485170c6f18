package io.angarium.together;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
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
import java.util.concurrent.TimeoutException;

/** RabbitMQ. */
record RabbitBroker(RabbitServer server) implements Broker {
  private static final String WATERMARK = "set_vm_memory_high_watermark";

  /** Something to be done at the broker, past the proxy. */
  private interface Request<T> {
    T to(Channel channel) throws IOException;
  }

  @Override
  public Transport open(Duration patience) {
    return RabbitTransport.open(
        RabbitConfig.of(server.uri())
            .holdMax(patience)
            .confirmTimeout(patience)
            .heartbeat(patience.multipliedBy(3))); // else it ends the wait for a silent broker
  }

  @Override
  public String create(String place) {
    ask(channel -> channel.queueDeclare(place, true, false, false, Map.of()));
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

  private static List<String> texts(Channel channel, String place) throws IOException {
    List<String> texts = new ArrayList<>();
    GetResponse next = channel.basicGet(place, true);
    while (next != null) {
      texts.add(new String(next.getBody(), UTF_8));
      next = channel.basicGet(place, true);
    }
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
