package io.angarium.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Producer and receivers of a message of dtm: answers as it is told, and remembers all calls. */
final class DtmWorld implements AutoCloseable {
  /** What came. */
  record Call(String method, String path, String query, String body, Map<String, String> headers) {}

  /** What is answered. */
  record Reply(int status, String body) {}

  private static final Reply DONE = new Reply(200, "{\"dtm_result\":\"SUCCESS\"}");

  private final ExecutorService threads = Executors.newFixedThreadPool(4);
  private final List<Call> calls = new CopyOnWriteArrayList<>();
  private final Map<String, Queue<Reply>> replies = new ConcurrentHashMap<>();
  private final HttpServer server;

  DtmWorld() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.createContext("/", this::answer);
    server.setExecutor(threads);
    server.start();
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String path = exchange.getRequestURI().getPath();
      String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
      Map<String, String> headers = new ConcurrentHashMap<>();
      exchange.getRequestHeaders().forEach((name, values) -> headers.put(name, values.get(0)));
      calls.add(
          new Call(
              exchange.getRequestMethod(),
              path,
              String.valueOf(exchange.getRequestURI().getRawQuery()),
              body,
              headers));
      Queue<Reply> prepared = replies.get(path);
      Reply reply = prepared == null || prepared.isEmpty() ? DONE : prepared.remove();
      byte[] answer = reply.body().getBytes(UTF_8);
      exchange.sendResponseHeaders(reply.status(), answer.length);
      exchange.getResponseBody().write(answer);
    }
  }

  /** What comes next to a path is answered so; after that, done. */
  void reply(String path, Reply... next) {
    replies.computeIfAbsent(path, any -> new ConcurrentLinkedQueue<>()).addAll(List.of(next));
  }

  String host() {
    return "127.0.0.1:" + server.getAddress().getPort();
  }

  String url(String path) {
    return "http://" + host() + path;
  }

  List<Call> calls() {
    return calls;
  }

  List<String> paths() {
    return calls.stream().map(Call::path).toList();
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
