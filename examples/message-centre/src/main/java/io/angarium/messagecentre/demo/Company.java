package io.angarium.messagecentre.demo;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The three processes, each with a database of its own in a file. Not thread-safe: one thread at a
 * time.
 */
final class Company implements AutoCloseable {
  private static final int PORTS_TRIED = 1_000;

  /** Below those of outgoing connections, which could take one while its process is away. */
  private static final int PORT_MIN = 12_000;

  private static final int PORT_MAX = 32_000;

  private final Path folder;
  private final Web web;
  private final int ordersPort;
  private final Secret secret;
  private final Service centre;
  private final Service ledger;
  private Service orders;

  private Company(
      Path folder, Web web, int ordersPort, Secret secret, Service centre, Service ledger)
      throws IOException {
    this.folder = folder;
    this.web = web;
    this.ordersPort = ordersPort;
    this.secret = secret;
    this.centre = centre;
    this.ledger = ledger;
    this.orders = orderService();
  }

  /** Starts them; blocks until they answer. */
  static Company start(Path folder, Web web, Options options)
      throws IOException, InterruptedException {
    int[] ports = freePorts();
    Secret secret = Secret.draw();
    Service centre = centre(folder, options, secret, ports);
    Service ledger = ledger(folder, ports[2]);
    Company company = new Company(folder, web, ports[1], secret, centre, ledger);
    web.awaitAnswer(centre, "/actuator/health");
    web.awaitAnswer(ledger, "/entries");
    web.awaitAnswer(company.orders, "/ready");
    return company;
  }

  private static int[] freePorts() {
    return ThreadLocalRandom.current()
        .ints(PORTS_TRIED, PORT_MIN, PORT_MAX)
        .distinct()
        .filter(Company::isFree)
        .limit(3)
        .toArray();
  }

  private static boolean isFree(int port) {
    try (ServerSocket probe = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return probe.isBound();
    } catch (IOException e) {
      return false;
    }
  }

  private static String at(int port) {
    return "http://127.0.0.1:" + port;
  }

  private static Service centre(Path folder, Options options, Secret secret, int... ports)
      throws IOException {
    return Service.start(
        "io.angarium.messagecentre.centre.CentreProcess",
        List.of(
            "--server.port=" + ports[0],
            "--spring.datasource.url=" + database(folder, "centre"),
            "--angarium.http.hooks.ledger.url=" + at(ports[2]) + "/hooks/ledger",
            // who may be asked
            "--angarium.half.check.allowed-hosts=127.0.0.1:" + ports[1],
            // by which they know who asks
            "--angarium.half.check.secrets.order-paid=" + Secret.PLACEHOLDER,
            "--angarium.half.check.secrets.order-refunded=" + Secret.PLACEHOLDER,
            // sooner than the minute of the standard, as somebody is waiting here
            "--angarium.half.check.first=5s",
            "--angarium.half.check.min-pause=500ms",
            "--angarium.half.check.unreachable-max-pause=1s",
            "--angarium.half.check.enabled=" + options.checkBack()),
        at(ports[0]),
        folder.resolve("centre.log"),
        secret::in);
  }

  private static Service ledger(Path folder, int port) throws IOException {
    List<String> arguments = new ArrayList<>(arguments(folder, "ledger", port));
    arguments.add("--ledger.lost-answers=1");
    return Service.start(
        "io.angarium.messagecentre.ledger.LedgerApplication",
        arguments,
        at(port),
        folder.resolve("ledger.log"),
        process -> {});
  }

  private Service orderService() throws IOException {
    List<String> arguments = new ArrayList<>(arguments(folder, "orders", ordersPort));
    arguments.add("--angarium.half.http.server=" + centre.address());
    arguments.add(
        "--angarium.half.check-back-endpoint.address=" + at(ordersPort) + "/angarium/check-back");
    return Service.start(
        "io.angarium.messagecentre.orders.OrdersApplication",
        arguments,
        at(ordersPort),
        folder.resolve("orders.log"),
        secret::in);
  }

  private static List<String> arguments(Path folder, String name, int port) {
    return List.of(
        "--spring.config.name=" + name,
        "--server.port=" + port,
        "--spring.datasource.url=" + database(folder, name),
        "--spring.datasource.username=sa");
  }

  /** What is committed is in the file: a killed process loses nothing. */
  static String database(Path folder, String name) {
    return "jdbc:h2:file:" + folder.resolve(name) + ";WRITE_DELAY=0;DB_CLOSE_ON_EXIT=FALSE";
  }

  Service centre() {
    return centre;
  }

  Service orders() {
    return orders;
  }

  Service ledger() {
    return ledger;
  }

  /** Starts it once more; blocks until it answers. */
  void startOrders() throws IOException, InterruptedException {
    orders = orderService();
    web.awaitAnswer(orders, "/ready");
  }

  /** Ends all of them, so that their databases can be opened. */
  @Override
  public void close() {
    orders.close();
    centre.close();
    ledger.close();
  }
}
