package io.angarium.rabbitmq;

import com.rabbitmq.client.Address;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;

/** Opens connections as the configuration says. Not thread-safe: one thread at a time. */
final class Connections {
  private final RabbitConfig config;
  private final List<Address> addresses;
  private final ConnectionFactory factory;
  private final AtomicReference<Socket> socket = new AtomicReference<>();

  /**
   * @param customizer has a say on everything but what the transport's promises rest on
   * @throws IllegalStateException if TLS is wanted and cannot be had
   */
  Connections(RabbitConfig config, Consumer<ConnectionFactory> customizer) {
    this.config = config;
    this.addresses = List.of(Address.parseAddresses(config.addresses()));
    this.factory = factory(config);
    // Else the end of a connection waits for a socket that takes no more.
    factory.setShutdownExecutor(
        Executors.newCachedThreadPool(daemons(config.clientName() + "-shutdown")));
    if (!config.tls()) {
      factory.setSocketFactory(new GatheringSockets());
    }
    customizer.accept(factory);
    // A recovered channel counts its tags anew, unseen by us; we connect again ourselves.
    factory.setAutomaticRecoveryEnabled(false);
    factory.setTopologyRecoveryEnabled(false);
    factory.setSocketConfigurator(factory.getSocketConfigurator().andThen(socket::set));
  }

  private static ConnectionFactory factory(RabbitConfig config) {
    ConnectionFactory factory = new ConnectionFactory();
    factory.setUsername(config.username());
    factory.setPassword(config.password());
    factory.setVirtualHost(config.virtualHost());
    factory.setConnectionTimeout(millis(config.connectTimeout()));
    factory.setHandshakeTimeout(millis(config.connectTimeout()));
    factory.setChannelRpcTimeout(millis(config.connectTimeout()));
    factory.setRequestedHeartbeat(Math.toIntExact(config.heartbeat().toSeconds()));
    factory.setThreadFactory(daemons(config.clientName()));
    if (config.tls()) {
      SSLContext given = config.sslContext();
      factory.useSslProtocol(
          given == null ? TrustedCertificates.context(config.trustedCertificates()) : given);
      factory.enableHostnameVerification();
    }
    return factory;
  }

  /**
   * For a consumer, whose connections do not recover by themselves.
   *
   * @param customizer has a say on everything else
   */
  static ConnectionFactory consuming(RabbitConfig config, Consumer<ConnectionFactory> customizer) {
    ConnectionFactory factory = factory(config);
    customizer.accept(factory);
    factory.setAutomaticRecoveryEnabled(false);
    return factory;
  }

  private static int millis(Duration duration) {
    return Math.toIntExact(duration.toMillis());
  }

  private static ThreadFactory daemons(String name) {
    AtomicInteger number = new AtomicInteger();
    return work -> {
      Thread thread = new Thread(work, name + "-connection-" + number.incrementAndGet());
      thread.setDaemon(true);
      return thread;
    };
  }

  /** Connects to one of the addresses; blocks as long as the timeouts allow for each. */
  RabbitSession open(long nowNanos) throws IOException, TimeoutException {
    Connection connection = factory.newConnection(addresses, config.clientName());
    Socket below = socket.get();
    if (below == null) {
      connection.abort(0);
      throw new IOException(
          "the connection has no socket of its own (NIO or Netty is not supported)");
    }
    return new RabbitSession(connection, below, nowNanos);
  }
}
