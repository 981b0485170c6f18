package io.angarium.testservers;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A running RocketMQ: a name server, and a broker, which is what is stopped, killed and paused.
 * Ends with this JVM at the latest, however the JVM ends. Thread-safe.
 */
public final class RocketServer extends RunningServer {
  /** What a topic is for; through the gRPC proxy nothing else can be sent to it. */
  public enum MessageType {
    /** Messages that go as they come. */
    NORMAL,
    /** Messages in order. */
    FIFO,
    /** Messages for later. */
    DELAY,
    /** Half messages, and what becomes of them. */
    TRANSACTION
  }

  private final RocketAdmin admin;
  private final @Nullable RocketDetour detour;
  private final AssistedProcess.@Nullable Assistant grpc;
  private final RocketAdmin.Broker broker;
  private final String ofRecipe;

  private RocketServer(
      Origin origin,
      ServerProcess process,
      RocketAdmin admin,
      RocketAdmin.Broker broker,
      @Nullable RocketDetour detour,
      AssistedProcess.@Nullable Assistant grpc,
      String version) {
    super(Server.ROCKETMQ, origin, process);
    this.admin = admin;
    this.broker = broker;
    this.detour = detour;
    this.grpc = grpc;
    this.ofRecipe = version;
    begin();
  }

  /**
   * Starts a RocketMQ of the tests' own, or connects to the named one.
   *
   * @throws ServerUnavailableException when it cannot be had here; the message says what was tried
   */
  public static RocketServer start(ServerOptions options) {
    return start(options, false);
  }

  /**
   * Starts a RocketMQ of the tests' own together with the proxy that gRPC clients need; see {@link
   * #grpcAddress()}. A named one is not used.
   */
  public static RocketServer startWithGrpc(ServerOptions options) {
    return start(options.ownProcess(), true);
  }

  private static RocketServer start(ServerOptions options, boolean grpc) {
    Optional<String> named = Server.ROCKETMQ.named();
    if (options.origins().contains(Origin.NAMED) && named.isPresent()) {
      return named(named.get());
    }
    Programs programs =
        ProgramSource.first(Server.ROCKETMQ, RocketRecipe.sources(), options.origins());
    return FreePort.using(4, ports -> startOn(ports, programs, options, grpc));
  }

  private static RocketServer named(String address) {
    int colon = address.lastIndexOf(':');
    if (colon < 1 || address.contains(";")) {
      throw new IllegalArgumentException(
          Server.ROCKETMQ.variable() + ": " + address + " (expected: <host>:<port>)");
    }
    RocketAdmin admin =
        new RocketAdmin(
            address.substring(0, colon), Integer.parseInt(address.substring(colon + 1)));
    return new RocketServer(
        Origin.NAMED,
        new NamedProcess(Server.ROCKETMQ),
        admin,
        broker(admin),
        null,
        null,
        "unknown");
  }

  private static RocketAdmin.Broker broker(RocketAdmin admin) {
    try {
      return admin.brokers().stream()
          .findFirst()
          .orElseThrow(() -> new ServerUnavailableException("No broker is known to " + admin));
    } catch (IOException e) {
      throw new ServerUnavailableException("RocketMQ does not answer: " + admin, e);
    }
  }

  private static RocketServer startOn(
      List<Integer> ports, Programs programs, ServerOptions options, boolean withGrpc) {
    int names = ports.get(0);
    int port = brokerPort(ports);
    RocketRecipe recipe = new RocketRecipe(names, port, ports.get(1));
    ServerProcess process = recipe.prepare(programs, options);
    AssistedProcess.Assistant grpc =
        withGrpc
            ? new AssistedProcess.Assistant(
                recipe.grpcProxy(programs, ports.get(2), ports.get(3)), ports.get(2))
            : null;
    return new RocketServer(
        programs.origin(),
        process,
        new RocketAdmin("127.0.0.1", names),
        new RocketAdmin.Broker("127.0.0.1", port),
        options.behindProxy() ? RocketDetour.to(names, port) : null,
        grpc,
        RocketRecipe.version());
  }

  /** The broker listens on the second port below its own as well. */
  private static int brokerPort(List<Integer> taken) {
    return Stream.generate(FreePort::find)
        .filter(port -> FreePort.isFree(port - 2))
        .filter(port -> !taken.contains(port) && !taken.contains(port - 2))
        .findFirst()
        .orElseThrow();
  }

  /**
   * Fails until clients are told where the broker is. A named broker was asked for, and told
   * nothing.
   */
  @Override
  String askVersion() throws IOException {
    if (origin() != Origin.NAMED && !admin.knows(broker)) {
      throw new IOException("the name server does not know the broker yet");
    }
    return ofRecipe;
  }

  @Override
  void startOthers() {
    if (grpc != null) {
      grpc.start();
    }
  }

  @Override
  void closeOthers() {
    if (detour != null) {
      detour.close();
    }
    if (grpc != null) {
      grpc.process().close();
    }
  }

  /**
   * The name server's address for clients. With {@link ServerOptions#proxied()} the way there leads
   * through {@link #nameServerProxy()}, and from there through {@link #proxy()} to the broker.
   */
  public String nameServer() {
    return detour == null ? directNameServer() : "127.0.0.1:" + detour.nameServer().port();
  }

  /** The name server's address for a checking client that must not feel the faults of a proxy. */
  public String directNameServer() {
    return admin.host() + ":" + admin.nameServerPort();
  }

  /**
   * Where gRPC clients connect: the proxy's {@code host:port}. Faults are put before it with {@link
   * FaultProxy#to(String, int)}.
   *
   * @throws IllegalStateException unless the server was started with {@link #startWithGrpc}
   */
  public String grpcAddress() {
    if (grpc == null) {
      throw new IllegalStateException("No gRPC: start RocketMQ with startWithGrpc()");
    }
    return "127.0.0.1:" + grpc.port();
  }

  /**
   * The proxy between the broker and its clients.
   *
   * @throws IllegalStateException unless the server was started with {@link
   *     ServerOptions#proxied()}
   */
  public FaultProxy proxy() {
    return detour().broker();
  }

  /** The proxy between the name server and its clients; see {@link #proxy()}. */
  public FaultProxy nameServerProxy() {
    return detour().nameServer();
  }

  private RocketDetour detour() {
    if (detour == null) {
      throw new IllegalStateException("No proxy: start RocketMQ with ServerOptions.proxied()");
    }
    return detour;
  }

  /**
   * Creates a topic for {@link MessageType#NORMAL} messages and waits until clients can find it.
   * The older protocol sends half messages and messages in order to such a topic as well.
   *
   * @param queues at least 1
   */
  public void createTopic(String topic, int queues) {
    createTopic(topic, queues, MessageType.NORMAL);
  }

  /** Creates a topic for one type of message and waits until clients can find it. */
  public void createTopic(String topic, int queues, MessageType type) {
    admin.createTopic(topic, queues, type.name());
  }

  /** Deletes a topic, as an administrator does. */
  public void deleteTopic(String topic) {
    admin.deleteTopic(topic);
  }

  /** The broker's port. */
  @Override
  public int port() {
    return broker.port();
  }

  @Override
  public String host() {
    return broker.host();
  }
}
