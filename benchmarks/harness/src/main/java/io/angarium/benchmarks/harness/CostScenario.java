package io.angarium.benchmarks.harness;

import io.angarium.benchmarks.arm.Load;
import io.angarium.benchmarks.arm.Workload;
import java.sql.SQLException;
import java.util.Map;
import java.util.function.LongSupplier;

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
        recorder,
        "",
        (peer, number) -> measure(meter, recorder.round(peer, "", number), peerMessages),
        meter.stage()::dismiss);
  }

  private void measure(Counted.Meter meter, Recorder.Round round, int count) throws Exception {
    try (Trial trial = meter.stage().open(round.arm(), Map.of("writers", "0"))) {
      Counting counting = new Counting(meter, trial, round);
      counting.count("in", () -> filled(trial, count));
      long sent = counting.count("out", () -> drained(trial, count));
      Faults faults = Faults.of(count, trial.receiver().all()).after(trial.unacknowledged());
      round.addFaults(sent >= count ? faults : faults.unlessUnderWay()).done();
    }
  }

  private long filled(Trial trial, int count) {
    trial.load(Load.fill(shape, 0, count));
    return count;
  }

  private static long drained(Trial trial, int count) {
    return Math.max(1, trial.drain(count, Trial.patience(count) + 60).sent());
  }

  /** What one trial costs, one part after the other. */
  private record Counting(Counted.Meter meter, Trial trial, Recorder.Round round) {
    /** Notes the costs per message of a part that says how many there were; returns that. */
    long count(String way, LongSupplier part) throws SQLException {
      long before = meter.transactions(trial);
      Counted start = meter.read(trial);
      long messages = part.getAsLong();
      meter.read(trial).since(start).add(round, way, messages);
      double transactions = meter.transactions(trial) - before;
      round.add("transactions/msg " + way, transactions / messages);
      return messages;
    }
  }
}
