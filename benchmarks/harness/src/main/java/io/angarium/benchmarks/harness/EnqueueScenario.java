package io.angarium.benchmarks.harness;

import io.angarium.benchmarks.arm.Load;
import io.angarium.benchmarks.arm.Workload;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** Transactions of one business row and many messages by one thread, with no relay running. */
final class EnqueueScenario implements Scenario {
  private final Workload.Shape shape;
  private final int perTransaction;
  private final long messages;
  private final int pairs;
  private final List<Contestant> arms;

  EnqueueScenario(
      Workload.Shape shape, int perTransaction, long messages, int pairs, List<Contestant> arms) {
    this.shape = shape;
    this.perTransaction = perTransaction;
    this.messages = messages;
    this.pairs = pairs;
    this.arms = List.copyOf(arms);
  }

  @Override
  public String name() {
    return "enqueue";
  }

  @Override
  public void run(Stage stage, Recorder recorder) throws Exception {
    List<Contestant> order = new ArrayList<>(arms);
    for (int pair = 1; pair <= pairs; pair++) {
      for (Contestant arm : order) {
        measure(stage, recorder, arm, pair);
      }
      Collections.reverse(order);
    }
  }

  private void measure(Stage stage, Recorder recorder, Contestant arm, int number)
      throws Exception {
    try (Trial trial = stage.open(arm, Map.of())) {
      Load.Result warm = trial.load(Load.fill(shape, 0, messages, perTransaction));
      trial.settle();
      Usage before = trial.usage();
      Load.Result filled = trial.load(Load.fill(shape, warm.next(), messages, perTransaction));
      Usage used = trial.usage().since(before);
      recorder
          .round(arm, perTransaction + " per transaction", number)
          .add("messages/s", filled.perSecond() * perTransaction)
          .add("tx/s", filled.perSecond())
          .addUsage(used, messages)
          .done();
    }
  }
}
