package io.angarium.crash;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.angarium.crash.ProducerSettings.Answering;
import io.angarium.half.CheckBack;
import io.angarium.half.HalfKey;
import io.angarium.half.Verdict;
import io.angarium.http.check.CheckBackEndpoint;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;

/** Where a producer is asked over HTTP; prints what it answers. Thread-safe. */
final class AskedProducer implements CheckBack {
  /** What the process prints, followed by the verdict, for each half message that it answers. */
  static final String ANSWER = "ANSWER ";

  private static final int THREADS = 4;

  private final CheckBack real;
  private final Tripwire wire;
  private final Answering answering;

  private AskedProducer(CheckBack real, Tripwire wire, Answering answering) {
    this.real = real;
    this.wire = wire;
    this.answering = answering;
  }

  /** Answers until the process ends, unless it never does. */
  static void start(ProducerSettings settings, CheckBack markers, Tripwire wire)
      throws IOException {
    if (settings.answering() == Answering.NEVER) {
      return;
    }
    CheckBackEndpoint endpoint =
        new CheckBackEndpoint(
            Map.of(OrderProducer.BUSINESS, new AskedProducer(markers, wire, settings.answering())));
    InetSocketAddress address =
        new InetSocketAddress(InetAddress.getLoopbackAddress(), settings.port());
    HttpServer server = HttpServer.create(address, 0);
    server.createContext("/check-back", exchange -> answer(exchange, endpoint));
    server.setExecutor(Executors.newFixedThreadPool(THREADS));
    server.start();
  }

  private static void answer(HttpExchange exchange, CheckBackEndpoint endpoint) throws IOException {
    try (exchange) {
      byte[] question = exchange.getRequestBody().readAllBytes();
      CheckBackEndpoint.Reply reply = endpoint.answer(new String(question, StandardCharsets.UTF_8));
      byte[] body = reply.body().getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(reply.status(), body.length);
      exchange.getResponseBody().write(body);
    }
  }

  @Override
  public Verdict check(HalfKey key) throws Exception {
    return checkAll(List.of(key)).get(0);
  }

  @Override
  public List<Verdict> checkAll(List<HalfKey> keys) throws Exception {
    wire.passUntilOneStops(ProducerPoint.ASKED); // the centre asks again
    List<Verdict> verdicts =
        answering == Answering.BY_MARKERS
            ? real.checkAll(keys)
            : Collections.nCopies(keys.size(), Verdict.UNKNOWN);
    verdicts.forEach(verdict -> System.out.println(ANSWER + verdict));
    return verdicts;
  }
}
