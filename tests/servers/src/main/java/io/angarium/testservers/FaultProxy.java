package io.angarium.testservers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A TCP proxy on the loopback interface that fails on demand. Every fault works on open and on new
 * connections, at once, and until {@link #heal()}. Nothing is lost or reordered inside of an open
 * connection, as with TCP itself: bytes come late, or the connection breaks. Thread-safe.
 */
public final class FaultProxy implements AutoCloseable {
  /** The directions in which bytes flow. */
  public enum Way {
    /** From the client to the server: requests. */
    TO_SERVER,
    /** From the server to the client: replies. */
    TO_CLIENT
  }

  private static final int CONNECT_LIMIT_MILLIS = 5_000;
  private static final int ACCEPTOR_LIMIT_MILLIS = 10_000;

  private volatile InetSocketAddress target;
  private final int port;
  private final Faults faults = new Faults();
  private final Set<ProxiedConnection> connections = ConcurrentHashMap.newKeySet();
  private final AtomicInteger cuts = new AtomicInteger();
  private @Nullable ServerSocket listener;
  private @Nullable Thread acceptor;
  private boolean closed;

  private FaultProxy(InetSocketAddress target, int port) {
    this.target = target;
    this.port = port;
    accept();
  }

  /** Opens a proxy on a free port. */
  public static FaultProxy to(String host, int port) {
    InetSocketAddress target = new InetSocketAddress(host, port);
    return FreePort.using(1, ports -> new FaultProxy(target, ports.get(0)));
  }

  /** Opens a proxy to a server. */
  public static FaultProxy to(TestServer server) {
    return to(server.host(), server.port());
  }

  /** The port on 127.0.0.1 where clients connect; stays the same. */
  public int port() {
    return port;
  }

  /** The number of connections that are open now. */
  public int connections() {
    return connections.size();
  }

  /** How many times all connections were broken, by whatever call. */
  public int cuts() {
    return cuts.get();
  }

  /** Leads new connections to another server; open ones stay where they are. */
  public void leadTo(TestServer server) {
    target = new InetSocketAddress(server.host(), server.port());
  }

  /** Breaks all open connections with a reset; new ones are served. */
  public void cutAll() {
    cuts.incrementAndGet();
    connections.forEach(ProxiedConnection::cut);
  }

  /** Breaks all open connections and refuses new ones, as when the server is down. */
  public synchronized void refuse() {
    closeListener();
    cutAll();
  }

  /** Accepts connections again after {@link #refuse()}. */
  public synchronized void accept() {
    if (listener != null || closed) {
      return;
    }
    try {
      ServerSocket opened = new ServerSocket();
      opened.setReuseAddress(true);
      opened.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      listener = opened;
      acceptor = thread("accept", () -> serve(opened));
      acceptor.start();
    } catch (IOException e) {
      throw new ServerUnavailableException("The proxy cannot listen on port " + port, e);
    }
  }

  /** Holds all bytes in both directions back; connections stay open and can be opened. */
  public void blackhole() {
    faults.hold(Way.TO_SERVER, true);
    faults.hold(Way.TO_CLIENT, true);
  }

  /**
   * Holds the bytes of one direction back. Without replies the server does what it is told and the
   * client never learns of it: together with {@link #cutAll()} the way to lose an acknowledgement.
   */
  public void blackhole(Way way) {
    faults.hold(way, true);
  }

  /** Lets every byte come later, by this much in each direction; zero for none. */
  public void latency(Duration latency) {
    if (latency.isNegative()) {
      throw new IllegalArgumentException("latency: " + latency + " (expected: zero or more)");
    }
    faults.latency(latency);
  }

  /**
   * Limits each direction of each connection; then little more than the network's own buffers is
   * under way, so that who writes feels it.
   *
   * @param bytesPerSecond at least 1
   */
  public void bandwidth(long bytesPerSecond) {
    if (bytesPerSecond < 1) {
      throw new IllegalArgumentException(
          "bytesPerSecond: " + bytesPerSecond + " (expected: 1 or more)");
    }
    faults.bandwidth(bytesPerSecond);
  }

  /**
   * Breaks all connections once this many more bytes have gone one way, counted over all of them;
   * the bytes before are delivered, those after are not. Happens once; new connections are served.
   *
   * @param bytes zero or more
   */
  public void cutAfter(Way way, long bytes) {
    if (bytes < 0) {
      throw new IllegalArgumentException("bytes: " + bytes + " (expected: zero or more)");
    }
    faults.cutAfter(way, bytes);
  }

  /** Ends all faults; what was held back flows on. */
  public void heal() {
    faults.clear();
    accept();
  }

  private void serve(ServerSocket opened) {
    while (true) {
      Socket client;
      try {
        client = opened.accept();
      } catch (IOException e) {
        // The listener was closed: refuse() or close().
        return;
      }
      Socket server = new Socket();
      ProxiedConnection connection =
          new ProxiedConnection(client, server, faults, this::cutAll, connections::remove);
      // Known before anybody can ask to cut it.
      connections.add(connection);
      thread("connect", () -> connect(connection, server)).start();
    }
  }

  /** Connects on; a client sees a server that is down as a reset, the nearest a proxy can get. */
  private void connect(ProxiedConnection connection, Socket server) {
    try {
      server.connect(target, CONNECT_LIMIT_MILLIS);
      connection.start();
    } catch (IOException e) {
      connection.cut();
    }
  }

  private Thread thread(String name, Runnable work) {
    Thread thread = new Thread(work, "fault-proxy-" + port + "-" + name);
    thread.setDaemon(true);
    return thread;
  }

  private void closeListener() {
    try {
      if (listener != null) {
        listener.close();
      }
      listener = null;
    } catch (IOException e) {
      throw new UncheckedIOException("The proxy cannot stop listening on port " + port, e);
    }
    joinAcceptor();
  }

  /** While its thread still waits in accept(), the kernel goes on to take new connections. */
  private void joinAcceptor() {
    try {
      if (acceptor != null) {
        acceptor.join(ACCEPTOR_LIMIT_MILLIS);
      }
      acceptor = null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Breaks all connections and frees the port. */
  @Override
  public synchronized void close() {
    closed = true;
    closeListener();
    cutAll();
  }
}
