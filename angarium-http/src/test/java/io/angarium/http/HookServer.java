package io.angarium.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A real HTTP server on the loopback interface that answers each path as a test says. */
final class HookServer implements AutoCloseable {
  /** What came to a path. */
  static final class Request {
    private final String method;
    private final String path;
    private final String query;
    private final Map<String, List<String>> headers;
    private final byte[] body;

    Request(HttpExchange exchange, byte[] body) {
      this.method = exchange.getRequestMethod();
      this.path = exchange.getRequestURI().getPath();
      this.query = String.valueOf(exchange.getRequestURI().getRawQuery());
      this.headers = Map.copyOf(exchange.getRequestHeaders());
      this.body = body;
    }

    String method() {
      return method;
    }

    String path() {
      return path;
    }

    /** As it was sent. */
    String query() {
      return query;
    }

    /** By names of which the first letter alone is upper case. */
    Map<String, List<String>> headers() {
      return headers;
    }

    byte[] body() {
      return body;
    }

    String header(String name) {
      List<String> values = headers.get(name);
      return values == null ? "" : String.join("|", values);
    }
  }

  /** How a path answers. */
  interface Answer {
    void to(HttpExchange exchange) throws IOException;
  }

  private final ExecutorService threads =
      Executors.newCachedThreadPool(
          work -> {
            Thread thread = new Thread(work, "hook-server");
            thread.setDaemon(true);
            return thread;
          });
  private final HttpServer server;
  private final Map<String, Answer> answers = new ConcurrentHashMap<>();
  private final List<Request> requests = new CopyOnWriteArrayList<>();
  private final CountDownLatch closing = new CountDownLatch(1);

  HookServer() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.createContext("/", this::handle);
    server.setExecutor(threads);
    server.start();
  }

  int port() {
    return server.getAddress().getPort();
  }

  String url(String path) {
    return "http://127.0.0.1:" + port() + path;
  }

  /** Lets a path answer; others answer 404. */
  HookServer on(String path, Answer answer) {
    answers.put(path, answer);
    return this;
  }

  /** Lets a path answer with a status and a text. */
  HookServer on(String path, int status, String text) {
    return on(path, exchange -> answer(exchange, status, text));
  }

  static void answer(HttpExchange exchange, int status, String text) throws IOException {
    byte[] body = text.getBytes(java.nio.charset.StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
    if (body.length > 0) {
      exchange.getResponseBody().write(body);
    }
  }

  /** Everything that came, in the order in which it came. */
  List<Request> requests() {
    return List.copyOf(requests);
  }

  /** Everything that came by POST, in the order in which it came. */
  List<Request> posts() {
    return requests.stream().filter(request -> request.method().equals("POST")).toList();
  }

  List<Request> posts(String path) {
    return posts().stream().filter(request -> request.path().equals(path)).toList();
  }

  /** How often somebody asked whether the path is there. */
  long asked(String path) {
    return requests.stream()
        .filter(request -> request.method().equals("OPTIONS") && request.path().equals(path))
        .count();
  }

  /** Keeps a request without an answer until the server is closed. */
  void hang() {
    try {
      closing.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      String path = exchange.getRequestURI().getPath();
      byte[] body = exchange.getRequestBody().readAllBytes();
      Answer answer = answers.get(path);
      requests.add(new Request(exchange, body));
      if (answer == null) {
        answer(exchange, 404, "no hook at " + path);
      } else {
        answer.to(exchange);
      }
    }
  }

  @Override
  public void close() {
    closing.countDown();
    server.stop(0);
    threads.shutdownNow();
  }
}
