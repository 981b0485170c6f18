package io.angarium.testservers;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A running RabbitMQ of one node. Ends with this JVM at the latest, however the JVM ends.
 * Thread-safe.
 */
public final class RabbitServer implements TestServer {
  private static final Duration START_LIMIT = Duration.ofSeconds(90);
  private static final Duration CONTROL_LIMIT = Duration.ofSeconds(60);

  private final Origin origin;
  private final RabbitNode node;
  private final AmqpAddress address;
  private final @Nullable FaultProxy proxy;
  private final String version;
  private boolean closed;

  private RabbitServer(
      Origin origin, RabbitNode node, AmqpAddress address, @Nullable FaultProxy proxy) {
    this.origin = origin;
    this.node = node;
    this.address = address;
    this.proxy = proxy;
    this.version = start();
    ServerCoverage.used(Server.RABBITMQ, version, origin);
  }

  /**
   * Starts a RabbitMQ of the tests' own, or connects to the named one.
   *
   * @throws ServerUnavailableException when it cannot be had here; the message says what was tried
   */
  public static RabbitServer start(ServerOptions options) {
    Optional<String> named = Server.RABBITMQ.named();
    if (options.origins().contains(Origin.NAMED) && named.isPresent()) {
      RabbitNode node = new RabbitNode(new NamedProcess(Server.RABBITMQ), List.of());
      return new RabbitServer(Origin.NAMED, node, AmqpAddress.parse(named.get()), null);
    }
    Programs programs =
        ProgramSource.first(Server.RABBITMQ, RabbitRecipe.sources(), options.origins());
    return FreePort.using(3, ports -> startOn(ports, programs, options));
  }

  private static RabbitServer startOn(
      List<Integer> ports, Programs programs, ServerOptions options) {
    int port = ports.get(0);
    RabbitNode node = new RabbitRecipe(port, ports.get(1), ports.get(2)).prepare(programs, options);
    FaultProxy proxy = options.behindProxy() ? FaultProxy.to("127.0.0.1", port) : null;
    return new RabbitServer(programs.origin(), node, AmqpAddress.ofGuest(port), proxy);
  }

  private String start() {
    try {
      node.process().start();
      return awaitReady();
    } catch (ServerUnavailableException e) {
      close();
      throw e;
    }
  }

  /** Waits until the server greets a client; returns its version. */
  private String awaitReady() {
    long deadline = System.nanoTime() + START_LIMIT.toNanos();
    while (true) {
      try {
        return AmqpGreeting.version(host(), port());
      } catch (IOException e) {
        if (node.process().ended(50) || System.nanoTime() > deadline) {
          throw new ServerUnavailableException(
              "RabbitMQ does not start: %s%n%s"
                  .formatted(e.getMessage(), node.process().lastOutput()),
              e);
        }
      }
    }
  }

  /**
   * Where clients connect, with user and password: {@code amqp://guest:guest@127.0.0.1:21234}.
   * Leads through {@link #proxy()} when there is one.
   */
  public String uri() {
    return proxy == null ? directUri() : AmqpAddress.ofGuest(proxy.port()).uri();
  }

  /** Where a checking client connects that must not feel the faults of {@link #proxy()}. */
  public String directUri() {
    return address.uri();
  }

  /** The user who may do everything: {@code guest} unless the server was named. */
  public String user() {
    return address.user();
  }

  /** The password of {@link #user()}: {@code guest} unless the server was named. */
  public String password() {
    return address.password();
  }

  /**
   * The proxy between the server and its clients.
   *
   * @throws IllegalStateException unless the server was started with {@link
   *     ServerOptions#proxied()}
   */
  public FaultProxy proxy() {
    if (proxy == null) {
      throw new IllegalStateException("No proxy: start RabbitMQ with ServerOptions.proxied()");
    }
    return proxy;
  }

  /**
   * Gives the node an order as {@code rabbitmqctl} does, and returns what that printed: {@code
   * ctl("set_vm_memory_high_watermark", "0.00001")} raises the memory alarm. Blocks for about a
   * second.
   *
   * @throws IllegalStateException when the order was refused, or the node does not answer within a
   *     minute
   * @throws UnsupportedOperationException on a named server
   */
  public String ctl(String... arguments) {
    if (node.control().isEmpty()) {
      throw new UnsupportedOperationException(
          "The RabbitMQ named by %s does not belong to the tests and takes no orders"
              .formatted(Server.RABBITMQ.variable()));
    }
    List<String> command = new ArrayList<>(node.control());
    command.addAll(List.of(arguments));
    try {
      return Shell.run(Path.of("/"), CONTROL_LIMIT, command);
    } catch (ServerUnavailableException e) {
      throw new IllegalStateException("RabbitMQ refused: " + String.join(" ", arguments), e);
    }
  }

  /**
   * Has RabbitMQ write down which quorum queues there are. It does so by itself about half a second
   * after a queue was declared; a server that is killed before that has lost what it confirmed for
   * the queue. Called between declaring a queue and {@link #kill()}.
   */
  public void writeDownQueues() {
    ctl("eval", "[ok = dets:sync(Table) || Table <- dets:all()].");
  }

  @Override
  public Server server() {
    return Server.RABBITMQ;
  }

  @Override
  public String version() {
    return version;
  }

  @Override
  public Origin origin() {
    return origin;
  }

  @Override
  public int port() {
    return address.port();
  }

  @Override
  public String host() {
    return address.host();
  }

  @Override
  public OptionalLong pid() {
    return node.process().pid();
  }

  @Override
  public void stop() {
    node.process().stop();
  }

  @Override
  public void kill() {
    node.process().kill();
  }

  @Override
  public void restart() {
    node.process().stop();
    node.process().start();
    awaitReady();
  }

  @Override
  public void pause() {
    node.process().pause();
  }

  @Override
  public void resume() {
    node.process().resume();
  }

  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    if (proxy != null) {
      proxy.close();
    }
    node.process().close();
  }

  @Override
  public String toString() {
    return "RabbitMQ %s (%s, port %d)".formatted(version, origin, port());
  }
}
