package io.angarium.crash;

import com.zaxxer.hikari.HikariDataSource;
import io.angarium.jdbc.JdbcDatabase;
import io.angarium.jdbc.JdbcOutboxStore;
import io.angarium.jdbc.settings.JdbcConfig;
import io.angarium.jdbc.settings.SchemaMode;
import io.angarium.store.Backlog;
import io.angarium.testservers.DatabaseServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.ServerOptions;
import io.angarium.testservers.TestDatabase;
import io.angarium.testtopics.Topic;
import java.io.File;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * Runs services on a real database and a real broker, kills them with SIGKILL at random moments and
 * at named points, and checks what arrived.
 *
 * <p>As a program: arguments are the database ({@code postgresql}, {@code mariadb} or {@code
 * mysql}), the broker ({@code kafka}, {@code rabbitmq} or {@code rocketmq}), the kills and the
 * messages that are needed at least, and a seed (0 for a new one). Ends with 1 if anything was
 * lost, invented or out of order.
 */
public final class CrashRun {
  private static final int TOPIC_PARTS = 6;
  private static final String TOPIC = "entries";
  private static final int SERVICES = 3;
  private static final int RELAYS = 1;
  private static final double FAILING = 0.02;
  private static final int DRAIN_SECONDS_MAX = 180;

  private final DatabaseServer server;
  private final BrokerKind kind;
  private final Broker broker;
  private final TestDatabase database;
  private final Random random;
  private final File log;
  private final List<Child> children = new ArrayList<>();
  private int started;
  private int killed;
  private int atPoints;

  private CrashRun(DatabaseServer server, BrokerKind kind, Broker broker, long seed)
      throws IOException {
    this.server = server;
    this.kind = kind;
    this.broker = broker;
    this.database = server.freshDatabase();
    this.random = new Random(seed);
    this.log = File.createTempFile("crash-run-", ".log");
  }

  /** Runs it. */
  public static void main(String[] args) throws Exception {
    Server server = Server.valueOf(args[0].toUpperCase(Locale.ROOT));
    BrokerKind broker = BrokerKind.valueOf(args[1].toUpperCase(Locale.ROOT));
    int kills = Integer.parseInt(args[2]);
    int messages = Integer.parseInt(args[3]);
    Verdict verdict = run(server, broker, kills, messages, Long.parseLong(args[4]));
    boolean clean =
        verdict.lost().isEmpty()
            && verdict.unknown().isEmpty()
            && verdict.disorder().isEmpty()
            && verdict.duplicates() <= verdict.duplicatesMax();
    System.exit(clean ? 0 : 1);
  }

  /**
   * Runs until both numbers are reached, then lets the rest be delivered and checks.
   *
   * @param seed 0 for a new one; it decides who is killed when, not how threads interleave
   */
  static Verdict run(Server database, BrokerKind kind, int kills, int messages, long seed)
      throws Exception {
    long used = seed == 0 ? System.nanoTime() : seed;
    ServerOptions options = ServerOptions.standard().ownProcess().durable();
    try (DatabaseServer server = DatabaseServer.start(database, options);
        Broker broker = kind.start(options)) {
      System.out.printf(
          "Crash run on %s and %s: %d kills, %d messages, seed %d%n",
          server, broker.server(), kills, messages, used);
      return new CrashRun(server, kind, broker, used).run(kills, messages);
    }
  }

  private Verdict run(int kills, int messages) throws Exception {
    System.out.println("Errors of the services: " + log);
    Topic topic = broker.create(TOPIC, TOPIC_PARTS);
    try (HikariDataSource pool =
            Service.pool(database.url(), database.user(), database.password());
        Connection connection = pool.getConnection()) {
      JdbcDatabase opened =
          JdbcDatabase.open(pool, JdbcConfig.DEFAULTS.schemaMode(SchemaMode.CREATE));
      new Ledger(Service.KEYS, kind.destination(TOPIC)).create(connection);
      try {
        killAll(connection, kills, messages);
        drain(opened);
      } finally {
        for (Child child : children) {
          child.kill();
        }
      }
      Verdict verdict = Verdict.of(killed, Ledger.committed(connection), topic.read());
      report(verdict);
      return verdict;
    }
  }

