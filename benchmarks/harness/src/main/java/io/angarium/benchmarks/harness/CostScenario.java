package io.angarium.benchmarks.harness;

import io.angarium.benchmarks.arm.DatabaseKind;
import io.angarium.benchmarks.arm.Load;
import io.angarium.benchmarks.arm.Workload;
import io.angarium.testservers.DatabaseServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.ServerCounters;
import io.angarium.testservers.ServerOptions;
import java.sql.SQLException;
import java.util.Map;

/**
 * Statements, transactions and bytes of the log per message, as the database itself counts them. On
 * a server of its own: counting costs time, and without full pages in the log its bytes do not
 * depend on when a checkpoint was.
 */
final class CostScenario implements Scenario {
  private static final ServerOptions COUNTING =
      ServerOptions.standard()
          .ownProcess()
          .setting("shared_preload_libraries", "pg_stat_statements")
          .setting("pg_stat_statements.max", "10000")
          .setting("full_page_writes", "off");

  private final Workload.Shape shape;
  private final int messages;
  private final int peerMessages;
  private final Lineup lineup;

  CostScenario(Workload.Shape shape, int messages, int peerMessages, Lineup lineup) {
    this.shape = shape;
    this.messages = messages;
    this.peerMessages = peerMessages;
    this.lineup = lineup;
  }

  @Override
  public String name() {
    return "cost";
  }

  @Override
  public void run(Stage stage, Recorder recorder) throws Exception {
    if (stage.kind() == DatabaseKind.MARIADB) { // counts all the time
      measure(stage, recorder);
      return;
    }
    try (DatabaseServer counting = DatabaseServer.start(Server.POSTGRESQL, COUNTING);
        Stage own = stage.on(counting)) {
      measure(own, recorder);
    }
  }

  private void measure(Stage stage, Recorder recorder) throws Exception {
    Meter meter = new Meter(stage, ServerCounters.of(stage.database()));
    lineup.takeTurns((arm, number) -> measure(meter, recorder.round(arm, "", number), messages));
    lineup.measurePeers(
        stage,
        recorder,
        "",
        (peer, number) -> measure(meter, recorder.round(peer, "", number), peerMessages));
  }

  private void measure(Meter meter, Recorder.Round round, int count) throws Exception {
    try (Trial trial = meter.stage().open(round.arm(), Map.of("writers", "0"))) {
      Costs empty = meter.read(trial);
      trial.load(Load.fill(shape, 0, count));
      Costs filled = meter.read(trial);
      Trial.Drained drained = trial.drain(count, Trial.patience(count) + 60);
      Costs sent = meter.read(trial);
      filled.since(empty).add(round, "in", count);
      sent.since(filled).add(round, "out", Math.max(1, drained.sent()));
      round.done();
    }
  }

  /** What the server of a stage counts. */
  private record Meter(Stage stage, ServerCounters counters) {
    Costs read(Trial trial) throws SQLException {
      long log = stage.logBytes();
      return new Costs(counters.read(trial.database()), log);
    }
  }

  /** Counted until now, or between two such times. */
  private record Costs(ServerCounters.Counts counts, long log) {
    Costs since(Costs before) {
      return new Costs(counts.since(before.counts), log - before.log);
    }

    void add(Recorder.Round round, String way, long messages) {
      round.add("statements/msg " + way, (double) counts.statements() / messages);
      round.add("transactions/msg " + way, (double) counts.commits() / messages);
      round.add("log bytes/msg " + way, (double) log / messages);
    }
  }
}
