package io.angarium.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A web hook that remembers the payloads it got. */
final class HookReceiver implements AutoCloseable {
  private final ExecutorService threads = Executors.newFixedThreadPool(8);
  private final Set<String> received = ConcurrentHashMap.newKeySet();
  private final HttpServer server;

  HookReceiver() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.createContext(
        "/",
        exchange -> {
          try (exchange) {
            received.add(new String(exchange.getRequestBody().readAllBytes(), UTF_8));
            exchange.sendResponseHeaders(204, -1);
          }
        });
    server.setExecutor(threads);
    server.start();
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/";
  }

  /** Each payload once, however often it came. */
  Set<String> received() {
    return received;
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
