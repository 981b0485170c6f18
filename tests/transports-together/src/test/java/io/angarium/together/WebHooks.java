package io.angarium.together;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.angarium.http.HttpConfig;
import io.angarium.http.HttpTransport;
import io.angarium.transport.Transport;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.sql.DataSource;

/** A receiver of web hooks, a path for each place; can hang. */
record WebHooks(HttpServer server, ExecutorService threads, Gate gate, Arrivals arrivals)
    implements Broker, AutoCloseable {

  static WebHooks start() throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    WebHooks hooks =
        new WebHooks(server, Executors.newCachedThreadPool(), new Gate(), new Arrivals());
    server.setExecutor(hooks.threads);
    server.createContext("/", hooks::take);
    server.start();
    return hooks;
  }

  private void take(HttpExchange request) throws IOException {
    byte[] text = request.getRequestBody().readAllBytes();
    gate.pass();
    arrivals.add(request.getRequestURI().getPath().substring(1), text);
    request.sendResponseHeaders(204, -1);
    request.close();
  }

  private String host() {
    return "127.0.0.1:" + server.getAddress().getPort();
  }

  @Override
  public Transport open(Duration patience, DataSource database) {
    HttpConfig.Timing defaults = HttpConfig.Timing.DEFAULTS;
    Duration longer = patience.multipliedBy(3); // goes on at once when the outage ends
    return HttpTransport.open(
        HttpConfig.allowing(host())
            .timing(
                new HttpConfig.Timing(defaults.connect(), longer, longer, defaults.pauseMax())));
  }

  @Override
  public String create(String place) {
    return "http:http://" + host() + "/" + place;
  }

  @Override
  public List<String> read(String place) {
    return arrivals.of(place);
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }

  @Override
  public String toString() {
    return "web hooks";
  }
}
