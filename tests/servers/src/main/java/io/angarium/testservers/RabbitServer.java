package io.angarium.testservers;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A running RabbitMQ of one node. Ends with this JVM at the latest, however the JVM ends.
 * Thread-safe.
 */
public final class RabbitServer extends RunningServer {
  private static final Duration CONTROL_LIMIT = Duration.ofMinutes(3);

  private final RabbitNode node;
  private final AmqpAddress address;
  private final @Nullable FaultProxy proxy;

  private RabbitServer(
      Origin origin, RabbitNode node, AmqpAddress address, @Nullable FaultProxy proxy) {
    super(Server.RABBITMQ, origin, node.process());
    this.node = node;
    this.address = address;
    this.proxy = proxy;
    begin();
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

  /** Fails until the server greets a client. */
  @Override
  String askVersion() throws IOException {
    return AmqpGreeting.version(host(), port());
  }

  @Override
  void closeOthers() {
    if (proxy != null) {
      proxy.close();
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
    return required(proxy);
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
  public int port() {
    return address.port();
  }

  @Override
  public String host() {
    return address.host();
  }
}
