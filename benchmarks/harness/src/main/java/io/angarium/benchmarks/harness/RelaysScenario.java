package io.angarium.benchmarks.harness;

import io.angarium.benchmarks.arm.Load;
import io.angarium.benchmarks.arm.Workload;
import java.util.List;
import java.util.Map;

/**
 * A backlog that becomes visible at once, by one commit, while relays run that have spread the
 * partitions among them before: a relay alone at the start would have sent it before the others
 * have their part.
 */
final class RelaysScenario implements Scenario {
  private static final Contestant ARM = Contestant.ANGARIUM;
  private static final int SPREAD_SECONDS = 12;
  private static final int WARM_UPS = 8;

  private final Workload.Shape shape;
  private final int messages;
  private final List<Integer> relays;
  private final int rounds;

  /**
   * @param messages of the backlog
   * @param relays numbers of them, in one JVM, each with its own connections
   */
  RelaysScenario(Workload.Shape shape, int messages, List<Integer> relays, int rounds) {
    this.shape = shape;
    this.messages = messages;
    this.relays = List.copyOf(relays);
    this.rounds = rounds;
  }

  @Override
  public String name() {
    return "relays";
  }

  @Override
  public void run(Stage stage, Recorder recorder) throws Exception {
    recorder.say("warming up");
    for (int i = 0; i < WARM_UPS; i++) {
      Drains.of(shape, messages).warmUp(stage, ARM);
    }
    Turns.take(
        relays,
        rounds,
        (count, round) ->
            measure(stage, recorder.round(ARM, Integer.toString(count), round), count));
  }

  private void measure(Stage stage, Recorder.Round round, int count) throws Exception {
    try (Trial trial = stage.open(ARM, Map.of("relays", Integer.toString(count)))) {
      trial.start();
      trial.elapse(SPREAD_SECONDS);
      trial.load(Load.fill(shape, 0, messages, messages));
      long committed = System.nanoTime();
      Usage before = trial.usage();
      long sent = trial.await(messages, Trial.patience(messages));
      // settled, too: many relays have room to leave that for later
      long unsure = trial.awaitNothingLeft(Trial.patience(messages));
      double seconds = (System.nanoTime() - unsure / 2.0 - committed) / 1e9;
      round.add("messages/s", sent / seconds).addUsage(trial.usage().since(before), sent);
      trial.stop();
      Faults faults = Faults.of(messages, trial.receiver().all()).after(trial.unacknowledged());
      round.addFaults(faults).done();
    }
  }
}
