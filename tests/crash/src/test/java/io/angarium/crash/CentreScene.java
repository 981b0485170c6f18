package io.angarium.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.crash.CentreAudit.Findings;
import io.angarium.jdbc.JdbcDatabase;
import io.angarium.jdbc.settings.JdbcConfig;
import io.angarium.jdbc.settings.SchemaMode;
import io.angarium.testservers.DatabaseServer;
import io.angarium.testservers.FreePort;
import io.angarium.testservers.SharedServers;
import io.angarium.testservers.TestDatabase;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * A message centre, producers with a database of their own, and a consumer. Half messages are asked
 * for quickly, and servers are quickly replaced.
 */
final class CentreScene implements AutoCloseable {
  static final String HOOK = "http:orders";

  private static final Duration LIMIT = Duration.ofSeconds(90);

  /** Where producers are asked, the first and the second. */
  final int port = FreePort.find();

  final int otherPort = FreePort.find();
  final Arrivals arrivals = new Arrivals();
  final HookConsumer consumer;
  final TestDatabase orders;
  final TestDatabase centre;

  private final Path folder;
  private final Deque<Runnable> open = new ArrayDeque<>();

  /**
   * Begins with databases and a consumer.
   *
   * @param database where the database of the message centre is
   */
  CentreScene(Path folder, DatabaseServer database) throws Exception {
    this.folder = folder;
    this.centre = database.freshDatabase();
    this.orders = SharedServers.postgres().freshDatabase();
    try (var pool = Service.pool(orders.url(), orders.user(), orders.password())) {
      JdbcDatabase.open(pool, JdbcConfig.DEFAULTS.schemaMode(SchemaMode.CREATE)).markers();
    }
    orders.execute("CREATE TABLE orders (id text PRIMARY KEY, customer text, follows text)");
    this.consumer = new HookConsumer(arrivals);
    open.push(consumer::close);
  }

  /**
   * A server that runs.
   *
   * @param more options, which replace those that all servers here have
   */
  CentreServer server(String... more) throws IOException {
    List<String> options = new ArrayList<>(standard());
    for (String option : more) {
      String name = option.substring(0, option.indexOf('=') + 1);
      options.removeIf(other -> other.startsWith(name));
      options.add(option);
    }
    CentreServer server = new CentreServer(folder, FreePort.find(), options);
    open.push(server::kill);
    return server.start().awaitRunning();
  }

  private List<String> standard() {
    return List.of(
        "--spring.datasource.url=" + centre.url(),
        "--spring.datasource.username=" + centre.user(),
        "--spring.datasource.password=" + centre.password(),
        "--angarium.http.hooks.orders.url=" + consumer.url(),
        "--angarium.http.timeout=2s",
        "--angarium.relay.lease.ttl=3s",
        "--angarium.relay.poll.idle=200ms",
        "--angarium.circuit.max-pause=1s",
        "--angarium.retry.first-pause=50ms",
        "--angarium.retry.max-pause=500ms",
        "--angarium.half.check.allowed-hosts=127.0.0.1:%d,127.0.0.1:%d".formatted(port, otherPort),
        "--angarium.half.check.first=1s",
        "--angarium.half.check.min-pause=200ms",
        "--angarium.half.check.max-pause=400ms",
        "--angarium.half.check.unreachable-max-pause=1s",
        "--angarium.half.check.unknown-max=3",
        "--angarium.half.check.alert-after=1s",
        "--angarium.half.check.timeout=2s");
  }

  /** A producer that only answers. */
  ProducerSettings producer(CentreServer... servers) {
    List<String> centres = List.of(servers).stream().map(CentreServer::address).toList();
    return ProducerSettings.answering(orders, centres, HOOK, port);
  }

  ProducerProcess start(ProducerSettings settings) throws IOException {
    ProducerProcess producer = ProducerProcess.start(settings);
    open.push(producer::kill);
    return producer;
  }

  CentreAudit audit(String names) {
    return new CentreAudit(orders, centre, arrivals, names);
  }

  /** However slow the machine is, something is killed while producers sell. */
  void awaitSold(long number) {
    Waiting.until(LIMIT, () -> sold() >= number, () -> "Not " + number + " orders");
  }

  long sold() throws Exception {
    return orders.number("SELECT COUNT(*) FROM orders");
  }

  /** Waits until it is so, or can never be so any more. */
  void awaitState(CentreAudit audit, String key, String state) throws Exception {
    Waiting.comesTrue(
        LIMIT,
        () -> {
          String now = audit.state(key);
          return now.equals(state) || now.equals("committed") || now.equals("rolled back");
        });
    assertThat(audit.state(key)).as(key).isEqualTo(state);
  }

  /** Starts a producer and kills it where it stops. */
  void kill(ProducerSettings settings) throws IOException {
    try (ProducerProcess victim = start(settings)) {
      victim.await(Tripwire.SIGN);
    }
  }

  /** Orders failed, too, so that there was something to deliver wrongly. */
  void checkNothingWrong(CentreAudit audit) throws Exception {
    assertThat(audit.atEnd()).isEqualTo(Findings.NONE);
    assertThat(audit.sold()).isNotEmpty();
    assertThat(audit.count("rolled back")).isPositive();
  }

  @Override
  public void close() {
    open.forEach(Runnable::run);
  }
}
