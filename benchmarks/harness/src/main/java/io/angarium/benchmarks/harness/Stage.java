package io.angarium.benchmarks.harness;

import io.angarium.benchmarks.arm.ArmSettings;
import io.angarium.benchmarks.arm.DatabaseKind;
import io.angarium.benchmarks.arm.Line;
import io.angarium.benchmarks.brokers.Broker;
import io.angarium.testservers.DatabaseServer;
import io.angarium.testservers.TestDatabase;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A database server and a broker, and the arms that work with them. The JVM of an arm is kept until
 * it is dismissed, so that its rounds are warm. Not thread-safe.
 */
final class Stage implements AutoCloseable {
  private static final int TOPIC_PARTS = 12;
  private static final Duration COMMITTED_PATIENCE = Duration.ofSeconds(30);
  private static final int HEAP_MEGABYTES = 1_024;

  private final DatabaseServer database;
  private final Broker broker;
  private final Path folder;
  private final Progress progress;
  private final Map<Contestant, ArmProcess> processes = new LinkedHashMap<>();
  private final TestDatabase own;
  private int trials;

  /**
   * @param folder for logs and shared files; exists
   */
  Stage(DatabaseServer database, Broker broker, Path folder, Progress progress) {
    this.progress = progress;
    this.database = database;
    this.broker = broker;
    this.folder = folder;
    this.own = database.freshDatabase();
  }

  DatabaseServer database() {
    return database;
  }

  Broker broker() {
    return broker;
  }

  DatabaseKind kind() {
    return DatabaseKind.valueOf(database.server().name());
  }

  /** The name of the database as its makers write it. */
  String title() {
    return database.server().title();
  }

  /** A stage with the same broker and another database server. */
  Stage on(DatabaseServer other) {
    return new Stage(other, broker, folder, progress);
  }

  /** A stage with the same database server and another broker. */
  Stage on(Broker other) {
    return new Stage(database, other, folder, progress);
  }

  /** Opens an arm on a database and a topic of its own, its relay not started. */
  Trial open(Contestant contestant, Map<String, String> options) throws IOException {
    return open(contestant, HEAP_MEGABYTES, options);
  }

  /** Opens an arm whose JVM, if it has to be started, gets a heap of a given size. */
  Trial open(Contestant contestant, int heapMegabytes, Map<String, String> options)
      throws IOException {
    ArmProcess process = processes.get(contestant);
    if (process == null) {
      process = ArmProcess.start(contestant, heapMegabytes, folder);
      processes.put(contestant, process);
    }
    TestDatabase fresh = database.freshDatabase();
    String topic = contestant.name() + "-" + trials++;
    broker.createTopic(topic, TOPIC_PARTS);
    ArmSettings settings = settings(contestant, fresh, topic, options);
    try {
      process.ask(Line.open(settings));
    } catch (RuntimeException e) {
      drop(fresh, topic);
      throw e;
    }
    return new Trial(this, process, fresh, settings, folder.resolve(topic + ".times"));
  }

  private ArmSettings settings(
      Contestant contestant, TestDatabase fresh, String topic, Map<String, String> options) {
    return new ArmSettings(
        kind(),
        fresh.url(),
        fresh.user(),
        fresh.password(),
        broker.kind(),
        broker.address(),
        topic,
        contestant.variant(),
        options);
  }

  /** Bytes the database has written to its log so far. */
  long logBytes() throws SQLException {
    return Upkeep.of(kind()).logBytes(own);
  }

  /** Lets a database come to rest, and says so if it does not. */
  void settle(TestDatabase used) throws SQLException {
    Upkeep.of(kind())
        .settle(used)
        .ifPresent(left -> progress.say(title() + " has not come to rest: " + left));
  }

  /** Transactions that a database has committed. PostgreSQL alone counts them by database. */
  long committed(TestDatabase used) throws SQLException {
    Rest rest = new Rest(COMMITTED_PATIENCE);
    long committed = Transactions.committed(own, used.name(), rest);
    if (rest.isOver()) {
      progress.say(title() + " commits all the time: " + committed + " transactions so far");
    }
    return committed;
  }

  /** Deletes what a trial used. */
  void drop(TestDatabase used, String topic) {
    database.drop(used);
    broker.deleteTopic(topic);
  }

  /** Ends the JVM of an arm. */
  void dismiss(Contestant contestant) {
    ArmProcess process = processes.remove(contestant);
    if (process != null) {
      process.close();
    }
  }

  /** Ends the JVMs of all arms. */
  void dismissAll() {
    processes.values().forEach(ArmProcess::close);
    processes.clear();
  }

  @Override
  public void close() {
    dismissAll();
  }
}
