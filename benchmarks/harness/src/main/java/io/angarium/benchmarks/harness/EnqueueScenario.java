package io.angarium.benchmarks.harness;

import io.angarium.benchmarks.arm.Load;
import io.angarium.benchmarks.arm.Workload;
import java.util.Map;

/** Transactions of one business row and many messages by one thread, with no relay running. */
final class EnqueueScenario implements Scenario {
  /** So much is written before what counts: the compiler of the JVM shall be done with it. */
  private static final int WARM_UP_TIMES = 4;

  private final Workload.Shape shape;
  private final int perTransaction;
  private final long messages;
  private final Lineup lineup;

  EnqueueScenario(Workload.Shape shape, int perTransaction, long messages, Lineup lineup) {
    this.shape = shape;
    this.perTransaction = perTransaction;
    this.messages = messages;
    this.lineup = lineup;
  }

  @Override
  public String name() {
    return "enqueue";
  }

  @Override
  public void run(Stage stage, Recorder recorder) throws Exception {
    String parameter = perTransaction + " per transaction";
    lineup.takeTurns((arm, number) -> measure(stage, recorder.round(arm, parameter, number)));
  }

  /** Who does not write what it was given is not compared. */
  private static void check(Trial trial, long expected) {
    long written = trial.left();
    if (written != expected) {
      throw new IllegalStateException(written + " rows of " + expected + " messages");
    }
  }

  private void measure(Stage stage, Recorder.Round round) throws Exception {
    try (Trial trial = stage.open(round.arm(), Map.of())) {
      long enough = WARM_UP_TIMES * messages;
      Load.Result warm = trial.load(Load.fill(shape, 0, enough, perTransaction));
      trial.settle();
      Usage before = trial.usage();
      Load.Result filled = trial.load(Load.fill(shape, warm.next(), messages, perTransaction));
      Usage used = trial.usage().since(before);
      check(trial, enough + messages);
      round
          .add("messages/s", filled.perSecond() * perTransaction)
          .add("tx/s", filled.perSecond())
          .addUsage(used, messages)
          .done();
    }
  }
}
