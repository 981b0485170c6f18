package io.angarium.tests.spring.avro;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/**
 * A registry of schemas over HTTP: {@code POST /subjects/<subject>} gives the id of a schema,
 * {@code GET /schemas/<id>} the schema of an id. Thread-safe.
 */
public final class SchemaRegistry implements AutoCloseable {
  private final HttpServer server;
  private final List<String> schemas = new ArrayList<>();
  private final List<String> subjects = new ArrayList<>();

  private SchemaRegistry(HttpServer server) {
    this.server = server;
  }

  /** Starts one on a free port of the loopback address. */
  public static SchemaRegistry start() {
    try {
      HttpServer server =
          HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      SchemaRegistry registry = new SchemaRegistry(server);
      server.createContext("/", registry::handle);
      server.start();
      return registry;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Where it is. */
  public String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /** The subjects that schemas were registered for, in the order of the calls. */
  public synchronized List<String> subjects() {
    return List.copyOf(subjects);
  }

  private void handle(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    String name = path.substring(path.lastIndexOf('/') + 1);
    String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
    byte[] answer = answer(exchange.getRequestMethod(), name, body).getBytes(UTF_8);
    exchange.sendResponseHeaders(200, answer.length);
    exchange.getResponseBody().write(answer);
    exchange.close();
  }

  private synchronized String answer(String method, String name, String body) {
    if (method.equals("GET")) {
      return schemas.get(Integer.parseInt(name) - 1);
    }
    subjects.add(name);
    if (!schemas.contains(body)) {
      schemas.add(body);
    }
    return Integer.toString(schemas.indexOf(body) + 1);
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
