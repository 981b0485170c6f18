package io.angarium.benchmarks.harness;

import com.zaxxer.hikari.HikariDataSource;
import io.angarium.benchmarks.arm.ArmProgram;
import io.angarium.benchmarks.arm.ArmSettings;
import io.angarium.benchmarks.arm.Line;
import io.angarium.benchmarks.arm.Load;
import io.angarium.benchmarks.arm.Times;
import io.angarium.testservers.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** An arm at work on a database and a topic of its own. Not thread-safe. */
final class Trial implements AutoCloseable {
  private static final int CONNECTIONS = 10;
  private static final Duration LOOK_PAUSE = Duration.ofMillis(100);

  private final Stage stage;
  private final ArmProcess process;
  private final TestDatabase database;
  private final ArmSettings settings;
  private final Path times;

  Trial(Stage stage, ArmProcess process, TestDatabase database, ArmSettings settings, Path times) {
    this.stage = stage;
    this.process = process;
    this.database = database;
    this.settings = settings;
    this.times = times;
  }

  /**
   * How a drain went.
   *
   * @param sending nanoseconds until all was acknowledged
   * @param nanos until all was settled, too, and the relay had stopped
   */
  record Drained(long sent, long sending, long nanos) {
    double perSecond() {
      return perSecondFrom(0);
    }

    /** Without those that were sent in all before. */
    double perSecondFrom(long before) {
      return (sent - before) / (nanos / 1e9);
    }

    double sentPerSecond() {
      return sent / (sending / 1e9);
    }
  }

  TestDatabase database() {
    return database;
  }

  String topic() {
    return settings.topic();
  }

  /** A few connections to the database; to be closed by the caller. */
  HikariDataSource pool() {
    return settings.pool(CONNECTIONS);
  }

  /** Commits messages; blocks until all are. */
  Load.Result load(Load load) {
    return Load.Result.of(process.ask(load.toLine(null)));
  }

  /** Begins to commit messages, noting when; {@link #endLoad} is to follow before all else. */
  void beginLoad(Load load) {
    process.begin(load.toLine(times));
  }

  /** Waits until the load is over. */
  Load.Result endLoad() {
    return Load.Result.of(process.answer());
  }

  /** When each message of the load was committed. */
  Times committed() throws IOException {
    return Times.open(times, ArmProgram.TIMES_CAPACITY);
  }

  /** Starts the relay, waits until so many messages are sent in all, and stops it. */
  Drained drain(long messages, int secondsMax) {
    Line answer = process.ask(Line.of("drain").with("sent", messages).with("seconds", secondsMax));
    return new Drained(answer.number("sent"), answer.number("sending"), answer.number("nanos"));
  }

  void start() {
    process.ask(Line.of("start"));
  }

  void stop() {
    process.ask(Line.of("stop"));
  }

  /** Waits until so many messages are sent in all; returns how many are. */
  long await(long messages, int secondsMax) {
    return process
        .ask(Line.of("await").with("sent", messages).with("seconds", secondsMax))
        .number("sent");
  }

  long left() {
    return process.ask(Line.of("left")).number("left");
  }

  /** Attempts to send that led to no acknowledgement. */
  long unacknowledged() {
    return process.ask(Line.of("unacknowledged")).number("attempts");
  }

  /** Lets the arm go on for so long; what it does meanwhile is what is measured. */
  void elapse(int seconds) throws InterruptedException {
    elapse(Duration.ofSeconds(seconds));
  }

  private static void elapse(Duration time) throws InterruptedException {
    new CountDownLatch(1).await(time.toMillis(), TimeUnit.MILLISECONDS);
  }

  /**
   * Waits until no row is left, and asks seldom: to count rows takes a database long.
   *
   * @return nanoseconds between the last look that found rows and the one that found none
   * @throws IllegalStateException if some are left for longer
   */
  long awaitNothingLeft(int secondsMax) throws InterruptedException {
    long begin = System.nanoTime();
    long found = begin;
    for (long left = left(); left > 0; left = left()) {
      if (System.nanoTime() - begin > Duration.ofSeconds(secondsMax).toNanos()) {
        throw new IllegalStateException(left + " rows are left after " + secondsMax + " s");
      }
      found = System.nanoTime();
      elapse(LOOK_PAUSE);
    }
    return System.nanoTime() - found;
  }

  /** Bytes of the arm's heap in use after a collection. */
  long heap() {
    return process.ask(Line.of("memory")).number("live");
  }

  Receiver receiver() {
    return new Receiver(() -> stage.broker().read(topic()));
  }

  /** What was used until now. */
  Usage usage() throws SQLException {
    return new Usage(
        ProcessCpu.own(process.pid()),
        ProcessCpu.descendants(process.pid()),
        ProcessCpu.family(stage.database().pid().orElseThrow()),
        ProcessCpu.family(stage.broker().server().pid().orElseThrow()),
        stage.logBytes());
  }

  /** What earlier work left to tidy up and to write out shall not be counted in what follows. */
  void settle() throws SQLException {
    stage.settle(database);
  }

  @Override
  public void close() throws IOException {
    process.ask(Line.of("close"));
    Files.deleteIfExists(times);
    stage.drop(database, topic());
  }

  /** Time an arm gets for a number of messages that any sound one can send, in seconds. */
  static int patience(long messages) {
    return (int) (TimeUnit.MINUTES.toSeconds(1) + messages / 5_000);
  }
}
