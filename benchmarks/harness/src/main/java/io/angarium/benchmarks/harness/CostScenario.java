package io.angarium.benchmarks.harness;

import io.angarium.benchmarks.arm.Load;
import io.angarium.benchmarks.arm.Workload;
import java.util.Map;

/** Statements, transactions and bytes of the log per message that is written, and sent. */
final class CostScenario implements Scenario {
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
    Counted.on(stage, meter -> measure(meter, recorder));
  }

  private void measure(Counted.Meter meter, Recorder recorder) throws Exception {
    lineup.takeTurns((arm, number) -> measure(meter, recorder.round(arm, "", number), messages));
    lineup.measurePeers(
        meter.stage(),
        recorder,
        "",
        (peer, number) -> measure(meter, recorder.round(peer, "", number), peerMessages));
  }

  private void measure(Counted.Meter meter, Recorder.Round round, int count) throws Exception {
    try (Trial trial = meter.stage().open(round.arm(), Map.of("writers", "0"))) {
      Counted empty = meter.read(trial);
      trial.load(Load.fill(shape, 0, count));
      Counted filled = meter.read(trial);
      Trial.Drained drained = trial.drain(count, Trial.patience(count) + 60);
      Counted sent = meter.read(trial);
      filled.since(empty).add(round, "in", count);
      sent.since(filled).add(round, "out", Math.max(1, drained.sent()));
      round.done();
    }
  }
}
