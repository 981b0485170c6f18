package io.angarium.crash;

import com.zaxxer.hikari.HikariDataSource;
import io.angarium.crash.Warehouse.Answer;
import io.angarium.jdbc.JdbcInbox;
import io.angarium.jdbc.settings.InboxConfig;
import io.angarium.jdbc.settings.SchemaMode;
import io.angarium.testservers.TestDatabase;
import java.io.IOException;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Four processes with two consumers each, all of the same orders; each is killed with SIGKILL twice
 * and started again, and then the stock is judged. Not thread-safe: one thread at a time.
 */
final class WarehouseRun {
  private static final int PROCESSES = 4;
  private static final int THREADS = 2;
  private static final int KILLS_EACH = 2;
  private static final int PASSES_MAX = 40;
  private static final int ORDERS_MIN = 400;
  private static final int LIMIT_SECONDS = 120;
  private static final List<CrashPoint> POINTS =
      List.of(CrashPoint.BEFORE_COMMIT, CrashPoint.AFTER_COMMIT, CrashPoint.ANY_TIME);

  private final TestDatabase database;
  private final List<Consumption> ways;
  private final Random random;
  private final Deliveries source;
  private final List<WarehouseProcess> processes = new ArrayList<>();
  private final int[] generations = new int[PROCESSES];
  private final BlockingQueue<Integer> due = new LinkedBlockingQueue<>();
  private final Map<CrashPoint, Integer> kills = new EnumMap<>(CrashPoint.class);
  private final Map<Answer, Integer> answers = new EnumMap<>(Answer.class);
  private int interrupted;

  /**
   * What happened, and what is wrong with the stock. Immutable.
   *
   * @param kills by where they were
   * @param interrupted deliveries that were with a process when it was killed
   * @param duplicates deliveries beyond the first of an order, made on purpose
   */
  record Outcome(
      int orders,
      long duplicates,
      Map<CrashPoint, Integer> kills,
      int interrupted,
      Map<Answer, Integer> answers,
      Stock.Findings findings) {
    int answered(Answer answer) {
      return answers.getOrDefault(answer, 0);
    }
  }

  private WarehouseRun(
      TestDatabase database, List<Consumption> ways, Deliveries source, long seed) {
    this.database = database;
    this.ways = ways;
    this.source = source;
    this.random = new Random(seed);
  }

  /**
   * Runs on an empty database.
   *
   * @param ways of the processes, in turn
   * @param copies how often each order is delivered at once
   * @param repeated the share of further deliveries that repeat an order
   */
  static Outcome run(TestDatabase database, List<Consumption> ways, int copies, double repeated)
      throws Exception {
    long seed = System.nanoTime();
    System.out.printf("Warehouses on %s, seed %d%n", database.server(), seed);
    try (HikariDataSource pool =
            Service.pool(database.url(), database.user(), database.password());
        Connection connection = pool.getConnection()) {
      JdbcInbox.open(pool, InboxConfig.DEFAULTS.schemaMode(SchemaMode.CREATE));
      Stock.create(database);
      Deliveries source = new Deliveries(new Random(seed), copies, repeated);
      Outcome outcome = new WarehouseRun(database, ways, source, seed).run(connection);
      System.out.println(outcome);
      return outcome;
    }
  }

  private Outcome run(Connection connection) throws Exception {
    try {
      for (int place = 0; place < PROCESSES; place++) {
        start(place);
      }
      for (int i = 0; i < PROCESSES * KILLS_EACH; i++) {
        killOne();
      }
      finish();
    } finally {
      for (WarehouseProcess process : processes) {
        stop(process);
      }
    }
    Stock.Findings findings = Stock.judge(connection, source.orders());
    return new Outcome(source.orders(), source.duplicates(), kills, interrupted, answers, findings);
  }

  private void start(int place) throws IOException {
    int generation = generations[place]++;
    boolean last = generation == KILLS_EACH;
    CrashPoint point =
        last ? CrashPoint.ANY_TIME : POINTS.get((place + generation) % POINTS.size());
    int passes = last ? Integer.MAX_VALUE : random.nextInt(PASSES_MAX);
    Consumption way = ways.get(place % ways.size());
    processes.add(
        place,
        WarehouseProcess.start(
            database,
            new WarehouseProcess.Plan(way, THREADS, point, passes),
            source,
            () -> due.add(place)));
  }

  /** The next that has come to its point: what it has locked holds up the others. */
  private void killOne() throws Exception {
    Integer place = due.poll(LIMIT_SECONDS, TimeUnit.SECONDS);
    if (place == null) {
      throw new IllegalStateException(
          "No warehouse came to its point within " + LIMIT_SECONDS + " s; " + kills);
    }
    WarehouseProcess victim = processes.remove((int) place);
    kills.merge(victim.plan().point(), 1, Integer::sum);
    interrupted += stop(victim);
    start(place);
  }

  private int stop(WarehouseProcess process) throws InterruptedException {
    int unacknowledged = process.kill();
    process.answers().forEach((answer, number) -> answers.merge(answer, number, Integer::sum));
    return unacknowledged;
  }

  /** Lets those that are left take the rest. */
  private void finish() throws InterruptedException {
    for (WarehouseProcess process : processes) {
      process.awaitReady();
    }
    await(() -> source.orders() >= ORDERS_MIN);
    source.stop();
    await(() -> processes.stream().allMatch(process -> process.unacknowledged() == 0));
  }

  private static void await(BooleanSupplier condition) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException("Orders are left after " + LIMIT_SECONDS + " s");
      }
      new CountDownLatch(1).await(20, TimeUnit.MILLISECONDS);
    }
  }
}
