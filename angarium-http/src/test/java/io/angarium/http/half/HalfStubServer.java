package io.angarium.http.half;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.angarium.InvalidMessageException;
import io.angarium.StoreException;
import io.angarium.half.HalfCall;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessages;
import io.angarium.half.HalfState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A real HTTP server on the loopback interface with half messages behind it. */
final class HalfStubServer implements AutoCloseable {
  /** Answers in the place of the half messages; true if it did. */
  interface Detour {
    boolean take(HttpExchange exchange, List<HalfCall> calls) throws IOException;
  }

  private static final Detour NONE = (exchange, calls) -> false;

  private final HalfMessages half;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final HttpServer server;
  private final List<List<HalfCall>> batches = new CopyOnWriteArrayList<>();
  private final List<String> keys = new CopyOnWriteArrayList<>();
  private volatile Detour detour = NONE;

  HalfStubServer(HalfMessages half) {
    this.half = half;
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.createContext(HalfJson.BATCH, this::batch);
    server.createContext(HalfJson.STATES, this::states);
    server.setExecutor(threads);
    server.start();
  }

  String address() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /** The calls of each request, in the order in which they came. */
  List<List<HalfCall>> batches() {
    return batches;
  }

  /** What the requests had in the header authorization. */
  List<String> authorizations() {
    return keys;
  }

  HalfStubServer detour(Detour detour) {
    this.detour = detour;
    return this;
  }

  private void batch(HttpExchange exchange) throws IOException {
    try (exchange) {
      keys.add(String.valueOf(exchange.getRequestHeaders().getFirst("authorization")));
      List<HalfCall> calls = HalfJson.readCalls(exchange.getRequestBody().readAllBytes());
      batches.add(calls);
      if (detour.take(exchange, calls)) {
        return;
      }
      answer(exchange, 200, HalfJson.answers(half.callAll(calls)));
    } catch (InvalidMessageException | InvalidCallsException e) {
      problem(exchange, 422, HalfProblem.INVALID, e.getMessage(), "");
    } catch (StoreException e) {
      problem(exchange, 503, HalfProblem.STORE_FAILED, e.getMessage(), "");
    }
  }

  private void states(HttpExchange exchange) throws IOException {
    try (exchange) {
      List<HalfKey> asked = HalfJson.readKeys(exchange.getRequestBody().readAllBytes());
      Map<HalfKey, HalfState> states = half.states(asked);
      answer(exchange, 200, HalfJson.states(asked.stream().map(states::get).toList()));
    }
  }

  static void problem(HttpExchange exchange, int status, String code, String detail, String calls)
      throws IOException {
    String body =
        "{\"status\":%d,\"code\":\"%s\",\"detail\":\"%s\",\"calls\":[%s],\"more\":{\"a\":[1]}}"
            .formatted(status, code, detail.replace("\"", "'"), calls);
    answer(exchange, status, body.getBytes(UTF_8));
  }

  static void answer(HttpExchange exchange, int status, byte[] body) throws IOException {
    exchange.sendResponseHeaders(status, body.length);
    exchange.getResponseBody().write(body);
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
