package io.angarium.benchmarks.harness;

import io.angarium.benchmarks.arm.DatabaseKind;
import io.angarium.benchmarks.arm.Load;
import io.angarium.benchmarks.arm.Workload;
import io.angarium.testservers.DatabaseServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.ServerOptions;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Statements, transactions and bytes of the log per message, as the database itself counts them. On
 * a server of its own: counting costs time, and without full pages in the log its bytes do not
 * depend on when a checkpoint was.
 */
final class CostScenario implements Scenario {
  private static final int PER_TRANSACTION = 1_000;
  private static final ServerOptions COUNTING =
      ServerOptions.standard()
          .ownProcess()
          .setting("shared_preload_libraries", "pg_stat_statements")
          .setting("pg_stat_statements.max", "10000")
          .setting("full_page_writes", "off");

  private final Workload.Shape shape;
  private final int messages;
  private final int peerMessages;
  private final List<Contestant> arms;
  private final List<Contestant> peers;
  private final Path folder;

  CostScenario(
      Workload.Shape shape,
      int messages,
      int peerMessages,
      List<Contestant> arms,
      List<Contestant> peers,
      Path folder) {
    this.shape = shape;
    this.messages = messages;
    this.peerMessages = peerMessages;
    this.arms = List.copyOf(arms);
    this.peers = List.copyOf(peers);
    this.folder = folder;
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
        Stage own = new Stage(counting, stage.kafka(), folder)) {
      measure(own, recorder);
    }
  }

  private void measure(Stage stage, Recorder recorder) throws Exception {
    ServerCounters counters = ServerCounters.of(stage);
    for (Contestant arm : arms) {
      measure(stage, recorder, arm, counters, messages);
    }
    for (Contestant peer : peers) {
      try {
        measure(stage, recorder, peer, counters, peerMessages);
      } catch (Exception e) {
        recorder.failed(peer, "", e);
      } finally {
        stage.dismiss(peer);
      }
    }
  }

  private void measure(
      Stage stage, Recorder recorder, Contestant arm, ServerCounters counters, int count)
      throws Exception {
    try (Trial trial = stage.open(arm, Map.of("writers", "0"))) {
      ServerCounters.Counts empty = counters.read(trial.database());
      trial.load(Load.fill(shape, 0, count, Math.min(count, PER_TRANSACTION)));
      ServerCounters.Counts filled = counters.read(trial.database());
      Trial.Drained drained = trial.drain(count, Trial.patience(count) + 60);
      ServerCounters.Counts sent = counters.read(trial.database());
      Recorder.Round round = recorder.round(arm, "", 1);
      filled.since(empty).add(round, "in", count);
      sent.since(filled).add(round, "out", Math.max(1, drained.sent()));
      round.done();
    }
  }
}
