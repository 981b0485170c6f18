package io.angarium.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * A proxy before several servers that leads each new connection to one that was ready when it was
 * last asked, as load balancers and Kubernetes' services do; open connections it leaves alone.
 * Thread-safe.
 */
final class Balancer implements AutoCloseable {
  private static final int TIMEOUT_MILLIS = 2_000;

  /** The ports of a server. */
  record Target(int web, int grpc) {
    /** What a slow answer leaves as it was: on a busy machine it says nothing. */
    private boolean isReady(boolean before) {
      try {
        HttpURLConnection probe =
            (HttpURLConnection)
                URI.create("http://127.0.0.1:" + web + "/actuator/health/readiness")
                    .toURL()
                    .openConnection();
        probe.setConnectTimeout(TIMEOUT_MILLIS);
        probe.setReadTimeout(TIMEOUT_MILLIS);
        boolean ready = probe.getResponseCode() == 200;
        probe.disconnect();
        return ready;
      } catch (SocketTimeoutException e) {
        return before;
      } catch (IOException e) {
        return false;
      }
    }
  }

  private final List<Target> targets;
  private final Set<Target> ready = ConcurrentHashMap.newKeySet();
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final AtomicInteger next = new AtomicInteger();
  private final ServerSocket web = listener();
  private final ServerSocket grpc = listener();
  private volatile boolean closed;

  /**
   * @param pause between two questions to each server
   */
  Balancer(List<Target> targets, Duration pause) {
    this.targets = List.copyOf(targets);
    targets.forEach(each -> start("probe", () -> probe(each, pause)));
    start("web", () -> accept(web));
    start("grpc", () -> accept(grpc));
  }

  private static ServerSocket listener() {
    try {
      return new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void start(String name, Runnable work) {
    Thread thread = new Thread(work, "balancer-" + name);
    thread.setDaemon(true);
    thread.start();
  }

  int webPort() {
    return web.getLocalPort();
  }

  int grpcPort() {
    return grpc.getLocalPort();
  }

  /** Waits until it knows that a server is ready. */
  void awaitReady(Target target) {
    long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(5);
    while (!ready.contains(target)) {
      if (System.nanoTime() - deadline > 0) {
        throw new AssertionError(target + " is not ready");
      }
      LockSupport.parkNanos(10_000_000);
    }
  }

  private void probe(Target target, Duration pause) {
    while (!closed) {
      var unused =
          target.isReady(ready.contains(target)) ? ready.add(target) : ready.remove(target);
      LockSupport.parkNanos(pause.toNanos());
    }
  }

  private void accept(ServerSocket listener) {
    while (!closed) {
      try {
        Socket client = listener.accept();
        start("connect", () -> lead(client, listener));
      } catch (IOException e) {
        return; // closed
      }
    }
  }

  private void lead(Socket client, ServerSocket listener) {
    List<Target> now = new ArrayList<>(targets);
    now.retainAll(ready);
    if (now.isEmpty()) {
      close(client);
      return;
    }
    Target target = now.get(Math.floorMod(next.getAndIncrement(), now.size()));
    try {
      Socket server =
          new Socket(
              InetAddress.getLoopbackAddress(),
              listener.equals(web) ? target.web() : target.grpc());
      open.add(client);
      open.add(server);
      start("to-server", () -> copy(client, server));
      copy(server, client);
    } catch (IOException e) {
      close(client);
    }
  }

  private void copy(Socket from, Socket to) {
    try {
      from.getInputStream().transferTo(to.getOutputStream());
      to.shutdownOutput();
    } catch (IOException e) {
      close(from);
      close(to);
    }
  }

  private void close(Socket socket) {
    open.remove(socket);
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() throws IOException {
    closed = true;
    web.close();
    grpc.close();
    open.forEach(this::close);
  }
}