  private void killAll(Connection connection, int kills, int messages) throws Exception {
    for (int i = 0; i < SERVICES + RELAYS; i++) {
      children.add(start(i));
    }
    for (Child child : children) {
      ready(child);
    }
    while (killed < kills || Ledger.entries(connection) < messages) {
      OptionalInt waiting = waiting();
      if (killed < kills || waiting.isPresent()) {
        killOne(waiting.orElseGet(() -> random.nextInt(children.size())));
        killed++;
        System.out.printf(
            "killed %d of %d (%d at a named point), %d messages committed%n",
            killed, kills, atPoints, Ledger.entries(connection));
      } else {
        pause(500);
      }
    }
    for (Child child : children) {
      child.stop();
    }
    children.clear();
  }

  /** One that stands at its point: the rows it has locked hold up the producers of all others. */
  private OptionalInt waiting() {
    return IntStream.range(0, children.size()).filter(i -> children.get(i).isAtPoint()).findFirst();
  }

  /** Kills a service where it is told to stop, or at a random moment, and starts another. */
  private void killOne(int victim) throws Exception {
    Child child = children.get(victim);
    ready(child);
    if (child.settings().point() == CrashPoint.ANY_TIME) {
      pause(random.nextInt(700));
    } else if (child.awaitPoint(3_000)) {
      atPoints++;
    }
    child.kill();
    children.set(victim, start(victim));
  }

  private void ready(Child child) throws InterruptedException {
    if (!child.awaitReady()) {
      throw new IllegalStateException(
          "%s did not start within %d s; see %s"
              .formatted(child.settings().node(), Child.START_SECONDS_MAX, log));
    }
  }

  private Child start(int place) throws IOException {
    int producers = place < SERVICES ? 2 : 0;
    CrashPoint point = point(producers > 0);
    double failing = point.needsFailures() || random.nextBoolean() ? FAILING : 0;
    ServiceSettings settings =
        new ServiceSettings(
            database.url(),
            database.user(),
            database.password(),
            kind,
            broker.address(),
            TOPIC,
            "node-" + started++,
            producers,
            failing,
            point,
            random.nextInt(point.passesMax() + 1));
    return Child.start(settings, log);
  }

  private CrashPoint point(boolean producing) {
    if (random.nextInt(4) == 0) {
      return CrashPoint.ANY_TIME;
    }
    List<CrashPoint> points = new ArrayList<>(List.of(CrashPoint.values()));
    points.removeIf(point -> point == CrashPoint.ANY_TIME || (point.needsProducer() && !producing));
    return points.get(random.nextInt(points.size()));
  }

  private static void pause(int millis) throws InterruptedException {
    new CountDownLatch(1).await(millis, TimeUnit.MILLISECONDS);
  }

  /** Lets one last, healthy relay deliver what is left. */
  private void drain(JdbcDatabase opened) throws Exception {
    ServiceSettings settings =
        new ServiceSettings(
            database.url(),
            database.user(),
            database.password(),
            kind,
            broker.address(),
            TOPIC,
            "last",
            0,
            0,
            CrashPoint.ANY_TIME,
            0);
    Child last = Child.start(settings, log);
    children.add(last);
    try (JdbcOutboxStore store = opened.store()) {
      Backlog backlog = store.backlog();
      for (int i = 0; i < DRAIN_SECONDS_MAX * 5 && !empty(backlog); i++) {
        pause(200);
        backlog = store.backlog();
      }
      if (!empty(backlog)) {
        throw new IllegalStateException("still waiting after the end: " + backlog);
      }
    }
    last.stop();
  }

  private static boolean empty(Backlog backlog) {
    return backlog.depth() == 0 && backlog.parked() == 0;
  }

  private void report(Verdict verdict) throws SQLException {
    System.out.printf(
        "%s and %s: %d kills (%d at a named point), %d messages committed, lost %d, not committed %d, out"
            + " of order %d, duplicates %d (bound %d)%n",
        server.server(),
        kind,
        verdict.kills(),
        atPoints,
        verdict.committed(),
        verdict.lost().size(),
        verdict.unknown().size(),
        verdict.disorder().size(),
        verdict.duplicates(),
        verdict.duplicatesMax());
    verdict.lost().stream().limit(5).forEach(line -> System.out.println("  lost " + line));
    verdict.unknown().stream().limit(5).forEach(line -> System.out.println("  invented " + line));
    verdict.disorder().stream().limit(5).forEach(line -> System.out.println("  order " + line));
  }
}
