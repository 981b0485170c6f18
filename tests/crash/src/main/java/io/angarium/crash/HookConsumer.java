package io.angarium.crash;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.angarium.http.HttpWireFormat;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** A web hook that notes what it gets, and keeps its senders waiting on demand. Thread-safe. */
final class HookConsumer implements AutoCloseable {
  private static final long WORK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final AtomicInteger held = new AtomicInteger();
  private final Arrivals arrivals;
  private final HttpServer server;
  private volatile CountDownLatch open = new CountDownLatch(0);

  HookConsumer(Arrivals arrivals) throws IOException {
    this.arrivals = arrivals;
    this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::take);
    server.setExecutor(threads);
    server.start();
  }

  private void take(HttpExchange exchange) throws IOException {
    try (exchange) {
      String order = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      // unequal work shows senders that do not wait for the message before
      LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(WORK_NANOS));
      if (exchange.getRequestMethod().equals("POST")) { // not OPTIONS, whether anybody is there
        arrivals.add(order, exchange.getRequestHeaders().getFirst(HttpWireFormat.ID));
      }
      if (open.getCount() > 0) {
        held.incrementAndGet();
        open.await();
      }
      exchange.sendResponseHeaders(204, -1);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/";
  }

  /** Takes deliveries from now on without answering them. */
  void hold() {
    open = new CountDownLatch(1);
  }

  /** How many deliveries were not answered at once. */
  int held() {
    return held.get();
  }

  /** Answers all, also those to come. */
  void release() {
    open.countDown();
  }

  @Override
  public void close() {
    release();
    server.stop(0);
    threads.shutdownNow();
  }
}
