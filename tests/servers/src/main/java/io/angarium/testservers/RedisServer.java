package io.angarium.testservers;

import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A running Redis. Ends with this JVM at the latest, however the JVM ends. Thread-safe. */
public final class RedisServer extends RunningServer {
  private final RedisAddress address;
  private final @Nullable FaultProxy proxy;

  private RedisServer(
      Origin origin, ServerProcess process, RedisAddress address, @Nullable FaultProxy proxy) {
    super(Server.REDIS, origin, process);
    this.address = address;
    this.proxy = proxy;
    begin();
  }

  /**
   * Starts a Redis of the tests' own, or connects to the named one.
   *
   * @throws ServerUnavailableException when it cannot be had here; the message says what was tried
   */
  public static RedisServer start(ServerOptions options) {
    Optional<String> named = Server.REDIS.named();
    if (options.origins().contains(Origin.NAMED) && named.isPresent()) {
      RedisAddress address = RedisAddress.parse(named.get());
      return new RedisServer(Origin.NAMED, new NamedProcess(Server.REDIS), address, null);
    }
    Programs programs = ProgramSource.first(Server.REDIS, RedisRecipe.sources(), options.origins());
    return FreePort.using(1, ports -> startOn(ports.get(0), programs, options));
  }

  /**
   * Starts a sentinel that watches one master and needs nobody to agree with it. It makes a replica
   * the master a minute after the master has gone, or at once by {@code order("SENTINEL FAILOVER
   * <name>")}. Not in a container.
   *
   * @param name what the master is called
   * @throws ServerUnavailableException when it cannot be had here; the message says what was tried
   */
  public static RedisServer startSentinel(String name, RedisServer master) {
    Set<Origin> origins = Set.of(Origin.INSTALLED, Origin.PACKAGE);
    Programs programs = ProgramSource.first(Server.REDIS, RedisRecipe.sources(), origins);
    return FreePort.using(1, ports -> startSentinelOn(ports.get(0), programs, name, master));
  }

  private static RedisServer startSentinelOn(
      int port, Programs programs, String name, RedisServer master) {
    ServerProcess process =
        ServerFolders.filling(
            ServerFolders.createFor(Server.REDIS),
            folder -> new RedisRecipe(port).prepareSentinel(programs, name, master, folder));
    return new RedisServer(programs.origin(), process, RedisAddress.ofLoopback(port), null);
  }

  private static RedisServer startOn(int port, Programs programs, ServerOptions options) {
    ServerProcess process =
        ServerFolders.filling(
            ServerFolders.createFor(Server.REDIS),
            folder -> new RedisRecipe(port).prepare(programs, options, folder));
    FaultProxy proxy = options.behindProxy() ? FaultProxy.to("127.0.0.1", port) : null;
    return new RedisServer(programs.origin(), process, RedisAddress.ofLoopback(port), proxy);
  }

  /** Fails while the server loads its data. */
  @Override
  String askVersion() throws IOException {
    return RedisOrders.version(address);
  }

  @Override
  void closeOthers() {
    if (proxy != null) {
      proxy.close();
    }
  }

  /**
   * Where clients connect: {@code redis://127.0.0.1:21234}. Leads through {@link #proxy()} when
   * there is one.
   */
  public String uri() {
    return proxy == null ? directUri() : address.through(proxy).uri();
  }

  /** Where a checking client connects that must not feel the faults of {@link #proxy()}. */
  public String directUri() {
    return address.uri();
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
   * Gives an order past the proxy and returns the text of the answer: {@code order("SCRIPT
   * FLUSH")}, {@code order("INFO commandstats")}. Blocks.
   *
   * @param order words without spaces in them; one whose answer is a list is not understood
   * @throws IllegalStateException when it was refused, or Redis does not answer within a minute
   */
  public String order(String order) {
    try {
      return RedisOrders.send(address, order);
    } catch (IOException e) {
      throw new IllegalStateException("Redis refused: " + order, e);
    }
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
