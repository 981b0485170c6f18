package io.angarium.benchmarks;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.angarium.testservers.DatabaseServer;
import io.angarium.testservers.KafkaServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.ServerOptions;
import io.angarium.testservers.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.sql.DataSource;

/**
 * Drains a committed backlog from PostgreSQL to Kafka, by a hand-written loop and by Angarium in
 * turn (A B B A …), and compares messages per second. Both run in the same process, on the same
 * database server and broker, and warm: rounds that are not counted come first, and every round
 * begins vacuumed and after a checkpoint. Prints every round; ends with 1 if a message was lost or
 * out of order.
 *
 * <p>Arguments: messages per round (default 300 000), pairs of rounds (default 3).
 */
public final class DrainBenchmark {
  private static final int TOPIC_PARTITIONS = 12;
  private static final int KEYS = 10_000;
  private static final int PAYLOAD_BYTES = 200;
  private static final int WARM_UPS = 3;

  private final DatabaseServer database;
  private final DataSource dataSource;
  private final KafkaServer kafka;
  private final Workload workload;
  private final List<Round> rounds = new ArrayList<>();

  private record Round(String arm, double perSecond, TopicCheck check) {}

  /** Processor time used so far, in nanoseconds. */
  private record Cpu(long own, long database, long broker) {
    Cpu since(Cpu earlier) {
      return new Cpu(own - earlier.own, database - earlier.database, broker - earlier.broker);
    }

    String perMessage(int messages) {
      return String.format(
          "CPU per message: %.2f us own, %.2f us database, %.2f us broker",
          own / 1e3 / messages, database / 1e3 / messages, broker / 1e3 / messages);
    }
  }

  private DrainBenchmark(
      DatabaseServer database, DataSource dataSource, KafkaServer kafka, Workload workload) {
    this.database = database;
    this.dataSource = dataSource;
    this.kafka = kafka;
    this.workload = workload;
  }

  /** Runs it. */
  public static void main(String[] args) throws Exception {
    int messages = args.length > 0 ? Integer.parseInt(args[0]) : 300_000;
    int pairs = args.length > 1 ? Integer.parseInt(args[1]) : 3;
    ServerOptions options = ServerOptions.standard().ownProcess().durable();
    System.out.println("Starting PostgreSQL and Kafka ...");
    try (DatabaseServer postgres = DatabaseServer.start(Server.POSTGRESQL, options);
        KafkaServer kafka = KafkaServer.start(options);
        HikariDataSource dataSource = pool(postgres.freshDatabase())) {
      System.out.printf(
          "PostgreSQL %s, Kafka %s, Java %s, %d cores; %d messages of %d bytes, %d keys%n",
          postgres.version(),
          kafka.version(),
          Runtime.version(),
          Runtime.getRuntime().availableProcessors(),
          messages,
          PAYLOAD_BYTES,
          KEYS);
      Workload workload = new Workload(messages, KEYS, PAYLOAD_BYTES);
      new DrainBenchmark(postgres, dataSource, kafka, workload).run(dataSource, pairs);
    }
  }

  private static HikariDataSource pool(TestDatabase database) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(database.url());
    config.setUsername(database.user());
    config.setPassword(database.password());
    config.addDataSourceProperty("reWriteBatchedInserts", "true");
    return new HikariDataSource(config);
  }

  private void run(HikariDataSource dataSource, int pairs) throws Exception {
    try (Arm raw = new RawArm(dataSource, kafka.bootstrapServers());
        Arm angarium = new AngariumArm(dataSource, kafka.bootstrapServers())) {
      System.out.println("Warming up ...");
      for (int i = 0; i < WARM_UPS; i++) { // until the compiler has seen most of either
        round(raw, -i);
        round(angarium, -i);
      }
      rounds.clear();
      for (int pair = 1; pair <= pairs; pair++) {
        round(pair % 2 == 1 ? raw : angarium, pair);
        round(pair % 2 == 1 ? angarium : raw, pair);
      }
    }
    report();
  }

  private void round(Arm arm, int number) throws Exception {
    String topic = arm.name() + "-" + rounds.size() + "-" + number;
    kafka.createTopic(topic, TOPIC_PARTITIONS);
    arm.fill(workload, topic);
    settle();
    Cpu before = cpu();
    long start = System.nanoTime();
    arm.drain(workload.messages());
    double perSecond = workload.messages() / ((System.nanoTime() - start) / 1e9);
    Cpu used = cpu().since(before);
    if (arm.left() > 0) {
      throw new IllegalStateException(arm.left() + " rows left by " + arm.name());
    }
    TopicCheck check = TopicCheck.of(kafka.bootstrapServers(), topic, TOPIC_PARTITIONS, workload);
    rounds.add(new Round(arm.name(), perSecond, check));
    System.out.printf(
        "%-9s round %d: %,9.0f messages/s, lost %d, duplicates %d, out of order %d; %s%n",
        arm.name(),
        number,
        perSecond,
        check.lost(),
        check.duplicates(),
        check.disorder(),
        used.perMessage(workload.messages()));
  }

  /** What earlier rounds left to vacuum and to write out shall not be counted in this one. */
  private void settle() throws SQLException {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("VACUUM");
      statement.execute("CHECKPOINT");
    }
  }

  private Cpu cpu() {
    return new Cpu(
        ProcessCpu.own(),
        ProcessCpu.family(database.pid().orElseThrow()),
        ProcessCpu.family(kafka.pid().orElseThrow()));
  }

  private void report() {
    double raw = median("raw");
    double angarium = median("angarium");
    System.out.printf(
        "median: raw %,.0f, angarium %,.0f messages/s; ratio %.2f%n",
        raw, angarium, angarium / raw);
    if (!rounds.stream().allMatch(round -> round.check().clean())) {
      System.out.println("FAILED: a message was lost or out of order.");
      System.exit(1);
    }
  }

  private double median(String arm) {
    double[] sorted =
        rounds.stream().filter(r -> r.arm().equals(arm)).mapToDouble(Round::perSecond).toArray();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }
}
