package io.angarium.rabbitmq;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import io.angarium.testservers.RabbitServer;
import io.angarium.testservers.ServerOptions;
import java.io.IOException;
import java.net.URISyntaxException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;

/** The broker of this module's tests: behind a proxy, with a limit on the size of messages. */
public final class TestBroker {
  static final int MESSAGE_BYTES_MAX = 1_500_000;

  /** For a machine that is busy. */
  static final int HANDSHAKE_MILLIS_MAX = 120_000;

  private TestBroker() {}

  private static final class Holder {
    static final RabbitServer SERVER =
        RabbitServer.start(
            ServerOptions.standard()
                .ownProcess()
                .proxied()
                .setting("max_message_size", String.valueOf(MESSAGE_BYTES_MAX)));

    static {
      Runtime.getRuntime().addShutdownHook(new Thread(SERVER::close, "close-test-broker"));
    }

    private Holder() {}
  }

  static RabbitServer server() {
    return Holder.SERVER;
  }

  /** Short time-outs, so that tests of outages are short. */
  static RabbitConfig config() {
    return RabbitConfig.of(server().uri())
        .confirmTimeout(Duration.ofSeconds(1))
        .holdMax(Duration.ofSeconds(1))
        .connectTimeout(Duration.ofSeconds(1));
  }

  /** Something to be done at the broker, past the proxy. */
  interface Request<T> {
    T to(Channel channel) throws IOException;
  }

  static <T> T ask(Request<T> request) {
    try (Connection connection = connect();
        Channel channel = connection.createChannel()) {
      return request.to(channel);
    } catch (IOException | TimeoutException e) {
      throw new IllegalStateException("The broker did not do it", e);
    }
  }

  /** A connection past the proxy. */
  public static Connection connect() throws IOException, TimeoutException {
    try {
      ConnectionFactory factory = new ConnectionFactory();
      factory.setUri(server().directUri());
      factory.setHandshakeTimeout(HANDSHAKE_MILLIS_MAX);
      return factory.newConnection("checking");
    } catch (URISyntaxException | GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A durable queue, reached through the default exchange. */
  static String queue(String name, Map<String, Object> arguments) {
    ask(channel -> channel.queueDeclare(name, true, false, false, arguments));
    return name;
  }

  static String queue(String name) {
    return queue(name, Map.of());
  }

  /** Takes all that is in a queue out of it. */
  public static List<GetResponse> take(String queue) {
    return ask(
        channel -> {
          List<GetResponse> all = new ArrayList<>();
          for (GetResponse next = channel.basicGet(queue, true);
              next != null;
              next = channel.basicGet(queue, true)) {
            all.add(next);
          }
          return all;
        });
  }
}
